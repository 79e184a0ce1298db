/** The single entry point of recall: takes a question, returns memories, best first. */
import { messageOf } from "../core/errors.ts";
import type { Kind, Origin, Trust } from "../core/memory.ts";
import type { MemoryFilter, StatedFact } from "../core/ports/search.ts";
import type { Embedding } from "../core/senses.ts";
import { type Candidate, candidatesOf, type QueryEmbeddings } from "./candidates.ts";
import { distinctHits } from "./distinct.ts";
import { labelled, newerFirst, replacementsIn } from "./doubts.ts";
import { aboveFloor, FEWEST_TEXTS } from "./floor.ts";
import {
  fuse,
  namedParts,
  type Question,
  relevance,
  type Scored,
  type ScorePart,
  type Shown,
} from "./fuse.ts";
import { inTime } from "./in-time.ts";
import { LastDays } from "./last-days.ts";
import { asksOfPast, latestFirst } from "./latest-first.ts";
import { outdatedSince } from "./outdated.ts";
import { ownFirst } from "./own-first.ts";
import type { RecallPorts } from "./ports.ts";
import { parseQuery, type Query } from "./query.ts";
import { withEnded } from "./replaced.ts";
import { rerank } from "./rerank.ts";
import { compareSenses } from "./senses.ts";
import { withUnembedded } from "./unembedded.ts";
import { readsWell, WEIGHTS, type Weights, weightsFor } from "./weights.ts";

export type RecallMode = "both" | "text" | "semantic";

export interface RecallRequest {
  readonly query: string;
  readonly mode: RecallMode;
  readonly limit: number;
  readonly filter: MemoryFilter;
  /** Drops hits below this score, and disables the floor. */
  readonly minScore?: number | undefined;
  /** For people and agents: returns nothing if nothing is relevant, and removes copies. */
  readonly selective?: boolean;
  /** Only the best chunk of each memory. */
  readonly onePerMemory?: boolean;
  readonly weights?: Weights;
  /** Only memories that have all of these, besides those that the query names. */
  readonly tags?: readonly string[];
}

export interface RecallHit {
  readonly kind: Kind;
  /** "collection/id" for a document. */
  readonly source: string;
  readonly origin: Origin;
  /** Documents only; null for other kinds. */
  readonly title: string | null;
  /** "Title > Section". */
  readonly heading: string;
  /** The stored text. */
  readonly text: string;
  /** The line in the document's content where it starts. */
  readonly line: number;
  readonly tags: readonly string[];
  readonly speaker: string | null;
  readonly session: string | null;
  readonly at: number | null;
  readonly trust: Trust;
  readonly score: number;
  readonly parts: readonly ScorePart[];
  /** Matched only by fuzzy spelling. */
  readonly guessed: boolean;
  /** The newer fact that may replace this one, until a person decides. */
  readonly mayBeOutdatedBy?: string;
  /** For a fact: its last day, or the day on which another one replaced it. */
  readonly until?: string;
  /** For an ended fact, shown because the question is about the past. */
  readonly replacedBy?: string;
  readonly unconfirmed?: boolean;
}

export interface RecallResult {
  readonly query: Query;
  readonly hits: RecallHit[];
  /** Whether vectors were used. */
  readonly byMeaning: boolean;
}

/** What the request means here and now. */
interface Asked {
  readonly query: Query;
  /** The people whom the query names, in lower case. */
  readonly speakers: ReadonlySet<string>;
  readonly embeddings: QueryEmbeddings;
  /** Whether vectors are used. */
  readonly byMeaning: boolean;
  readonly filter: MemoryFilter;
  readonly now: number;
  /** The time that the query is about, at the latest. */
  readonly asOf: number;
  readonly lastDays: LastDays;
  readonly weights: Weights;
}

interface Ranking {
  /** Best first. */
  readonly ranked: readonly Scored[];
  readonly question: Question;
  /** The facts that came from messages. */
  readonly facts: ReadonlyMap<Candidate, readonly StatedFact[]>;
}

export async function recall(ports: RecallPorts, request: RecallRequest): Promise<RecallResult> {
  const asked = await readRequest(ports, request);
  const { query, byMeaning, weights } = asked;
  const { ranked, question, facts } = atOnce(ports, () => rankCandidates(ports, request, asked));
  const partsOf = (one: Scored) => namedParts(one, question, weights);
  const read = (some: readonly Scored[]) => withTexts(ports, some);
  const reranked = request.mode === "both" ? await rerank(ports, ranked, { query, partsOf, read }) : ranked;
  const { minScore } = request;
  const good = minScore === undefined ? reranked : reranked.filter(({ score }) => score >= minScore);
  const hits = atOnce(ports, () => presentHits(ports, request, asked, { ranked: good, question, facts }));
  return { query, hits, byMeaning };
}

