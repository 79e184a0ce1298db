/** The question whether a tool may do what it wants to. A bar on its left, so that nothing is drawn to the terminal's edge. */

import { wrapText } from "../ansi-wrap.ts";
import type { Approval } from "../chat-shape.ts";
import { widthOf } from "../graphemes.ts";
import { oneLine } from "../visible.ts";
import type { Look } from "./look.ts";
import { previewLines } from "./preview.ts";

const MOST_PREVIEW = 15;
const OUTSIDE = "Outside the working directory.";

/** `room` is how many lines there are for it; the summary and the keys are always among them. */
export function approvalLines(
  approval: Approval,
  isArmed: boolean,
  width: number,
  room: number,
  look: Look,
): string[] {
  const { paint } = look;
  const inner = Math.max(1, width - 2);
  const keys = keyLines(approval, isArmed, inner, look);
  const warnings = [
    ...(approval.outside ? [OUTSIDE] : []),
    ...(approval.caution === undefined ? [] : [approval.caution]),
  ];
  const warning = warnings.flatMap((text) => wrapText(paint(`! ${oneLine(text)}`, "yellow", "bold"), inner));
  const summary = wrapText(paint(`Allow: ${oneLine(approval.summary)}`, "bold"), inner);
  const [whole, preview] = approval.isWhole
    ? [[], []]
    : [summary, previewLines(approval.preview, inner, look)];
  const head = [...summary.slice(0, Math.max(1, room - keys.length - warning.length - 2)), ...warning];
  const most = Math.max(0, Math.min(MOST_PREVIEW, room - head.length - keys.length));
  const shown = preview.length > most ? preview.slice(0, Math.max(0, most - 1)) : preview;
  const hidden = preview.length - shown.length + Math.max(0, whole.length + warning.length - head.length);
  const more = `… ${hidden} more ${hidden === 1 ? "line" : "lines"} · v shows all`;
  const rest = hidden === 0 ? [] : [paint(widthOf(more) <= inner ? more : `… ${hidden} more: v`, "dim")];
  const bar = paint("│", "yellow");
  return [...head, ...shown, ...rest, ...keys].map((line) => `${bar} ${line}`);
}

function keyLines(
  { pattern, drawnAt }: Approval,
  isArmed: boolean,
  width: number,
  { paint }: Look,
): string[] {
  if (!isArmed) return [paint(drawnAt === null ? "…" : "Stop typing to answer.", "dim")];
  const key = (letter: string, text: string) => `${paint(letter, "bold", "yellow")} ${text}`;
  const session = pattern === null ? [] : [key("a", `for this session: ${oneLine(pattern)}`)];
  const line = [key("y", "once"), ...session, key("n", "no")].join(" · ");
  if (widthOf(line) <= width) return [line];
  return [`${key("y", "once")} · ${key("n", "no")}`, ...session.flatMap((one) => wrapText(one, width))];
}
