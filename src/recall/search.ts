/** Search for people and programs: checks the options, updates the index, runs recall and returns plain fields. */

import { namedMoment } from "../core/dates/named-time.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import { documentOfSource, KINDS, type Kind, type MemoryRef, type Origin } from "../core/memory.ts";
import type { Embedder } from "../core/ports/documents.ts";
import type { MemoryFilter, SaidHere } from "../core/ports/search.ts";
import type { TagRule } from "../core/tag-rule.ts";
import { vectorsOnce } from "../core/vectors-once.ts";
import { nearest } from "../util/text.ts";
import { catchUp } from "./catch-up.ts";
import { toRecallContext } from "./context.ts";
import { FetchedSearch, passes } from "./fetched-search.ts";
import { forSearch } from "./in-time.ts";
import type { HostedHits, RecallPorts, RecallWorkspace } from "./ports.ts";
import { parseQuery } from "./query.ts";
import { type RecallHit, type RecallMode, type RecallResult, recall } from "./recall.ts";

export interface SearchOptions {
  /** Default: "both". */
  mode?: RecallMode;
  /** Only documents of this collection. */
  collection?: string;
  /** Conditions on documents' fields, as in `list`. */
  filters?: readonly string[];
  kinds?: readonly Kind[];
  /** Only memories that have all of these. */
  tags?: readonly string[];
  /** Only memories whose tags match this rule. */
  tagRule?: TagRule;
  /** When the question is asked, in ISO 8601: "last week" is the week before. Default: now. */
  askedAt?: string;
  /** A day ("2026-01-31"), a month, a year, a moment, or words ("last week"). */
  since?: string;
  until?: string;
  /** Only memories of the project, of the home workspace, or of a server's bank. */
  origin?: Origin;
  limit?: number;
  /** Drops hits below this score. Word matches score about 0.7, meaning alone 0.2 to 0.5; see docs/search.md. */
  minScore?: number;
}

export interface RecallOptions extends SearchOptions {
  /** The most tokens for the text. Default: 1,024. */
  budget?: number;
}

/** One matching memory, shown by its best chunk. */
export interface SearchHit extends Omit<RecallHit, "source" | "at"> {
  /** Documents only; null for other kinds. */
  readonly collection: string | null;
  /** The document's id, or the id within the memory's kind. */
  readonly id: string;
  /** When it was said or last changed, ISO 8601. */
  readonly at: string | null;
}

/** What a list says about a hit that isn't certain, or not forever: ", unconfirmed". "" for others. */
export function reservation({ unconfirmed, mayBeOutdatedBy, until }: SearchHit): string {
  return [
    ...(unconfirmed ? [", unconfirmed"] : []),
    ...(until === undefined ? [] : [`, until ${until}`]),
    ...(mayBeOutdatedBy === undefined ? [] : [`, may be outdated by ${mayBeOutdatedBy}`]),
  ].join("");
}

export interface SearchResult {
  readonly hits: SearchHit[];
  /** The searches that ran. */
  readonly by: RecallMode;
  /** The words searched for. */
  readonly words: readonly string[];
  /** Why it searched less than it should, as by words alone; also passed to `onWarning`. */
  readonly warnings: readonly string[];
}

export interface RecalledContext {
  /** Markdown, ready to paste; "" if nothing was found. */
  readonly text: string;
  readonly tokens: number;
  readonly hits: SearchHit[];
  /** How many hits did not fit. */
  readonly left: number;
}

const DEFAULT_LIMIT = 10;
const DEFAULT_BUDGET = 1_024;
/** The most chunks to read; more add little. */
const RECALL_LIMIT = 50;

/** Throws `usage`. */
export async function search(
  ports: RecallPorts,
  query: string,
  options: ScopedOptions,
): Promise<SearchResult> {
  const warnings: string[] = [];
  const warn = (message: string) => {
    warnings.push(message);
    ports.warn(message);
  };
  const { hits, query: parsed, byMeaning } = await ask({ ...ports, warn }, query, options, true);
  const by = byMeaning ? (options.mode ?? "both") : "text";
  return { hits: hits.map(toSearchHit), by, words: parsed.words, warnings };
}

/** The context for an agent. Counts the hits as recalled. Throws `usage`. */
export async function recallContext(
  ports: RecallPorts,
  query: string,
  options: RecallOptions,
): Promise<RecalledContext> {
  const { hits } = await ask(ports, query, { limit: RECALL_LIMIT, ...options }, false);
  const { text, tokens, included, left } = toRecallContext(hits, options.budget ?? DEFAULT_BUDGET);
  await countRecalls(ports.workspaces, included, ports.clock());
  return { text, tokens, hits: included.map(toSearchHit), left };
}

export async function countRecalls(
  workspaces: readonly Pick<RecallWorkspace, "origin" | "log">[],
  recalled: readonly (MemoryRef & Pick<RecallHit, "origin">)[],
  now: Date,
): Promise<void> {
  for (const { origin, log } of workspaces)
    await log?.record(
      recalled.filter((one) => one.origin === origin),
      now,
    );
}

export interface ScopedOptions extends SearchOptions {
  /** Only memories of these chats; "" is the workspace itself. */
  readonly scopes?: readonly string[];
  readonly except?: SaidHere;
}

