/**
 * Cleans up a frame after the terminal was resized. Terminals rewrap lines that no longer fit, so the frame becomes taller, and
 * erasing as many rows as were drawn leaves its upper rows behind.
 */
import type { Size } from "./app-state.ts";
import { widthOf } from "./editor/graphemes.ts";
import type { Frame } from "./views/screen.ts";

/**
 * Erases those upper rows, starting from where the cursor is after the frame was erased. If the frame's first row has scrolled off
 * the screen, one row stays free, because tmux copies text to its history if it is erased from the first row on.
 */
export function eraseReflowed({ lines, cursor }: Frame, { columns, rows }: Size): string {
  const above = cursor === null ? lines : lines.slice(0, cursor.y);
  const taller = above.reduce((sum, line) => sum + rowsOf(line, columns) - 1, 0);
  const gained = taller + rowInLine(lines, cursor, columns);
  if (gained === 0) return "";
  const isCut = above.length + gained >= rows;
  return `\x1b[${gained}A\x1b[J${isCut ? "\n" : ""}`;
}

/** The cursor's row within its rewrapped line; after the end of a full row, it stays in that row. */
function rowInLine(lines: Frame["lines"], cursor: Frame["cursor"], columns: number): number {
  if (cursor === null) return 0;
  return Math.min(Math.floor(cursor.x / columns), rowsOf(lines[cursor.y] ?? "", columns) - 1);
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(Bun.stripANSI(line).trimEnd()) / columns));
}
