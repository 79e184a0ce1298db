/**
 * A horizontal rule. It is short, because a terminal that becomes narrower wraps longer lines: what is drawn would grow past the top
 * of the screen, where it cannot be erased any more.
 */
import { fit, widthOf } from "../editor/graphemes.ts";

/** The narrowest terminal that the chat is made for. */
const LONGEST = 30;

/** "── label ─────"; `start` replaces its first character. */
export function rule(width: number, { label = "", start = "─" } = {}): string {
  const most = Math.max(1, Math.min(LONGEST, width));
  const named = label === "" ? start : `${start}─ ${fit(label, most - 6)} `;
  return fit(named + "─".repeat(Math.max(0, most - widthOf(named))), most);
}
