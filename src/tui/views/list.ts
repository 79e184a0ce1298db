/** A list with one selected line, scrolled to show that line. */
import { withoutEscapes } from "../ansi/clean.ts";
import { oneLine } from "../ansi/visible.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Look } from "./look.ts";

interface ListItem {
  readonly label: string;
  readonly detail: string;
}

/** A label wider than this does not shift the details of the other items. */
const WIDEST_LABEL = 28;

export function listLines(
  items: readonly ListItem[],
  index: number,
  width: number,
  room: number,
  look: Look,
): string[] {
  const count = Math.max(1, room);
  const top = Math.max(0, Math.min(index - Math.floor(count / 2), items.length - count));
  const shown = items
    .slice(top, top + count)
    .map(({ label, detail }) => ({ label: shownLine(label), detail: shownLine(detail) }));
  const column = Math.min(WIDEST_LABEL, Math.max(0, ...shown.map(({ label }) => widthOf(label))));
  return shown.map((item, at) => line(item, top + at === index, column, width, look));
}

function shownLine(text: string): string {
  return oneLine(withoutEscapes(text));
}

function line(
  { label, detail }: ListItem,
  isMarked: boolean,
  column: number,
  width: number,
  { paint }: Look,
): string {
  const mark = isMarked ? paint("❯ ", "cyan", "bold") : "  ";
  const name = fit(label, width - 2);
  const padding = " ".repeat(Math.max(0, column - widthOf(name)) + 2);
  const left = width - 2 - widthOf(name) - padding.length;
  const about = left < 8 || detail === "" ? "" : padding + paint(fit(detail, left), "dim");
  return mark + (isMarked ? paint(name, "cyan", "bold") : name) + about;
}
