/**
 * Searches pending items, because people expect to find what they have just said. Keyword match only; it requires most of the words,
 * since nothing else ranks these hits.
 */

import { documentSource } from "../../core/memory.ts";
import type { BackendHit } from "../../core/ports/backend.ts";
import { cjkBigrams, cjkQueryBigrams } from "../../core/text/cjk.ts";
import type { DocumentIds } from "./document-ids.ts";
import { chatTag, timeOf, trustOf } from "./hits.ts";
import type { WireItem } from "./protocol.ts";
import { isVisible, ownTags } from "./scope-tags.ts";
import { parseTranscript } from "./transcript.ts";

/** The share of the query's words that a text must contain. */
const ENOUGH = 0.6;

export function matching(
  items: readonly WireItem[],
  query: string,
  ids: DocumentIds,
  scope: readonly string[],
): BackendHit[] {
  const wanted = tellingWords(query, cjkQueryBigrams);
  if (wanted.size === 0) return [];
  return items
    .filter(({ tags }) => isVisible(tags, scope))
    .flatMap((item) => bestPart(item, wanted, ids, scope) ?? [])
    .sort((a, b) => (b.words ?? 0) - (a.words ?? 0));
}

function bestPart(
  item: WireItem,
  wanted: ReadonlySet<string>,
  ids: DocumentIds,
  scope: readonly string[],
): BackendHit | null {
  const { document_id, tags, metadata, timestamp } = item;
  const named = ids.read(document_id);
  let best: { text: string; at: string; words: number } | null = null;
  for (const { text, at } of partsOf(item, named?.kind)) {
    const held = tellingWords(text, cjkBigrams);
    const words = [...wanted].filter((word) => held.has(word)).length / wanted.size;
    if (words >= ENOUGH && words > (best?.words ?? 0)) best = { text, at, words };
  }
  if (best === null) return null;
  return {
    id: named?.kind === "document" ? documentSource(named.ref) : document_id,
    kind: named?.kind ?? "fact",
    text: best.text,
    tags: [...ownTags(tags, scope), ...chatTag(metadata)],
    session: metadata.session_id ?? null,
    at: timeOf(best.at) ?? timeOf(timestamp),
    trust: trustOf(metadata.trust),
    cosine: null,
    words: best.words,
  };
}

/** The units of a hit: a turn of a conversation, or a paragraph of a document with its title. */
function partsOf({ content, context, timestamp }: WireItem, kind: BackendHit["kind"] | undefined) {
  if (kind === "message") return parseTranscript(content).map(({ content: text, at }) => ({ text, at }));
  if (kind !== "document") return [{ text: content, at: timestamp }];
  const paragraphs = content.split(/\n\s*\n/).map((text) => ({ text: `${context}: ${text}`, at: timestamp }));
  return paragraphs;
}

function tellingWords(text: string, pairs: (text: string) => string[]): Set<string> {
  const words =
    text
      .toLowerCase()
      .normalize("NFKC")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.length > 1 && !COMMON.has(word));
  const withoutPairs = telling.filter((word) => pairs(word).length === 0);
  return new Set([...withoutPairs, ...pairs(text)]);
}

/** Stop words of questions. */
const COMMON = new Set([
  ..."the an is are was were do does did of in on at to for and or my me we our you your".split(" "),
  ..."it its this that what which who whom when where why how about with".split(" "),
]);
