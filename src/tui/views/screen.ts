/**
 * Everything that may still change, as lines: what is under way above, the input and the status below. Always fewer lines than
 * the terminal has, so that drawing it never scrolls: of what is under way the end is shown, and all of it once it is finished.
 * One row more stays free above: tmux keeps what is erased from the first row on in its history.
 */
import { type AppState, isArmed, isPicking } from "../app-state.ts";
import { filtered } from "../choice.ts";
import { fit, widthOf } from "../graphemes.ts";
import { oneLine } from "../visible.ts";
import { approvalLines } from "./approval.ts";
import { composerView, type Placed } from "./composer.ts";
import { thinkingLines, toolLines, userLines } from "./item.ts";
import { listLines } from "./list.ts";
import { type Look, readingWidth } from "./look.ts";
import { spinnerLine, statusLine } from "./status.ts";

export interface Frame {
  readonly lines: readonly string[];
  /** null: none is shown. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

const MOST_CHOICES = 8;
const MOST_QUEUED = 3;
/** In characters, of what a model thinks now. */
const THINKING_SHOWN = 150;

export function frameOf(state: AppState, look: Look): Frame {
  const { size } = state;
  if (state.isOver) return { lines: [], cursor: null };
  const most = Math.max(1, size.rows - 2);
  const below = belowLines(state, look);
  const asked = askedLines(state, most - below.lines.length, look);
  const above = [...liveLines(state, look), ...waitingLines(state, look)];
  const room = Math.max(0, most - below.lines.length - asked.length);
  const shown = [...(room === 0 ? [] : above.slice(-room)), ...asked, ...below.lines].slice(-most);
  const cursorFromEnd = below.cursor === null ? null : below.lines.length - below.cursor.y;
  return {
    lines: shown.map((line) => fit(line, size.columns)),
    cursor:
      below.cursor === null || cursorFromEnd === null || cursorFromEnd > shown.length
        ? null
        : { x: Math.min(below.cursor.x, size.columns - 1), y: shown.length - cursorFromEnd },
  };
}

/** The reply and what else is on its way. */
function liveLines(state: AppState, look: Look): string[] {
  const { chat, size } = state;
  const width = readingWidth(size.columns);
  const { sent, thinking, reply, tools } = chat;
  const parts = [
    sent === null ? [] : userLines(sent, width, look),
    thinking === null ? [] : thinkingLines(thinking.text.slice(-THINKING_SHOWN), "", width, look),
  ];
  const apart = parts.filter((part) => part.length > 0).flatMap((part) => ["", ...part]);
  const text =
    reply === null || reply.lines.length === 0 ? [] : [...(reply.isFirst ? [""] : []), ...reply.lines];
  const running = tools
    .filter(({ id }) => id !== chat.approval?.id)
    .flatMap(({ summary }) => toolLines(summary, "", "yellow", width, look));
  return [...apart, ...text, ...(running.length === 0 ? [] : ["", ...running])];
}

/** The spinner, and lines that are sent after what goes on. */
function waitingLines(state: AppState, look: Look): string[] {
  const { queue } = state.chat;
  const spinner = state.chat.approval === null ? spinnerLine(state, look) : null;
  const queued = queue
    .slice(-MOST_QUEUED)
    .map((line) => look.paint(fit(`  queued: ${oneLine(line)}`, state.size.columns), "dim"));
  const hidden = queue.length - queued.length;
  const more = hidden > 0 ? [look.paint(`  ${hidden} more queued`, "dim")] : [];
  return [...(spinner === null ? [] : ["", spinner]), ...more, ...queued];
}

function askedLines(state: AppState, room: number, look: Look): string[] {
  const { approval } = state.chat;
  if (approval === null) return [];
  const width = readingWidth(state.size.columns);
  const gap = room > 8 ? [""] : [];
  return [...gap, ...approvalLines(approval, isArmed(state, state.now), width, room - gap.length, look)];
}

function belowLines(
  state: AppState,
  look: Look,
): { lines: readonly string[]; cursor: Placed["cursor"] | null } {
  const { chat, size, editor } = state;
  const status = statusLine(state, look);
  if (chat.busy?.doing === "closing") return { lines: [status], cursor: null };
  if (chat.approval !== null && isArmed(state, state.now) && editor.text === "")
    return { lines: ["", status], cursor: null };
  if (isPicking(state)) return pickerView(state, look, status);
  const composer = composerView(state, look);
  const room = Math.max(1, Math.min(MOST_CHOICES, size.rows - composer.lines.length - 6));
  const { completion } = state;
  const choices =
    completion === null || chat.approval !== null
      ? []
      : listLines(
          completion.items.map(({ value, detail }) => ({ label: value, detail })),
          completion.index,
          size.columns,
          room,
          look,
        );
  const isAnswering = chat.approval !== null && isArmed(state, state.now);
  return {
    lines: ["", ...composer.lines, ...choices, status],
    cursor: isAnswering ? null : { x: composer.cursor.x, y: composer.cursor.y + 1 },
  };
}

function pickerView({ chat, pick, size }: AppState, { paint, ...look }: Look, status: string) {
  const picker = chat.picker?.picker ?? { title: "", command: "", items: [] };
  const items = filtered(picker, pick.filter);
  const room = Math.max(1, Math.min(10, size.rows - 8));
  const list =
    items.length === 0
      ? [paint("  Nothing like that.", "dim")]
      : listLines(items, pick.index, size.columns, room, { paint, ...look });
  const count = items.length > room ? `${pick.index + 1} of ${items.length} · ` : "";
  const keys = paint(fit(`  ${count}type to filter · ↑↓ · Enter takes · Esc closes`, size.columns), "dim");
  const head = [
    paint(fit(oneLine(picker.title), size.columns), "bold"),
    `${paint("› ", "cyan", "bold")}${fit(pick.filter, size.columns - 3)}`,
  ];
  return {
    lines: ["", ...head, ...list, keys, status],
    cursor: { x: 2 + Math.min(widthOf(pick.filter), size.columns - 3), y: 2 },
  };
}
