/**
 * What a new width leaves of a frame. Terminals break lines that no longer fit, so a frame is taller than it was drawn, and
 * erasing as many rows as were drawn leaves its upper ones behind.
 */
import type { Size } from "./app-state.ts";
import { widthOf } from "./editor/graphemes.ts";
import type { Frame } from "./views/screen.ts";

/**
 * Erases the rest, where the cursor is after the frame was erased as it was drawn. Where the frame's first row has left the
 * screen, one row stays free, since tmux keeps what is erased from the first row on in its history.
 */
export function eraseReflowed({ lines, cursor }: Frame, { columns, rows }: Size): string {
  const above = cursor === null ? lines : lines.slice(0, cursor.y);
  const taller = above.reduce((sum, line) => sum + rowsOf(line, columns) - 1, 0);
  const gained = taller + rowInLine(lines, cursor, columns);
  if (gained === 0) return "";
  const isCut = above.length + gained >= rows;
  return `\x1b[${gained}A\x1b[J${isCut ? "\n" : ""}`;
}

/** Which row of its own line the cursor is in; after the end of a full row it stays there. */
function rowInLine(lines: Frame["lines"], cursor: Frame["cursor"], columns: number): number {
  if (cursor === null) return 0;
  return Math.min(Math.floor(cursor.x / columns), rowsOf(lines[cursor.y] ?? "", columns) - 1);
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(Bun.stripANSI(line).trimEnd()) / columns));
}
