/** The approval of a tool call, with a bar on its left. */

import { approvalOptions } from "../../agent/choices.ts";
import { oneLine } from "../ansi/visible.ts";
import { wrapText } from "../ansi/wrap.ts";
import { type AppState, isArmed, markedOption } from "../app-state.ts";
import type { Approval } from "../chat-shape.ts";
import { widthOf } from "../editor/graphemes.ts";
import type { Look } from "./look.ts";
import { previewLines } from "./preview.ts";

const MOST_PREVIEW = 15;
const OUTSIDE = "Outside the working directory.";

/** `room` is the number of available lines; the summary and the options always get theirs. */
export function approvalLines(
  approval: Approval,
  state: AppState,
  width: number,
  room: number,
  look: Look,
): string[] {
  const { paint } = look;
  const inner = Math.max(1, width - 2);
  const options = optionLines(approval, state, inner, look);
  const warnings = [
    ...(approval.outside ? [OUTSIDE] : []),
    ...(approval.caution === undefined ? [] : [approval.caution]),
  ];
  const warning = warnings.flatMap((text) => wrapText(paint(`! ${oneLine(text)}`, "magenta", "bold"), inner));
  const summary = wrapText(paint(`Allow: ${oneLine(approval.summary)}`, "bold"), inner);
  const [whole, preview] = approval.isWhole
    ? [[], []]
    : [summary, previewLines(approval.preview, inner, look)];
  const head = [...summary.slice(0, Math.max(1, room - options.length - warning.length - 2)), ...warning];
  const most = Math.max(0, Math.min(MOST_PREVIEW, room - head.length - options.length));
  const shown = preview.length > most ? preview.slice(0, Math.max(0, most - 1)) : preview;
  const hidden = preview.length - shown.length + Math.max(0, whole.length + warning.length - head.length);
  const more = `… ${hidden} more ${hidden === 1 ? "line" : "lines"} · Ctrl-O shows all`;
  const rest = hidden === 0 ? [] : [paint(widthOf(more) <= inner ? more : `… ${hidden} more: ^O`, "dim")];
  const bar = paint("│", "magenta");
  const about = [...head, ...shown, ...rest].slice(0, Math.max(1, room - options.length));
  return [...about, ...options].map((line) => `${bar} ${line}`);
}

/** No option is marked until keys are accepted. */
function optionLines(approval: Approval, state: AppState, width: number, { paint }: Look): string[] {
  const isChosen = approval.reason !== null;
  const last = approvalOptions(approval).length - 1;
  const marked = isChosen ? last : isArmed(state, state.now) ? markedOption(state) : -1;
  return approvalOptions(approval).flatMap(({ label }, index) => {
    const isMarked = index === marked;
    const lines = wrapText(`${index + 1} ${oneLine(label)}`, Math.max(1, width - 2));
    return lines.map((line, at) =>
      isMarked ? paint(`${at === 0 ? "❯" : " "} ${line}`, "bold", "magenta") : `  ${line}`,
    );
  });
}
