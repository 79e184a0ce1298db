/** Documents, facts and notes as one list, newest first, in pages. */
import { setImmediate } from "node:timers/promises";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { type ChunkText, documentOfSource, type Kind } from "../core/memory.ts";
import type { Clock } from "../core/ports/documents.ts";
import type { MemoryEntry, MemoryFilter, Tally } from "../core/ports/search.ts";
import { passesTags } from "../core/tag-rule.ts";
import { collectionIn } from "../documents/list.ts";
import { listFacts, type OwnedFact } from "../facts/list-facts.ts";
import { filterOf, type SearchOptions } from "../recall/search.ts";
import { snippetOf } from "../recall/snippet.ts";
import { localDay } from "../util/days.ts";
import { wordsIn } from "../util/text.ts";
import { syncWorkspaces } from "./index/update-index.ts";
import type { Wiring } from "./wiring.ts";

/** Conversations have their own list. */
export const LISTED_KINDS = ["document", "fact", "note"] as const satisfies readonly Kind[];
type ListedKind = (typeof LISTED_KINDS)[number];

/** "current" includes unconfirmed facts. Only facts can have ended or be unconfirmed. */
export const MEMORY_STATES = ["current", "ended", "unconfirmed"] as const;
type MemoryState = (typeof MEMORY_STATES)[number];

interface SeenOptions {
  /**
   * The caller's name for the state of the files, if it watches them. With the same one as before, Retain doesn't look at the files
   * again: with 100,000 of them, that takes longer than reading a page.
   */
  seen?: string;
}

export interface MemoryListOptions
  extends SeenOptions,
    Pick<SearchOptions, "collection" | "tags" | "since" | "until"> {
  kinds?: readonly ListedKind[];
  origin?: OwnedFact["origin"];
  /** Default: "current". */
  status?: MemoryState;
  /** Only facts that contain all of these words; a search doesn't find facts that have ended. */
  words?: string;
  offset?: number;
  /** Default: 100. */
  limit?: number;
}

export interface ListedMemory {
  readonly kind: ListedKind;
  readonly origin: OwnedFact["origin"];
  /** Documents only; null for other kinds. */
  readonly collection: string | null;
  readonly id: string;
  /** A document's or note's title; null for a fact. */
  readonly title: string | null;
  /** A fact's text, or the beginning of any other. */
  readonly text: string;
  readonly tags: readonly string[];
  /** ISO 8601; null if unknown. */
  readonly at: string | null;
  readonly unconfirmed: boolean;
  /** When a fact ended; null if it is current. */
  readonly ended_at: string | null;
  /** The id of the fact that may replace a fact, until a person decides; null if none does. */
  readonly may_be_outdated_by: string | null;
}

export interface MemoryPage {
  /** How many match. */
  readonly total: number;
  readonly items: ListedMemory[];
}

export interface MemoryFilters {
  readonly collections: readonly Tally[];
  /** The most frequent tags. */
  readonly tags: readonly Tally[];
}

/** Everything that is needed to sort an entry, and to read the rest later. */
interface Entry {
  readonly origin: OwnedFact["origin"];
  readonly at: number;
  readonly name: string;
  readonly memory: MemoryEntry | OwnedFact;
}

const DEFAULT_LIMIT = 100;
const MOST_TAGS = 200;
const EXCERPT = 200;

export class MemoryList {
  /** The last list, for the next page. */
  #last: { readonly key: string; readonly entries: Promise<readonly Entry[]> } | null = null;

  #seen: string | undefined;

  constructor(
    private readonly wiring: () => Wiring,
    private readonly clock: Clock,
  ) {}

  /** Throws `usage` for dates that can't be read. */
  async page({
    offset = 0,
    limit = DEFAULT_LIMIT,
    seen,
    ...options
  }: MemoryListOptions = {}): Promise<MemoryPage> {
    const wiring = await this.#synced(seen);
    const entries = await this.#entries(wiring, options);
    return { total: entries.length, items: described(wiring, entries.slice(offset, offset + limit)) };
  }

  /** The values that a filter can have. */
  async filters({ seen }: SeenOptions = {}): Promise<MemoryFilters> {
    const wiring = await this.#synced(seen);
    const listings = wiring.readWorkspaces().map(({ listing }) => listing);
    return {
      collections: summed(listings.flatMap((listing) => listing.collections())),
      tags: summed(listings.flatMap((listing) => listing.tags(MOST_TAGS))).sort((a, b) => b.count - a.count),
    };
  }

  async #synced(seen: string | undefined): Promise<Wiring> {
    const wiring = this.wiring();
    if (seen === undefined || seen !== this.#seen) await syncWorkspaces(wiring);
    this.#seen = seen;
    return wiring;
  }

