/**
 * Makes hits from a server searchable, so that they are fused by the same rules. Phrases, tags and times are checked again here,
 * since not every backend supports them.
 */

import { type ChunkText, type ChunkTraits, chatsOfTags } from "../core/memory.ts";
import type { BackendHit } from "../core/ports/backend.ts";
import type {
  MeaningList,
  MemoryFilter,
  MemorySearch,
  SaidHere,
  StatedFact,
  WordHit,
  WordQuery,
} from "../core/ports/search.ts";
import { chunkHash } from "../core/ports/vector-index.ts";
import { passesTags } from "../core/tag-rule.ts";
import { holds, termOf, termsOf } from "../core/text/terms.ts";

/** Of this machine's texts, a good answer reaches about this share of the best possible word score (docs/search.md). */
const HOSTED_WORDS = 0.7;

export class FetchedSearch implements MemorySearch {
  /** `model` embeds the query; if null, the server's similarity counts as a word match. */
  constructor(
    private readonly hits: readonly BackendHit[],
    private readonly model: string | null,
    /** From this hit on, they come from a hosted vector index, which knows nothing about words. */
    private readonly firstHosted = hits.length,
  ) {}

  atOnce<T>(searches: () => T): T {
    return searches();
  }

  byWords(query: WordQuery, filter: MemoryFilter): WordHit[] {
    return this.#passing(filter).flatMap(({ chunkId, hit }) => {
      const near = this.model === null ? (hit.cosine ?? 0) : 0;
      const worth = chunkId < this.firstHosted ? 1 : HOSTED_WORDS;
      const score = Math.max(
        hit.words ?? 0,
        near,
        hit.cosine === null ? shareOf(query, hit.text) * worth : 0,
      );
      return score > 0 ? [{ chunkId, score: Math.min(1, score) }] : [];
    });
  }

  withEveryWord(query: WordQuery, filter: MemoryFilter): number[] {
    return this.#passing(filter)
      .filter(({ hit }) => query.words.length > 0 && shareOf(query, hit.text) === 1)
      .map(({ chunkId }) => chunkId);
  }

  asked(): number[] {
    return [];
  }

  holdsAtLeast(count: number): boolean {
    return this.hits.length >= count;
  }

  facts(): [] {
    return [];
  }

  replacedBy(): [] {
    return [];
  }

  doubts(): [] {
    return [];
  }

  endingFacts(): [] {
    return [];
  }

  unconfirmed(): [] {
    return [];
  }

  factsFrom(): StatedFact[] {
    return [];
  }

  hasWord(word: string): boolean {
    return this.hits.some(({ text }) => holds(termsOf(text), [word]));
  }

  byFuzzyWords(): WordHit[] {
    return [];
  }

  byMeaning(model: string, _: Float32Array, filter: MemoryFilter, limit: number): MeaningList | null {
    if (model !== this.model) return null;
    const near = this.#passing(filter).flatMap(({ chunkId, hit: { cosine } }) =>
      cosine === null ? [] : [{ chunkId, cosine }],
    );
    return {
      hits: near.sort((a, b) => b.cosine - a.cosine).slice(0, limit),
      cosineOf: (chunkId) => this.hits[chunkId]?.cosine ?? null,
      meanCosineOf: (chunkId) => this.hits[chunkId]?.cosine ?? 0,
    };
  }

  newest(filter: MemoryFilter, limit: number): number[] {
    return this.#passing(filter)
      .sort((a, b) => (b.hit.at ?? 0) - (a.hit.at ?? 0))
      .slice(0, limit)
      .map(({ chunkId }) => chunkId);
  }

  allowed({ phrases, excluded }: WordQuery, chunkIds: readonly number[]): Set<number> {
    return new Set(
      chunkIds.filter((chunkId) => {
        const terms = termsOf(this.hits[chunkId]?.text ?? "");
        return (
          phrases.every((phrase) => holds(terms, phrase)) && !excluded.some((phrase) => holds(terms, phrase))
        );
      }),
    );
  }

  traits(chunkIds: readonly number[]): ChunkTraits[] {
    return this.#some(chunkIds).map(({ chunkId, hit: { kind, text, session, at, trust } }) => {
      const isSaid = kind === "message";
      return {
        ...{ chunkId, kind, session, at, trust, speaker: null, around: [], importance: 0.5, recalls: 0 },
        length: isSaid ? text.length : 0,
        isQuestion: isSaid && text.trimEnd().endsWith("?"),
      };
    });
  }

  texts(chunkIds: readonly number[]): ChunkText[] {
    return this.#some(chunkIds).map(({ chunkId, hit: { kind, id, text, tags } }) => {
      return {
        chunkId,
        kind,
        source: id,
        text,
        tags,
        title: null,
        heading: "",
        line: 1,
        hash: chunkHash("", text),
      };
    });
  }

  senses(): Map<number, Uint8Array> {
    return new Map();
  }

  similarity(): number | null {
    return null;
  }

  models(): string[] {
    return this.model === null || this.hits.every(({ cosine }) => cosine === null) ? [] : [this.model];
  }

  speakersNamed(): string[] {
    return [];
  }

  #passing(filter: MemoryFilter) {
    return this.#some(this.hits.keys()).filter(({ hit }) => passes(hit, filter));
  }

  #some(chunkIds: Iterable<number>) {
    return [...chunkIds].flatMap((chunkId) => {
      const hit = this.hits[chunkId];
      return hit === undefined ? [] : [{ chunkId, hit }];
    });
  }
}

/** Whether a hit passes a filter, which not every server applies. */
export function passes(
  hit: BackendHit,
  { kinds, scopes, collection, documents, tags, tagRule, since, until, except }: MemoryFilter,
) {
  const held = new Set(hit.tags.map((tag) => tag.toLowerCase()));
  const isDocument = hit.kind === "document";
  const chats = chatsOfTags(hit.tags);
  return (
    (kinds === undefined || kinds.includes(hit.kind)) &&
    (scopes === undefined || (chats.length === 0 ? [""] : chats).some((chat) => scopes.includes(chat))) &&
    (collection === undefined || (isDocument && hit.id.startsWith(`${collection}/`))) &&
    (documents === undefined || (isDocument && documents.includes(hit.id))) &&
    (tags === undefined || tags.every((tag) => held.has(tag))) &&
    (tagRule === undefined || passesTags(hit.tags, tagRule)) &&
    (since === undefined || (hit.at !== null && hit.at >= since)) &&
    (until === undefined || (hit.at !== null && hit.at <= until)) &&
    (except === undefined || !isSaidHere(hit, except))
  );
}

function isSaidHere({ kind, id, session }: BackendHit, here: SaidHere): boolean {
  return session === here.session && (kind === "summary" || (kind === "message" && Number(id) > here.after));
}

/** The share of the query's words in the text, from 0 to 1. */
function shareOf({ words }: WordQuery, text: string): number {
  if (words.length === 0) return 0;
  const held = new Set(termsOf(text).words);
  return words.filter((word) => held.has(termOf(word))).length / words.length;
}
