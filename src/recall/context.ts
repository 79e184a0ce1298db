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

/** What is worth starting a cut memory for. */
const LEAST_CUT_TOKENS = 40;

/** The best first, each whole; where not even one fits, as much of it as does. */
export function toRecallContext(hits: readonly RecallHit[], budget: number): RecallContext {
  const entries: string[] = [];
  const included: RecallHit[] = [];
  let tokens = 0;
  for (const hit of hits) {
    const entry = entryOf(hit, hit.text.trim());
    const cost = estimateTokenCount(entry);
    if (tokens + cost > budget) continue;
    entries.push(entry);
    included.push(hit);
    tokens += cost;
  }
  const [first] = hits;
  if (entries.length === 0 && first !== undefined && budget >= LEAST_CUT_TOKENS) {
    const entry = entryOf(first, cutTo(first.text.trim(), budget - estimateTokenCount(entryOf(first, ""))));
    return { text: entry, tokens: estimateTokenCount(entry), included: [first], left: hits.length - 1 };
  }
  return { text: entries.join("\n\n"), tokens, included, left: hits.length - included.length };
}

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

function cutTo(text: string, tokens: number): string {
  let length = text.length;
  while (length > 0 && estimateTokenCount(text.slice(0, length)) > tokens) length = Math.floor(length * 0.8);
  return length === text.length ? text : `${text.slice(0, text.lastIndexOf(" ", length) || length)} …`;
}
