/**
 * Forgets a text that is too short to search for ("Go", "PIN: 4711"): removes only its own bullets, notes, history, rows, and the
 * marks in messages it came from. Other texts with the same words stay as they are.
 */

import { bulletsOf } from "../../core/facts/bullets.ts";
import { plainFact } from "../../core/facts/fact-text.ts";
import { type Mark, readReply } from "../../core/marks/marks.ts";
import { cjkBigrams } from "../../core/text/cjk.ts";
import type { FactWorkspace } from "../ports.ts";
import { isAllOfNote, type Target } from "./files.ts";

/** A text below all of these limits is too common: "done" may be about anything. */
const LEAST_CHARACTERS = 16;
const LEAST_WORDS = 3;
/** For scripts without spaces. */
const LEAST_PAIRS = 4;

/** Emphasis marks don't count, so that all spellings give the same result. */
export function isLongEnoughToSearch(spelling: string): boolean {
  const text = plainFact(spelling);
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return (
    text.length >= LEAST_CHARACTERS || words.length >= LEAST_WORDS || cjkBigrams(text).length >= LEAST_PAIRS
  );
}

const TAG = /(\[\/?memory\b[^\]]*\]|<\/?(?:chat-)?memory\b[^>]*>)/i;

/** Replaces the text of a message's marks that say only this with "[forgotten]". */
export function withoutOwnMarks(message: string, target: Target): string {
  const counts = new Map<number, number>();
  for (const mark of readReply(message).marks)
    if (isOwnMark(mark, target)) counts.set(mark.at, (counts.get(mark.at) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => b - a)
    .reduce(
      (edited, [at, count]) => edited.slice(0, at) + withoutLines(edited.slice(at), count, target),
      message,
    );
}

function isOwnMark({ kind, title, text }: Mark, target: Target): boolean {
  if (kind === "fact") return target.own.isAllOf(text);
  return title !== null && isAllOfNote(target, { title, text: title === text ? "" : text });
}

/** Replaces the first `count` lines that say only this, ignoring tags and list markers. */
function withoutLines(text: string, count: number, { own }: Target): string {
  let left = count;
  return text
    .split(/(?<=\n)/)
    .map((line) => {
      const parts = line.split(TAG);
      const said = parts.filter((_, index) => index % 2 === 0).join(" ");
      if (left === 0 || !own.isAllOf(bulletsOf(said)[0]?.text ?? said)) return line;
      left--;
      return parts.map((part, index) => (index % 2 === 0 ? own.without(part) : part)).join("");
    })
    .join("");
}

/** The number of its own rows, by table. */
export function ownRows({ facts, traces: { scrub } }: FactWorkspace, target: Target): [string, number][] {
  const known = facts.all().filter(({ id }) => target.ids.has(id)).length;
  const named = scrub.rows((value) => target.ids.has(value));
  const marked = scrub
    .rows((value) => withoutOwnMarks(value, target) !== value)
    .filter(({ table }) => table === "messages");
  const counts: [string, number][] = [...named, ...marked].map(({ table, count }) => [table, count]);
  return known === 0 ? counts : [["facts", known], ...counts];
}

/** Whether a past state of a file has one of its own lines. */
export function hasOwnLine(state: string, { ids, own }: Target): boolean {
  return [...ids].some((id) => state.includes(id)) || bulletsOf(state).some(({ text }) => own.isAllOf(text));
}
