/** Formats recalled memories for an agent: Markdown within a token budget, each entry with its source. */
import { estimateTokenCount } from "tokenx";
import { blocksOf, bodyOf } from "../core/text/markdown-blocks.ts";
import { plainInline } from "../core/text/plain-text.ts";
import { localDay } from "../util/days.ts";
import type { RecallHit } from "./recall.ts";

interface RecallContext {
  readonly text: string;
  readonly tokens: number;
  readonly included: RecallHit[];
  /** How many hits did not fit. */
  readonly left: number;
}

/** Adds whole entries, best first. If even the best does not fit, it is cut. */
export function toRecallContext(hits: readonly RecallHit[], budget: number): RecallContext {
  const entries: string[] = [];
  const included: RecallHit[] = [];
  let tokens = 0;
  const [first] = hits;
  const strong = withoutWeakHits(hits);
  const isMixed = new Set(strong.map(({ origin }) => origin)).size > 1;
  for (const hit of strong) {
    const entry = entryOf(hit, isMixed);
    const cost = estimateTokenCount(entry) + (entries.length === 0 ? 0 : estimateTokenCount(GAP));
    if (tokens + cost > budget) {
      if (entries.length === 0) break;
      continue;
    }
    entries.push(entry);
    included.push(hit);
    tokens += cost;
  }
  const cut = entries.length > 0 || first === undefined ? "" : cutTo(entryOf(first, isMixed), budget);
  if (first === undefined || cut === "")
    return { text: entries.join(GAP), tokens, included, left: strong.length - included.length };
  return { text: cut, tokens: estimateTokenCount(cut), included: [first], left: strong.length - 1 };
}

/** Hits that score less than this share of the best have little to do with the question. */
const LEAST_SHARE = 0.25;

/** Expects ranked hits, best first. Drops those far below the best. */
export function withoutWeakHits(hits: readonly RecallHit[]): RecallHit[] {
  const enough = (hits[0]?.score ?? 0) * LEAST_SHARE;
  return hits.filter(({ score }) => score >= enough);
}

const GAP = "\n\n";

/** "### notes/auth: Auth > Sessions (2026-11-15)", then the text. */
function entryOf(hit: RecallHit, isMixed: boolean): string {
  const head = `### ${describe(hit, isMixed)}`;
  const text = (hit.kind === "document" ? withoutHeadings(hit.text, hit.heading) : hit.text).trim();
  return text === "" ? head : `${head}\n\n${text}`;
}

/** Adds the origin only if hits of the project and of the home workspace are mixed. */
function describe(
  { kind, source, heading, speaker, session, at, origin, until, unconfirmed, mayBeOutdatedBy }: RecallHit,
  isMixed: boolean,
): string {
  const day = at === null ? [] : [localDay(new Date(at).toISOString())];
  const end = until === undefined ? [] : [`until ${until}`];
  const doubt = mayBeOutdatedBy === undefined ? [] : [`may be outdated by fact ${mayBeOutdatedBy}`];
  const marks = [
    ...(unconfirmed ? ["unconfirmed"] : []),
    ...doubt,
    ...day,
    ...end,
    ...(isMixed ? [origin] : []),
  ];
  const when = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  if (kind === "document") return `${source}${heading === "" ? "" : `: ${heading}`}${when}`;
  const what = kind === "fact" ? `fact ${source}` : kind;
  const who = speaker === null ? what : `${what} of ${speaker}`;
  return `${who}${session === null ? "" : `, session ${session}`}${when}`;
}

/** Removes leading headings that the heading path already names. */
function withoutHeadings(text: string, path: string): string {
  const named = path.split(" > ");
  let start = 0;
  for (const block of blocksOf(text)) {
    if (block.kind !== "heading" || !isNamed(plainInline(bodyOf(text, block)), named)) break;
    start = block.end;
  }
  return text.slice(start);
}

/** A heading path truncates long headings. */
function isNamed(heading: string, named: readonly string[]): boolean {
  const said = heading.toLowerCase();
  return named.some((part) => {
    const name = part.toLowerCase();
    return name === said || (name.endsWith("…") && said.startsWith(name.slice(0, -1)));
  });
}

/** Cuts to the budget, at a nearby space if there is one; "" if hardly anything would fit. */
function cutTo(text: string, budget: number): string {
  const characters = Array.from(text);
  let length = characters.length;
  const shown = () => `${characters.slice(0, length).join("")} …`;
  while (length > 0 && estimateTokenCount(shown()) > budget) length = Math.floor(length * 0.9);
  if (length < SHORTEST) return "";
  const space = characters.lastIndexOf(" ", length);
  if (space > length * 0.8) length = space;
  return shown();
}

/** A shorter excerpt is not worth showing. */
const SHORTEST = 60;
