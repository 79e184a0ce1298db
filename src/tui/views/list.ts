/** A list with one marked item, scrolled to show that item. */
import { withoutEscapes } from "../ansi/clean.ts";
import { oneLine } from "../ansi/visible.ts";
import { wrapText } from "../ansi/wrap.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Look } from "./look.ts";

interface ListItem {
  readonly label: string;
  readonly detail: string;
}

/** A label wider than this does not shift the details of the other items. */
const WIDEST_LABEL = 28;
/** How many lines of a marked item's label are shown. */
const MARKED_LINES = 3;

/** "3 of 24"; "24" if no item is marked. */
export function countOf(index: number, count: number): string {
  if (count === 1) return "";
  return index < 0 || count === 0 ? String(count) : `${index + 1} of ${count}`;
}

/** One line for each item. The marked one gets more if it needs them, so that all of it can be read. */
export function listLines(
  items: readonly ListItem[],
  index: number,
  width: number,
  room: number,
  look: Look,
): string[] {
  const marked = items[index];
  const whole = marked === undefined ? [] : wholeLines(shownItem(marked), width, room, look);
  const count = Math.max(1, room - Math.max(0, whole.length - 1));
  const top = Math.max(0, Math.min(index - Math.floor(count / 2), items.length - count));
  const shown = items.slice(top, top + count).map(shownItem);
  const column = Math.min(WIDEST_LABEL, Math.max(0, ...shown.map(({ label }) => widthOf(label))));
  return shown.flatMap((item, at) => {
    const isMarked = top + at === index;
    return isMarked && whole.length > 0 ? whole : [line(item, isMarked, column, width, look)];
  });
}

function shownItem({ label, detail }: ListItem): ListItem {
  return { label: oneLine(withoutEscapes(label)), detail: oneLine(withoutEscapes(detail)) };
}

/** A marked item that one line would cut; [] if one line is enough, or all there is. */
function wholeLines({ label, detail }: ListItem, width: number, room: number, { paint }: Look): string[] {
  const about = detail === "" ? 0 : Math.max(0, WIDEST_LABEL - widthOf(label)) + 2 + widthOf(detail);
  if (widthOf(label) + about <= width - 2 || room < 3) return [];
  const rows = wrapText(label, width - 2);
  const most = Math.min(MARKED_LINES, room - 2);
  const kept = rows.length > most ? [...rows.slice(0, most - 1), rows.slice(most - 1).join(" ")] : rows;
  return [
    ...kept.map((row, at) => paint(`${at === 0 ? "❯" : " "} ${fit(row, width - 2)}`, "cyan", "bold")),
    ...(detail === "" ? [] : [paint(`  ${fit(detail, width - 2)}`, "dim")]),
  ];
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
