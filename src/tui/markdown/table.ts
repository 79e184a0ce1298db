/**
 * Renders a table. Columns are as wide as their cells if there is room, otherwise narrower and wrapped, but not narrower than their
 * words. If even that does not fit, each row becomes a block of "header: cell" lines.
 */
import { styled } from "../ansi/ansi.ts";
import { wrapText } from "../ansi/wrap.ts";
import { widthOf } from "../editor/graphemes.ts";
import type { Alignment, TablePart } from "./blocks.ts";
import { inline } from "./inline.ts";
import type { Theme } from "./theme.ts";

/** Longer words may be broken. */
const LONGEST_WORD = 12;
const BETWEEN = 3;

interface Layout {
  readonly widths: readonly number[];
  /** Some cells take several lines, so rows need separators. */
  readonly shrunk: boolean;
}

export function tableLines(table: TablePart, width: number, theme: Theme): string[] {
  const layout = layoutOf(table, width, theme);
  return layout === null ? recordLines(table, width, theme) : columnLines(table, layout, theme);
}

function layoutOf({ header, measured, isLong }: TablePart, width: number, theme: Theme): Layout | null {
  const room = width - BETWEEN * (header.length - 1);
  if (room < header.length) return null;
  const rows = [header, ...measured].map((row) => cellsOf(row, header.length, theme));
  const columns = header.map((_, column) => rows.map((row) => row[column] ?? ""));
  const natural = columns.map((cells) => Math.max(1, ...cells.map((cell) => widest(cell, /\n/))));
  const needed = columns.map((cells, column) => {
    const word = Math.max(1, ...cells.map((cell) => widest(cell, /[ \n]/)));
    return Math.min(word, LONGEST_WORD, natural[column] ?? word);
  });
  const widthsFor = (most: number) =>
    natural.map((wanted, column) => Math.max(needed[column] ?? 0, Math.min(wanted, most)));
  if (sum(widthsFor(0)) > room) return null;
  let most = room;
  while (sum(widthsFor(most)) > room) most--;
  const widths = widthsFor(most);
  const spare = isLong ? Math.floor((room - sum(widths)) / header.length) : 0;
  return {
    widths: widths.map((given) => given + Math.min(spare, given)),
    shrunk: widths.some((given, column) => given < (natural[column] ?? 0)),
  };
}

/** Exactly `count` cells; surplus ones are joined to the last. */
function cellsOf(row: readonly string[], count: number, theme: Theme): string[] {
  const cells = row.length > count ? [...row.slice(0, count - 1), row.slice(count - 1).join(" | ")] : row;
  return Array.from({ length: count }, (_, column) => inline(cells[column] ?? "", theme));
}

function widest(cell: string, between: RegExp): number {
  return Math.max(0, ...Bun.stripANSI(cell).split(between).map(widthOf));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function columnLines(
  { header, alignments, rows, isFirst }: TablePart,
  layout: Layout,
  theme: Theme,
): string[] {
  const { widths, shrunk } = layout;
  const rule = styled(theme.faint, widths.map((width) => "─".repeat(width)).join("─┼─"));
  const bar = ` ${styled(theme.faint, "│")} `;
  const rowLines = (cells: readonly string[]): string[] => {
    const wrapped = cells.map((cell, column) => wrapText(cell, widths[column] ?? 0));
    const height = Math.max(1, ...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      wrapped
        .map((lines, column) => aligned(lines[line] ?? "", widths[column] ?? 0, alignments[column]))
        .join(bar)
        .trimEnd(),
    );
  };
  const head = cellsOf(header, header.length, theme).map((cell) => styled(theme.strong, cell));
  const lines = isFirst ? rowLines(head) : [];
  for (const [index, row] of rows.entries()) {
    if (index === 0 ? isFirst || shrunk : shrunk) lines.push(rule);
    lines.push(...rowLines(cellsOf(row, header.length, theme)));
  }
  if (rows.length === 0 && isFirst) lines.push(rule);
  return lines;
}

function aligned(text: string, width: number, alignment: Alignment | undefined): string {
  const room = Math.max(0, width - widthOf(text));
  const before = alignment === "right" ? room : alignment === "centre" ? Math.floor(room / 2) : 0;
  return " ".repeat(before) + text + " ".repeat(room - before);
}

function recordLines({ header, rows, isFirst }: TablePart, width: number, theme: Theme): string[] {
  const names = header.map((cell) => inline(cell, theme).replaceAll("\n", " "));
  const lines: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 || !isFirst) lines.push("");
    for (const [column, cell] of row.entries()) {
      const name = names[column] ?? "";
      const shown = inline(cell, theme);
      if (shown === "" && name === "") continue;
      lines.push(
        ...wrapText(name === "" ? shown : `${styled(theme.strong, `${name}:`)} ${shown}`, width, "  "),
      );
    }
  }
  return rows.length > 0 ? lines : wrapText(names.join(", "), width, "  ");
}
