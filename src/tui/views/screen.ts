/**
 * Everything that may still change, as lines: the current reply above, the input and the status below. Always fewer lines than the
 * terminal has, so that drawing never scrolls: only the end of the current reply is shown until it is finished. One more row stays
 * free at the top, because tmux copies text to its history if it is erased from the first row on.
 */

import { rule } from "../ansi/rule.ts";
import { oneLine } from "../ansi/visible.ts";
import { type AppState, isArmed, isPicking, markedOption } from "../app-state.ts";
import { fit } from "../editor/graphemes.ts";
import { approvalLines } from "./approval.ts";
import { composerView } from "./composer.ts";
import { footerLine } from "./footer.ts";
import { thinkingLines, toolLines, userLines } from "./item.ts";
import { countOf, listLines } from "./list.ts";
import { type Look, readingWidth } from "./look.ts";
import { pickerView } from "./picker.ts";
import { firstLines } from "./preview.ts";
import { spinnerLine, statusLine } from "./status.ts";

export interface Frame {
  readonly lines: readonly string[];
  /** null: none is shown. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

const ASKING_WHY = "Why not? The model will read this";
const MOST_CHOICES = 8;
/** Besides the input and its completions: their number, the keys, the status, the spinner and free rows. */
const OTHER_LINES = 8;
const MOST_QUEUED = 3;
/** Characters shown of the current thinking. */
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
  const top = shown.length - below.lines.length;
  const { cursor } = below;
  return {
    lines: shown.map((line) => fit(line, size.columns)),
    cursor:
      cursor === null || cursor.y + top < 0
        ? null
        : { x: Math.min(cursor.x, size.columns - 1), y: cursor.y + top },
  };
}

/** The current message, thinking, reply and tools. */
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
    .flatMap(({ summary, output }) => [
      ...toolLines(summary, "", "magenta", width, look),
      ...firstLines({ kind: "output", text: output }, width, look, ""),
    ]);
  return [...apart, ...text, ...(running.length === 0 ? [] : ["", ...running])];
}

/** The spinner and the queued lines. */
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
  return [...gap, ...approvalLines(approval, state, width, room - gap.length, look)];
}

/** Rules above and below the input cost two rows, which a low terminal does not have. */
const LEAST_ROWS_FOR_RULES = 14;

function belowLines(state: AppState, look: Look): Frame {
  const { chat, editor, size } = state;
  const isLow = size.rows < LEAST_ROWS_FOR_RULES;
  const status = isLow && chat.approval !== null ? [] : [statusLine(state, look)];
  const foot = [footerLine(state, look), ...status];
  if (chat.busy?.doing === "closing") return { lines: foot, cursor: null };
  const gap = isLow && chat.approval !== null ? [] : [""];
  const reason = chat.approval?.reason ?? null;
  if (chat.approval !== null && reason === null && editor.text === "")
    return { lines: [...gap, ...foot], cursor: null };
  const edge = (start: string) => (isLow ? [] : [look.paint(rule(size.columns, { start }), "dim")]);
  const [top, bottom] = [edge("╭"), edge("╰")];
  const rows = size.rows - top.length - bottom.length;
  const { lines, cursor } =
    reason !== null
      ? composerView({ ...state, editor: reason, search: null }, look, ASKING_WHY)
      : chat.picker !== null && isPicking(state)
        ? pickerView(chat.picker, state, rows, look)
        : composerView(state, look);
  const choices = choiceLines(state, rows - lines.length - OTHER_LINES, look);
  const isAnswering = reason === null && isArmed(state, state.now) && markedOption(state) >= 0;
  return {
    lines: [...gap, ...top, ...lines, ...bottom, ...choices, ...foot],
    cursor: isAnswering ? null : { x: cursor.x, y: cursor.y + gap.length + top.length },
  };
}

function choiceLines({ chat, completion, search, size }: AppState, room: number, look: Look): string[] {
  if (completion === null || chat.approval !== null) return [];
  const items = completion.items.map(({ value, detail }) => ({ label: value, detail }));
  const most = Math.max(1, Math.min(MOST_CHOICES, room));
  const list = listLines(items, completion.index, size.columns, most, look);
  if (search !== null && items.length === 0) return [look.paint("  No matches.", "dim")];
  return items.length <= most
    ? list
    : [...list, look.paint(`  ${countOf(completion.index, items.length)}`, "dim")];
}
