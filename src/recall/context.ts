/** What an agent gets: the recalled memories as Markdown, within a budget of tokens, each with where it is from. */
import { estimateTokenCount } from "tokenx";
import { localDay } from "../util/text.ts";
import type { RecallHit } from "./recall.ts";

export interface RecallContext {
  readonly text: string;
  readonly tokens: number;
  readonly included: RecallHit[];
  /** Did not fit. */
  readonly left: number;
}

/** The best first, each whole; where the best does not fit, as much of it as does. */
export function toRecallContext(hits: readonly RecallHit[], budget: number): RecallContext {
  const entries: string[] = [];
  const included: RecallHit[] = [];
  let tokens = 0;
  const [first] = hits;
  const enough = (first?.score ?? 0) * LEAST_SHARE;
  const worthy = hits.filter(({ score }) => score >= enough);
  for (const hit of worthy) {
    const entry = entryOf(hit, hit.text.trim());
    const cost = estimateTokenCount(entry) + (entries.length === 0 ? 0 : estimateTokenCount(GAP));
    if (tokens + cost > budget) {
      if (entries.length === 0) break;
      continue;
    }
    entries.push(entry);
    included.push(hit);
    tokens += cost;
  }
  const cut =
    entries.length > 0 || first === undefined ? "" : cutTo(entryOf(first, first.text.trim()), budget);
  if (first === undefined || cut === "")
    return { text: entries.join(GAP), tokens, included, left: worthy.length - included.length };
  return { text: cut, tokens: estimateTokenCount(cut), included: [first], left: worthy.length - 1 };
}

/** What scores less than this share of the best has little to do with the question. */
const LEAST_SHARE = 0.25;
const GAP = "\n\n";

/** "### notes/auth > Sessions (2026-11-15)", then the text. */
function entryOf(hit: RecallHit, text: string): string {
  return `### ${describe(hit)}\n\n${text}`;
}

function describe({ kind, source, heading, speaker, session, at }: RecallHit): string {
  const day = at === null ? "" : ` (${localDay(new Date(at).toISOString())})`;
  if (kind === "document") return `${source}${heading === "" ? "" : `: ${heading}`}${day}`;
  const who = speaker === null ? kind : `${kind} of ${speaker}`;
  return `${who}${session === null ? "" : `, session ${session}`}${day}`;
}

/** As many characters as fit, up to the last space where there is one near; "" where hardly any would. */
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

/** Less of a memory than this is not worth showing. */
const SHORTEST = 60;
