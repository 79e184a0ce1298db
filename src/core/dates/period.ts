/**
 * Finds the period that a question names, relative to `now` and in the local time zone. Takes the first unambiguous one; an ambiguous
 * word ("may", "march", a bare number) counts only after a word that makes it a time.
 */
import type { Span } from "./calendar.ts";
import { readTime } from "./expressions.ts";
import type { Reading, Reference, Surroundings, Weak } from "./reading.ts";
import { type Token, tokensOf } from "./words.ts";

export interface Period {
  /** The first millisecond; null for "until ...". */
  readonly from: number | null;
  /** The last millisecond, inclusive; null for "since ...". */
  readonly until: number | null;
  /** The words that name it, verbatim. */
  readonly said: string;
}

type Bounds = Omit<Period, "said">;

/** Words that leave one side open. All other LEADS only introduce a time. */
const upTo = ({ to }: Span): Bounds => ({ from: null, until: to.getTime() - 1 });
const OPEN: ReadonlyMap<string, (span: Span) => Bounds> = new Map([
  ["since", ({ from }) => ({ from: from.getTime(), until: null })],
  ["after", ({ to }) => ({ from: to.getTime(), until: null })],
  ["before", ({ from }) => ({ from: null, until: from.getTime() - 1 })],
  ["until", upTo],
  ["till", upTo],
  ["by", upTo],
]);

const AFTER_ALL = [
  "in",
  "since",
  "before",
  "after",
  "during",
  "by",
  "until",
  "till",
  "between",
  "early",
  "mid",
  "late",
];
const LEADS: ReadonlyMap<Weak, ReadonlySet<string>> = new Map([
  ["month", new Set([...AFTER_ALL, "throughout"])],
  ["year", new Set([...AFTER_ALL, "of", "from", "throughout"])],
  ["weekday", new Set([...AFTER_ALL, "on"])],
  ["season", new Set([...AFTER_ALL, "over", "throughout"])],
  ["quarter", new Set([...AFTER_ALL, "of", "for", "from", "throughout"])],
  ["weekend", new Set([...AFTER_ALL, "on", "over", "at", "for", "from"])],
]);
const ANY_LEAD: ReadonlySet<string> = new Set([
  ...[...LEADS.values()].flatMap((leads) => [...leads]),
  "within",
  "around",
  "about",
]);
/** "The end of May". */
const PARTS: ReadonlySet<string> = new Set([
  "beginning",
  "start",
  "middle",
  "end",
  "week",
  "weekend",
  "month",
  "half",
]);
const WEAK_IN_A_RANGE = "between";

/** null if the text names no period, or if `now` is invalid. */
export function findPeriod(text: string, now: Date): Period | null {
  if (Number.isNaN(now.getTime())) return null;
  const tokens = tokensOf(text);
  for (let index = 0; index < tokens.length; index++) {
    const found = readRange(tokens, now, index) ?? readLed(tokens, now, index);
    if (found === null || !isSound(found.bounds)) continue;
    const said = text.slice(tokens[index]?.start, tokens[found.next - 1]?.end);
    return { ...found.bounds, said };
  }
  return null;
}

interface Found {
  readonly bounds: Bounds;
  readonly next: number;
}

/** "In May 2023", "since March", "yesterday". */
function readLed(tokens: readonly Token[], now: Date, index: number): Found | null {
  const isPart = tokens[index]?.word === "of" && PARTS.has(tokens[index - 1]?.word ?? "");
  const word = isPart ? "in" : (tokens[index]?.word ?? "");
  const lead = ANY_LEAD.has(word) && tokens[index + 1]?.joined === true ? word : "";
  let at = lead === "" ? index : index + 1;
  while (lead !== "" && ["early", "mid", "late"].includes(tokens[at]?.word ?? "")) at++;
  const reading = readTime({ tokens, now, lead }, at);
  if (reading === null || (reading.weak !== undefined && !LEADS.get(reading.weak)?.has(lead))) return null;
  const span = reading.at();
  return span === null ? null : { bounds: (OPEN.get(lead) ?? whole)(span), next: reading.next };
}

const JOINERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["between", new Set(["and"])],
  ["from", new Set(["to", "until", "till", "through"])],
]);

/** "Between 3 May and 10 May 2023", "from Monday to Friday". A year given on one side applies to both. */
function readRange(tokens: readonly Token[], now: Date, index: number): Found | null {
  const joiners = JOINERS.get(tokens[index]?.word ?? "");
  if (joiners === undefined) return null;
  const around = { tokens, now, lead: WEAK_IN_A_RANGE };
  const dayOnly = tokens[index + 1]?.number ?? null;
  const first = readTime(around, index + 1);
  const joinedAt = first?.next ?? index + 2;
  if (!joiners.has(tokens[joinedAt]?.word ?? "")) return null;
  const second = readTime(around, joinedAt + 1);
  const spans = first === null ? daysBefore(dayOnly, second) : bothSides(around, first, second, joinedAt + 1);
  if (spans === null) return null;
  const [a, b] = spans[0].from <= spans[1].from ? spans : [spans[1], spans[0]];
  const to = new Date(Math.max(a.to.getTime(), b.to.getTime()));
  return { bounds: whole({ from: a.from, to }), next: second?.next ?? joinedAt + 2 };
}

/** "Between 3 and 10 May". */
function daysBefore(day: number | null, second: Reading | null): [Span, Span] | null {
  const end = second?.at() ?? null;
  if (day === null || end === null || !isOneDay(end) || day < 1 || day > end.from.getDate()) return null;
  return [dayOfSameMonth(end, day), end];
}

function bothSides(
  { tokens }: Surroundings,
  first: Reading,
  second: Reading | null,
  secondAt: number,
): [Span, Span] | null {
  if (second === null) {
    const start = first.at();
    const day = tokens[secondAt]?.number ?? null;
    const fits =
      start !== null && isOneDay(start) && day !== null && day >= start.from.getDate() && day <= 31;
    return fits ? [start, dayOfSameMonth(start, day)] : null;
  }
  const start = first.at();
  if (start === null) return null;
  const forward: Reference = { earliest: start.from };
  const end = second.open === true && first.open !== true ? second.at(forward) : second.at();
  if (end === null) return null;
  const begun = first.open === true ? first.at({ latest: end.from }) : start;
  return begun === null ? null : [begun, end];
}

function dayOfSameMonth({ from }: Span, day: number): Span {
  const [year, month] = [from.getFullYear(), from.getMonth()];
  return { from: new Date(year, month, day), to: new Date(year, month, day + 1) };
}

function isOneDay({ from, to }: Span): boolean {
  return new Date(from.getFullYear(), from.getMonth(), from.getDate() + 1).getTime() === to.getTime();
}

function whole({ from, to }: Span): Bounds {
  return { from: from.getTime(), until: to.getTime() - 1 };
}

/** Dates too far away are invalid. */
function isSound({ from, until }: Bounds): boolean {
  return !Number.isNaN(from) && !Number.isNaN(until) && (from === null || until === null || from <= until);
}
