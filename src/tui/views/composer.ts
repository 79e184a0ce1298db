/** The input: a few rows of it around the cursor. */
import { type AppState, inputWidth } from "../app-state.ts";
import { fit } from "../editor/graphemes.ts";
import { cellOf, rowsOf, shownRow } from "../editor/rows.ts";
import type { Look } from "./look.ts";

const MOST_ROWS = 8;

export interface Placed {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number };
}

export function composerView(
  { editor, size, chat, search }: AppState,
  { paint }: Look,
  prompt?: string,
): Placed {
  const width = inputWidth(size);
  const rows = rowsOf(editor.text, width, editor.pastes);
  const cell = cellOf(rows, editor.cursor);
  const room = Math.max(1, Math.min(MOST_ROWS, Math.floor(size.rows / 3)));
  const top = Math.max(0, Math.min(cell.row - Math.max(0, room - 2), rows.length - room));
  const shown = rows.slice(top, top + room);
  const isIdle = chat.busy === null;
  const lines = shown.map((row, index) => {
    const mark =
      top + index === 0
        ? paint(search === null ? "› " : "? ", ...SIGN[isIdle ? "idle" : "busy"])
        : index === 0
          ? paint("↑ ", "dim")
          : "  ";
    return mark + coloured(fit(shownRow(row), width + 1), paint);
  });
  if (editor.text === "")
    lines[0] = `${lines[0] ?? ""}${paint(fit(prompt ?? (search === null ? placeholder(chat.busy !== null && chat.busy.doing !== "starting") : SEARCHING), width), "dim")}`;
  return { lines, cursor: { x: 2 + Math.min(cell.column, width), y: cell.row - top } };
}

/** Bold and dim end with the same code, so they are never used together. */
const SIGN = { idle: ["cyan", "bold"], busy: ["dim"] } as const;

const SEARCHING = "Search earlier input: Enter selects, Ctrl-R continues, Esc cancels";

function placeholder(isBusy: boolean): string {
  return isBusy ? "Type the next message" : "Type a message, or / for commands";
}

function coloured(row: string, paint: Look["paint"]): string {
  return row.replace(/\[pasted [\d,]+ (?:lines|characters)\]/g, (label) => paint(label, "magenta"));
}
