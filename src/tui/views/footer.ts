/** The line with the keys that work now. It follows editor/input.ts, which decides what a key does. */

import { approvalOptions, filtered, markedItem } from "../../agent/choices.ts";
import {
  type AppState,
  hasMemoriesToList,
  isArmed,
  isPicking,
  isRunning,
  markedOption,
  OFFER_KEYS,
  offersIn,
} from "../app-state.ts";
import { type Approval, type OpenPicker, runningCall } from "../chat-shape.ts";
import { fit, widthOf } from "../editor/graphemes.ts";
import type { Look } from "./look.ts";

/** A key and what it does; an empty key for a remark. */
type Hint = readonly [key: string, does: string];

const BETWEEN = "   ";

/** The most important keys come first; those that don't fit are left out. */
export function footerLine(state: AppState, { paint }: Look): string {
  const room = state.size.columns - 2;
  if (state.leaveHint) return `  ${paint(fit("Press Ctrl-C again to quit", room), "magenta")}`;
  let used = 0;
  const shown: string[] = [];
  for (const [key, does] of hintsFor(state)) {
    const plain = key === "" ? does : `${key} ${does}`;
    const wide = widthOf(plain) + (shown.length === 0 ? 0 : BETWEEN.length);
    if (used + wide > room) break;
    used += wide;
    shown.push(key === "" ? paint(does, "dim") : `${key} ${paint(does, "dim")}`);
  }
  return `  ${shown.join(BETWEEN)}`;
}

function hintsFor(state: AppState): readonly Hint[] {
  const { chat, completion, search } = state;
  if (chat.busy?.doing === "closing") return [["Ctrl-C", "skip the summary"]];
  if (chat.approval !== null) return approvalHints(chat.approval, state);
  if (chat.picker !== null && isPicking(state)) return pickerHints(chat.picker, state);
  if (search !== null) return SEARCH_HINTS;
  return completion === null ? inputHints(state) : completionHints(completion, state);
}

const SEARCH_HINTS: readonly Hint[] = [
  ["Enter", "put into the input"],
  ["Ctrl-R", "older"],
  ["Esc", "back"],
];

const ANSWERS = { once: "allow once", session: "allow for this session", deny: "deny" } as const;

const REASON_HINTS: readonly Hint[] = [
  ["Enter", "deny"],
  ["Esc", "back"],
];

function approvalHints(approval: Approval, state: AppState): readonly Hint[] {
  const { drawnAt, isWhole, preview, reason } = approval;
  if (reason !== null) return REASON_HINTS;
  if (!isArmed(state, state.now))
    return [["", drawnAt !== null && state.lastKeyAt > drawnAt ? "Stop typing to answer." : "…"]];
  const options = approvalOptions(approval);
  const marked = options[markedOption(state)];
  const hasDraft = state.editor.text !== "";
  return [
    ["↑↓", "choose"],
    [
      "Enter",
      marked === undefined ? "queue" : marked.decision === null ? "say why" : ANSWERS[marked.decision.answer],
    ],
    ["Esc", "deny and stop"],
    ...(hasDraft ? [] : [[`1–${options.length}`, "answer"] as const]),
    ...(isWhole || preview === null ? [] : [["Ctrl-O", "show all"] as const]),
  ];
}

/** Shown once they work: an Enter typed before the list was visible selects nothing. */
function pickerHints({ picker, isDrawn, back }: OpenPicker, { pick }: AppState): readonly Hint[] {
  if (!isDrawn) return [["", "…"]];
  const own = picker.items.flatMap(({ key, label }): Hint[] => (key === undefined ? [] : [[key, label]]));
  const items = filtered(picker, pick.filter);
  const isMarked = items[markedItem(picker, pick)] !== undefined;
  const isFirstStep = !isMarked && items.length > 0 && picker.skip === undefined;
  return [
    ...own,
    ["↑↓", isFirstStep ? "choose, then Enter" : "choose"],
    ...(isMarked ? [["Enter", "select"] as const] : []),
    ["Esc", picker.skip !== undefined ? "skip" : back === null ? "close" : "back"],
    ...(own.length > 0 ? [] : [["", picker.isUnprompted ? "or keep typing" : "type to filter"] as const]),
  ];
}

function completionHints(
  { items, index }: NonNullable<AppState["completion"]>,
  { editor, chat }: AppState,
): readonly Hint[] {
  const completes = index >= 0 && items[index]?.value !== editor.text.trimEnd();
  return [
    ["Tab", "complete"],
    ["↑↓", "choose"],
    ["Enter", completes ? "complete" : chat.busy === null ? "send" : "queue"],
    ["Esc", "close"],
  ];
}

function inputHints(state: AppState): readonly Hint[] {
  const { chat, editor } = state;
  const stops: readonly Hint[] = isRunning(state)
    ? [["Esc", "stop"], ...(runningCall(chat) === null ? [] : [["Ctrl-X", "stop only this call"] as const])]
    : [];
  if (editor.text !== "")
    return [
      ...stops,
      ["Enter", chat.busy === null ? "send" : "queue"],
      ["Ctrl-J", "new line"],
      ...(stops.length > 0 ? [] : [["Ctrl-C", "clear"] as const]),
    ];
  return [
    ...stops,
    ...(chat.queue.length > 0 ? [["↑", "edit the queued message"] as const] : []),
    ...offersIn(state).map(({ name, label }) => [`Ctrl-${OFFER_KEYS[name].toUpperCase()}`, label] as const),
    ...(hasMemoriesToList(state) ? [["Ctrl-T", "memories used"] as const] : []),
    ...(chat.committed.some((item) => item.kind === "tool" && item.shown !== null)
      ? [["Ctrl-O", "tool output"] as const]
      : []),
    ["/", "commands"],
    ...(chat.queue.length > 0 ? [] : [["↑", "history"] as const]),
    ["Ctrl-D", "quit"],
  ];
}