async function readRequest(ports: RecallPorts, request: RecallRequest): Promise<Asked> {
  const now = ports.clock();
  const query = parseQuery(request.query, now, request.tags ?? []);
  const speakers = speakersIn(ports, query);
  const embeddings: QueryEmbeddings =
    request.mode === "text" ? new Map() : await embeddingsOf(ports, query, speakers);
  const isHosted = ports.workspaces.some(({ hosted }) => hosted !== undefined && hosted.length > 0);
  const filter = query.tags.length === 0 ? request.filter : { ...request.filter, tags: query.tags };
  return {
    ...{ query, speakers, embeddings, filter },
    byMeaning: embeddings.size > 0 || isHosted,
    now: now.getTime(),
    asOf: Math.min(now.getTime(), filter.until ?? Infinity, query.period?.until ?? Infinity),
    lastDays: new LastDays(ports),
    weights: weightsFor(query.meaning, ports.embedders[0]?.model, request.weights ?? WEIGHTS),
  };
}

function speakersIn({ workspaces }: RecallPorts, { words }: Query): Set<string> {
  const names = workspaces.flatMap(({ search }) => search.speakersNamed(words));
  return new Set(names.map((name) => name.toLowerCase()));
}

function rankCandidates(ports: RecallPorts, request: RecallRequest, asked: Asked): Ranking {
  const { query, speakers, embeddings, byMeaning, filter, now, asOf, lastDays, weights } = asked;
  const candidates = candidatesOf(ports.workspaces, {
    ...{ query, filter, embeddings },
    byWords: request.mode !== "semantic" || !byMeaning,
    limit: request.limit,
  }).filter((candidate) => !lastDays.isOver(candidate, asOf));
  const facts = factsIn(ports, candidates);
  const endedAt = endedIn(ports, facts, query.words, asOf);
  const question: Question = { period: query.period, speakers, now, endedAt };
  const fused = fuse(candidates, question, weights);
  const ranked = withUnembedded(compareSenses(ports.workspaces, fused, embeddings, weights), weights);
  return { ranked: relevantOf(ports, request, asked, { ranked, question }), question, facts };
}

/** The candidates above the floor, if the request has one. */
function relevantOf(
  ports: RecallPorts,
  { mode, minScore, selective }: RecallRequest,
  { query, speakers, byMeaning, weights }: Asked,
  { ranked, question }: Pick<Ranking, "ranked" | "question">,
): readonly Scored[] {
  if (minScore !== undefined || !selective) return ranked;
  const judging = {
    contentWords: query.words.filter((word) => !speakers.has(word)).length + query.prefixes.length,
    byMeaning,
    readsWell: mode === "semantic" || readsWell(ports.embedders[0]?.model, query.language),
  };
  const canJudge =
    (byMeaning && judging.readsWell) ||
    ports.workspaces.some(({ search }) => search.holdsAtLeast(FEWEST_TEXTS));
  return canJudge ? aboveFloor(ranked, query, judging, question, weights) : ranked;
}

/** A newer fact may have other words than the question, and so a lower score than the older one that it replaces. */
const LOOKED_AT = 2;

/** The hits with their texts and labels. For a selective request without copies, and the latest of several states first. */
function presentHits(
  ports: RecallPorts,
  { limit, onePerMemory = false, selective }: RecallRequest,
  { query, embeddings, filter, now, asOf, lastDays, weights }: Asked,
  { ranked, question, facts }: Ranking,
): RecallHit[] {
  const similarity = similarityIn(ports, [...embeddings.keys()]);
  const factsOf = (message: Candidate) => facts.get(message) ?? [];
  const copies = {
    factsOf,
    relevance: (candidate: Candidate) => relevance(candidate, weights),
    words: query.words,
  };
  const distinct = distinctHits(ranked, {
    ...{ onePerMemory, similarity },
    limit: selective ? limit * LOOKED_AT : limit,
    read: (some) => withTexts(ports, some),
    ...(selective && { copies }),
  });
  const toHit = (one: Shown): RecallHit => ({
    ...hitOf(one),
    ...lastDays.of(one.candidate),
    parts: namedParts(one, question, weights),
  });
  const shown = (ordered: readonly Shown[]): RecallHit[] =>
    newerFirst(ports, labelled(ports, ordered.map(toHit)), filter);
  if (!selective) return shown(distinct).slice(0, limit);
  const mayReplace = replacementsIn(ports, distinct, factsOf, { words: query.words, asOf });
  const found = shown(
    latestFirst(ownFirst(distinct, query), { query, question }, { similarity, mayReplace }),
  );
  const isAboutPast = asksOfPast(query) || (query.period?.until ?? Infinity) < now;
  return (isAboutPast ? withEnded(ports, found, filter, query) : found).slice(0, limit);
}

/** Runs searches on one state of each workspace. */
function atOnce<T>({ workspaces }: RecallPorts, searches: () => T): T {
  return workspaces.reduce<() => T>(
    (inner, { search }) =>
      () =>
        search.atOnce(inner),
    searches,
  )();
}

