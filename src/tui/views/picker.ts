/** A picker, shown instead of the input: its title, a filter, and the matching items. */

import { filtered, markedItem } from "../../agent/choices.ts";
import { oneLine } from "../ansi/visible.ts";
import type { AppState } from "../app-state.ts";
import type { OpenPicker } from "../chat-shape.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Placed } from "./composer.ts";
import { countOf, listLines } from "./list.ts";
import type { Look } from "./look.ts";

/** In place of a filter: Enter alone does nothing. */
const CHOOSE = "Choose with ↑↓, then press Enter";
const MOST_ITEMS = 10;
/** The title, the filter, the keys, the status and free rows. */
const OTHER_LINES = 8;

/** `most`: how many lines there are for all of it. */
export function pickerView(
  { picker }: OpenPicker,
  { pick, size }: AppState,
  most: number,
  look: Look,
): Placed {
  const { paint } = look;
  const width = size.columns;
  const items = filtered(picker, pick.filter);
  const room = Math.max(1, Math.min(MOST_ITEMS, most - OTHER_LINES));
  const marked = markedItem(picker, pick);
  const isUnmarked = picker.isPermanent === true && marked < 0 && items.length > 0;
  const count = `  ${countOf(marked, items.length)}`;
  return {
    lines: [
      paint(fit(oneLine(picker.title), width - count.length), "bold") + paint(count, "dim"),
      `${paint("› ", "cyan", "bold")}${isUnmarked && pick.filter === "" ? paint(fit(CHOOSE, width - 3), "dim") : fit(pick.filter, width - 3)}`,
      ...(items.length === 0
        ? [paint(fit("  No matches.", width), "dim")]
        : listLines(items, marked, width, room, look)),
    ],
    cursor: { x: 2 + Math.min(widthOf(pick.filter), width - 3), y: 1 },
  };
}