/** Like `search`, but returns the full hits. */
export async function ask(
  opened: RecallPorts,
  query: string,
  options: ScopedOptions,
  onePerMemory: boolean,
): Promise<RecallResult> {
  if (query.trim() === "")
    throw new RetainError(
      "usage",
      "The query is empty.",
      hint`For example: ${command("search", "token rotation")}`,
    );
  const ports = scoped(opened, options);
  const filter = filterOf(options, ports.clock());
  const mode = options.mode ?? "both";
  // A hosted index may need the same vector.
  const embedders = ports.embedders.map((embedder) => vectorsOnce(forSearch(embedder, ports.workspaces)));
  const fetched = fetchedFor({ ...ports, embedders }, query, filter, options);
  const usable = mode === "text" || (await catchUp({ ...ports, embedders }));
  const { minScore, limit = DEFAULT_LIMIT } = options;
  const serving = usable ? embedders : [];
  const result = await recall(
    { ...ports, workspaces: (await fetched)(serving), embedders: serving },
    {
      query,
      tags: options.tags ?? [],
      mode,
      limit,
      filter,
      minScore,
      selective: true,
      onePerMemory,
    },
  );
  if (mode === "semantic" && !result.byMeaning && usable)
    ports.warn("Nothing is embedded yet, so this was a keyword search.");
  return result;
}

/** Limited to the origin, at the time of the question. */
function scoped({ fetch, hosted, ...ports }: RecallPorts, { askedAt, origin }: ScopedOptions): RecallPorts {
  const isAsked = (other: Origin) => origin === undefined || origin === other;
  return {
    ...ports,
    ...(askedAt !== undefined && { clock: () => new Date(askedAt) }),
    workspaces: ports.workspaces.filter((workspace) => isAsked(workspace.origin)),
    ...(fetch !== undefined && isAsked("bank") && { fetch }),
    ...(hosted !== undefined && isAsked("bank") && { hosted }),
  };
}

/** Hits to request from a bank on a server, enough to choose from. */
const MOST_FETCHED = 50;

/** Queries the servers while the local index is updated. Returns all workspaces with the servers' hits. */
async function fetchedFor(
  { workspaces, fetch, hosted, embedders, clock }: RecallPorts,
  query: string,
  filter: MemoryFilter,
  { mode, tags: wanted = [], filters = [] }: ScopedOptions,
): Promise<(serving: readonly Embedder[]) => readonly RecallWorkspace[]> {
  if (fetch === undefined && hosted === undefined) return () => workspaces;
  const { tags, meaning } = parseQuery(query, clock(), wanted);
  const { kinds = null, since = null, until = null } = filter;
  const text = meaning || query;
  // Filters need a document's fields, which no server returns, and a hosted index has no documents.
  const isHostedAsked =
    hosted !== undefined && mode !== "text" && filters.length === 0 && filter.collection === undefined;
  const [hits, passing] = await Promise.all([
    fetch?.({ query: text, tags, kinds, since, until, limit: MOST_FETCHED }) ?? [],
    isHostedAsked ? hosted({ ...filter, text }, embedders[0]) : () => NOTHING_HOSTED,
  ]);
  const near = passing({ ...filter, tags });
  const elsewhere = near.elsewhere.filter(({ hit }) => passes(hit, { ...filter, tags }));
  const here = workspaces.map((workspace) => {
    const own = near.here.get(workspace.origin);
    return own === undefined ? workspace : { ...workspace, hosted: own };
  });
  const all = [...hits, ...elsewhere.map(({ hit }) => hit)];
  if (all.length === 0) return () => here;
  const cosines = elsewhere.map(({ cosine }, index) => ({ chunkId: hits.length + index, cosine }));
  const documents = filters.length === 0 ? {} : { documents: [] };
  return (serving) => {
    const model = mode === "text" ? null : (serving[0]?.model ?? null);
    const search = new FetchedSearch(all, model, hits.length);
    return [...here, { origin: "bank", search, hosted: cosines, ...documents }];
  };
}

const NOTHING_HOSTED: HostedHits = { here: new Map(), elsewhere: [] };

const EXAMPLES = '2026-01-31, 2026-01, "last week"';

/** Throws `usage` for an unknown kind and for dates that can't be read. */
export function filterOf(
  { collection, kinds, scopes, tagRule, since, until, except }: ScopedOptions,
  now: Date,
): MemoryFilter {
  const from = since === undefined ? undefined : namedMoment(since, "from", now, EXAMPLES);
  const to = until === undefined ? undefined : namedMoment(until, "until", now, EXAMPLES);
  if (from !== undefined && to !== undefined && from > to)
    throw new RetainError("usage", `'${since}' is after '${until}'.`, "Swap them.");
  return {
    ...(collection === undefined ? {} : { collection }),
    ...(kinds === undefined ? {} : { kinds: kinds.map(checkKind) }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(tagRule === undefined ? {} : { tagRule }),
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
    ...(except === undefined ? {} : { except }),
  };
}

function checkKind(kind: string): Kind {
  const known = KINDS.find((candidate) => candidate === kind || `${candidate}s` === kind);
  if (known !== undefined) return known;
  const guess = nearest(kind, KINDS);
  const hint = guess === null ? `One of: ${KINDS.join(", ")}` : `Did you mean '${guess}'?`;
  throw new RetainError("usage", `Unknown kind '${kind}'.`, hint);
}

function toSearchHit({ source, at, ...hit }: RecallHit): SearchHit {
  const { collection, id } =
    hit.kind === "document" ? documentOfSource(source) : { collection: null, id: source };
  return { ...hit, collection, id, at: at === null ? null : new Date(at).toISOString() };
}