/** Embeds the query with each embedding model that has vectors. Empty if embedding fails, with one warning. */
async function embeddingsOf(
  ports: RecallPorts,
  query: Query,
  speakers: ReadonlySet<string>,
): Promise<QueryEmbeddings> {
  const serving = new Set(ports.workspaces.flatMap(({ search }) => search.models()));
  const text = withoutNames(query.meaning, speakers);
  const embeddings = new Map<string, Embedding>();
  let failure: unknown = null;
  if (text === "") return embeddings;
  for (const embedder of ports.embedders.filter(({ model }) => serving.has(model))) {
    try {
      const [embedding] = await inTime(embedder.embed([text]));
      if (embedding !== undefined) embeddings.set(embedder.model, embedding);
    } catch (error) {
      failure ??= error;
    }
  }
  if (embeddings.size === 0 && failure !== null) ports.warn(`Keyword search only: ${messageOf(failure)}`);
  return embeddings;
}

/** People's names dominate the vector: "when did Caroline paint" is about painting. */
function withoutNames(text: string, speakers: ReadonlySet<string>): string {
  if (speakers.size === 0) return text;
  const names = new Set([...speakers].flatMap((speaker) => speaker.split(/[^\p{L}\p{N}]+/u)));
  const rest = text
    .replace(/[\p{L}\p{N}]+(?:['’]s)?/gu, (word) => {
      const name = word.toLowerCase().replace(/['’]s$/, "");
      return names.has(name) ? "" : word;
    })
    .replace(/\s+/g, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** The facts that came from messages among the candidates. */
function factsIn(
  { workspaces }: RecallPorts,
  candidates: readonly Candidate[],
): ReadonlyMap<Candidate, readonly StatedFact[]> {
  const facts = new Map<Candidate, readonly StatedFact[]>();
  for (const { origin, search } of workspaces) {
    const said = candidates.filter((one) => one.origin === origin && one.chunk.kind === "message");
    if (said.length === 0) continue;
    const byChunk = Map.groupBy(
      search.factsFrom(said.map(({ chunk }) => chunk.chunkId)),
      ({ chunkId }) => chunkId,
    );
    for (const one of said) {
      const own = byChunk.get(one.chunk.chunkId);
      if (own !== undefined) facts.set(one, own);
    }
  }
  return facts;
}

/** For each message that stated a fact which has ended: when it ended. */
function endedIn(
  { workspaces }: RecallPorts,
  facts: ReadonlyMap<Candidate, readonly StatedFact[]>,
  words: readonly string[],
  asOf: number,
): (candidate: Candidate) => number | null {
  const doubtful = [...facts].filter(([, own]) =>
    own.some(({ endedAt }) => endedAt !== null && endedAt <= asOf),
  );
  const ended = new Map<Candidate, number | null>();
  for (const { origin, search } of workspaces) {
    const own = doubtful.filter(([one]) => one.origin === origin);
    if (own.length === 0) continue;
    const texts = new Map(
      search.texts(own.map(([{ chunk }]) => chunk.chunkId)).map((text) => [text.chunkId, text]),
    );
    for (const [one, stated] of own)
      ended.set(one, outdatedSince(texts.get(one.chunk.chunkId)?.text ?? "", stated, words, asOf));
  }
  return (candidate) => ended.get(candidate) ?? null;
}

function similarityIn({ workspaces }: RecallPorts, models: readonly string[]) {
  const searches = new Map(workspaces.map(({ origin, search }) => [origin, search]));
  return (a: Candidate, b: Candidate): number => {
    if (a.origin !== b.origin) return 0;
    const search = searches.get(a.origin);
    for (const model of models) {
      const similarity = search?.similarity(model, a.chunk.chunkId, b.chunk.chunkId) ?? null;
      if (similarity !== null) return similarity;
    }
    return 0;
  };
}

function withTexts({ workspaces }: RecallPorts, some: readonly Scored[]): Shown[] {
  const texts = workspaces.map(({ origin, search }) => {
    const own = some.filter(({ candidate }) => candidate.origin === origin);
    const shown = search.texts(own.map(({ candidate }) => candidate.chunk.chunkId));
    return [origin, new Map(shown.map((text) => [text.chunkId, text]))] as const;
  });
  const byPlace = new Map(texts);
  return some.flatMap((one) => {
    const shown = byPlace.get(one.candidate.origin)?.get(one.candidate.chunk.chunkId);
    return shown === undefined ? [] : { ...one, shown };
  });
}

function hitOf({ candidate, score, shown }: Shown): Omit<RecallHit, "parts"> {
  const { origin, guessed, chunk } = candidate;
  const { kind, source, title, heading, text, line, tags } = shown;
  const { speaker, session, at, trust } = chunk;
  return {
    ...{ kind, source, origin, title, heading, text, line, tags },
    ...{ speaker, session, at, trust, score, guessed },
  };
}
