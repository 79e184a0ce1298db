/** Wraps the input into screen rows, and maps text offsets to cells. */

import { isFold, labelOf } from "../folded.ts";
import { widthOf } from "./graphemes.ts";
import { pieces } from "./motion.ts";

interface Cell {
  /** Its offset in the text. */
  readonly at: number;
  readonly shown: string;
  /** Its column. */
  readonly column: number;
}

interface Row {
  readonly start: number;
  /** Where the next row starts, or the line's end. */
  readonly end: number;
  readonly cells: readonly Cell[];
  readonly width: number;
  /** The line continues in the next row, so the position at this row's end is shown there. */
  readonly continues: boolean;
}

const TAB = "    ";

/** Breaks rows after a space if possible; a space that no longer fits goes into the cursor's column. */
export function rowsOf(text: string, width: number, pastes: readonly string[]): Row[] {
  const rows: Row[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    rows.push(...rowsOfLine(line, start, Math.max(1, width), pastes));
    start += line.length + 1;
  }
  return rows;
}

function rowsOfLine(line: string, start: number, width: number, pastes: readonly string[]): Row[] {
  const rows: Row[] = [];
  let cells: Cell[] = [];
  let column = 0;
  let afterSpace = 0;
  const close = (count: number, next: number, continues: boolean) => {
    const kept = cells.slice(0, count);
    const rest = cells.slice(count);
    const shift = rest[0]?.column ?? column;
    const from = kept[0]?.at ?? start;
    const end = rest[0]?.at ?? next;
    rows.push({ start: from, end, cells: kept, width: shift, continues });
    cells = rest.map((cell) => ({ ...cell, column: cell.column - shift }));
    column -= shift;
    afterSpace = 0;
  };
  for (const piece of pieces(line)) {
    const shown = isFold(piece.text) ? labelOf(piece.text, pastes) : piece.text === "\t" ? TAB : piece.text;
    const wide = widthOf(shown);
    // Runs twice if a word moved to its own row leaves no room for this piece.
    while (column + wide > width && cells.length > 0 && !(piece.text === " " && column <= width))
      close(afterSpace > 0 ? afterSpace : cells.length, start + piece.at, true);
    cells.push({ at: start + piece.at, shown, column });
    column += wide;
    if (piece.text === " " || piece.text === "\t") afterSpace = cells.length;
  }
  close(cells.length, start + line.length, false);
  return rows;
}

export function shownRow(row: Row): string {
  return row.cells.map((cell) => cell.shown).join("");
}

export function cellOf(
  rows: readonly Row[],
  cursor: number,
): { readonly row: number; readonly column: number } {
  const found = rows.findIndex((row) => cursor < row.end || (cursor === row.end && !row.continues));
  const row = found === -1 ? rows.length - 1 : found;
  const cell = rows[row]?.cells.find((candidate) => candidate.at >= cursor);
  return { row, column: cell?.column ?? rows[row]?.width ?? 0 };
}

/** The text offset nearest to a column of a row. */
export function placeAt(row: Row, column: number): number {
  const cell = row.cells.findLast((candidate) => candidate.column <= column);
  if (column >= row.width && !row.continues) return row.end;
  return cell?.at ?? row.start;
}
