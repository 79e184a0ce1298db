/** A picker, shown instead of the input: its title, a filter, and the matching items. */

import { oneLine } from "../ansi/visible.ts";
import type { AppState } from "../app-state.ts";
import type { OpenPicker } from "../chat-shape.ts";
import { filtered, markedItem } from "../choice.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Placed } from "./composer.ts";
import { listLines } from "./list.ts";
import type { Look } from "./look.ts";

const MOST_ITEMS = 10;
/** The title, the filter, the keys, the status and free rows. */
const OTHER_LINES = 8;

/** The keys are shown once they work: an Enter typed before the list was visible selects nothing. */
export function pickerView(
  { picker, isDrawn, back }: OpenPicker,
  { pick, size }: AppState,
  look: Look,
): Placed {
  const { paint } = look;
  const width = size.columns;
  const items = filtered(picker, pick.filter);
  const room = Math.max(1, Math.min(MOST_ITEMS, size.rows - OTHER_LINES));
  const marked = markedItem(picker, pick);
  const list = listLines(items, marked, width, room, look);
  const count = items.length > room ? `${marked + 1} of ${items.length} · ` : "";
  const own = picker.items.flatMap(({ key, label }) => (key === undefined ? [] : `${key} ${label}`));
  const ways = own.length > 0 ? own.join(" · ") : picker.isUnprompted ? "or keep typing" : "type to filter";
  const leaving = picker.skip !== undefined ? "skips" : back === null ? "closes" : "goes back";
  const keys = isDrawn ? `${count}${ways} · ↑↓ · Enter selects · Esc ${leaving}` : "…";
  return {
    lines: [
      paint(fit(oneLine(picker.title), width), "bold"),
      `${paint("› ", "cyan", "bold")}${fit(pick.filter, width - 3)}`,
      ...(items.length === 0 ? [paint(fit("  No matches.", width), "dim")] : list),
      paint(fit(`  ${keys}`, width), "dim"),
    ],
    cursor: { x: 2 + Math.min(widthOf(pick.filter), width - 3), y: 1 },
  };
}