  /** Sorting 100,000 entries takes longer than reading a page of them, so they are kept until memory changes. */
  #entries(wiring: Wiring, options: MemoryListOptions): Promise<readonly Entry[]> {
    const now = this.clock();
    const filter = filterOf(withKnownCollection(wiring, options), now);
    const revisions = wiring.readWorkspaces().map(({ listing }) => listing.revision());
    // Facts end with their last day.
    const key = JSON.stringify([options, filter, revisions, localDay(now.toISOString())]);
    if (this.#last?.key === key) return this.#last.entries;
    const entries = sorted(wiring, options, filter);
    this.#last = { key, entries };
    entries.catch(() => {
      if (this.#last?.entries === entries) this.#last = null;
    });
    return entries;
  }
}

function withKnownCollection(wiring: Wiring, { collection, kinds, ...options }: MemoryListOptions) {
  const workspaces = wiring.readWorkspaces().map((local) => wiring.documentPorts(local));
  const named = collection === undefined ? {} : { collection: collectionIn(workspaces, collection) };
  return { ...options, kinds: kinds ?? LISTED_KINDS, ...named };
}

async function sorted(wiring: Wiring, options: MemoryListOptions, filter: MemoryFilter): Promise<Entry[]> {
  const entries = facts(wiring, options, filter);
  for (const page of stored(wiring, options, filter)) {
    entries.push(...page);
    await setImmediate();
  }
  return entries.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
}

function* stored(
  wiring: Wiring,
  { status, origin: wanted, tags }: MemoryListOptions,
  filter: MemoryFilter,
): Generator<Entry[]> {
  if (status === "ended" || status === "unconfirmed") return;
  const tagged = tags === undefined || tags.length === 0 ? filter : { ...filter, tags };
  for (const { origin, listing } of wiring.readWorkspaces())
    if ((wanted ?? origin) === origin)
      for (const page of listing.entries(tagged))
        yield page.map((memory) => ({ origin, at: memory.at ?? 0, name: memory.source, memory }));
}

function facts(
  wiring: Wiring,
  { status = "current", origin, tags = [], words = "" }: MemoryListOptions,
  { kinds, collection, since = -Infinity, until = Infinity }: MemoryFilter,
): Entry[] {
  if (kinds?.includes("fact") === false || collection !== undefined) return [];
  const wanted = wordsIn(words);
  return listFacts(wiring.factWorkspaces(), {
    which: status === "ended" ? "superseded" : "holding",
    unconfirmed: status === "unconfirmed",
  })
    .filter((fact) => (origin ?? fact.origin) === fact.origin)
    .filter(({ source }) => tags.length === 0 || passesTags(source.tags, { tags, match: "all_strict" }))
    .filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word.toLowerCase())))
    .map((fact) => ({
      origin: fact.origin,
      at: Date.parse(fact.created_at) || 0,
      name: fact.id,
      memory: fact,
    }))
    .filter(({ at }) => at >= since && at <= until);
}

function described(wiring: Wiring, entries: readonly Entry[]): ListedMemory[] {
  const texts = new Map<string, ChunkText>();
  for (const { origin, search } of wiring.readWorkspaces()) {
    const own = entries.flatMap((entry) =>
      entry.origin === origin && "chunkId" in entry.memory ? (entry.memory.chunkId ?? []) : [],
    );
    for (const text of search.texts(own)) texts.set(`${origin} ${text.chunkId}`, text);
  }
  return entries.map(({ origin, memory, at }) => {
    const when = at === 0 ? null : new Date(at).toISOString();
    if (!("chunkId" in memory)) {
      const { id, text, source, file, ended_at, may_be_outdated_by } = memory;
      const unconfirmed = isInferredFile(file);
      return {
        ...{ kind: "fact", origin, collection: null, id, title: null, text },
        ...{ tags: source.tags, at: when, unconfirmed, ended_at, may_be_outdated_by },
      };
    }
    const shown = texts.get(`${origin} ${memory.chunkId}`);
    const isDocument = memory.kind === "document";
    const { collection, id } = isDocument
      ? documentOfSource(memory.source)
      : { collection: null, id: memory.source };
    return {
      ...{ kind: isDocument ? "document" : "note", origin, collection, id },
      title: shown?.title ?? (shown?.heading || id),
      text: snippetOf(shown?.text ?? "", [], EXCERPT),
      ...{ tags: shown?.tags ?? [], at: when, unconfirmed: false, ended_at: null, may_be_outdated_by: null },
    };
  });
}

/** Adds up the values of several workspaces. */
function summed(tallies: readonly Tally[]): Tally[] {
  const counts = new Map<string, number>();
  for (const { name, count } of tallies) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].map(([name, count]) => ({ name, count }));
}
