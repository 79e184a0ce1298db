/** What learning did and cost, as text. */
import type { LearningStatus } from "../app/agent/learning.ts";
import { dollars, plural } from "../util/in-words.ts";
import { oneLine } from "../util/text.ts";

/** Rows for a table. */
export function learningRows({
  model,
  pending,
  today,
  limit,
  limit_reached,
  failure,
}: LearningStatus): string[][] {
  if (model === null) return [["Learning", "off (turn on: retain model learning <model>)"]];
  const { turns, sessions } = pending;
  const waiting =
    turns === 0 ? "nothing pending" : `${plural(turns, "turn")} in ${plural(sessions, "session")} pending`;
  const tokens = `${today.input_tokens + today.output_tokens} tokens`;
  const spent = `${plural(today.calls, "call")}, ${plural(today.facts, "fact")}, ${tokens}, ${dollars(today.cost)} of ${dollars(limit)}`;
  return [
    ["Learning", `${oneLine(model)}; ${waiting}`],
    ["", `today: ${spent}${limit_reached ? "; limit reached, the rest is read tomorrow" : ""}`],
    ...(failure === null ? [] : [["", `last failure: ${oneLine(failure.problem)}`]]),
  ];
}
