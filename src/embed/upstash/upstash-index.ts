/**
 * A namespace of an Upstash Vector index. The official client builds the requests; the transport is ours, since the client's own
 * loses the status, follows redirects with the token and has no deadline.
 */
import { Index, type UpstashRequest } from "@upstash/vector";
import { RetainError } from "../../core/errors.ts";
import { KINDS, TRUSTS } from "../../core/memory.ts";
import type {
  VectorHit,
  VectorIndex,
  VectorIndexFailure,
  VectorMemory,
  VectorMetadata,
  VectorQuestion,
  VectorRef,
} from "../../core/ports/vector-index.ts";
import { MOST_PASSAGES } from "../../core/text/passages.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import { oneLine } from "../../util/text.ts";
import { JsonServer, PassingFailure } from "../json-server.ts";

interface UpstashOptions {
  /** UPSTASH_VECTOR_REST_URL. */
  readonly url: string;
  /** UPSTASH_VECTOR_REST_TOKEN. */
  readonly token: string;
  readonly namespace: string;
}

/** What the index itself determines. */
interface UpstashShape {
  readonly dimension: number;
  readonly similarityFunction: string;
}

const TOKEN = "UPSTASH_VECTOR_REST_TOKEN";
const URL_VARIABLE = "UPSTASH_VECTOR_REST_URL";
/** int8 vectors hold no more than this. */
const DECIMALS = 1e4;
const MOST_HITS = 1_000;

type Metadata = Record<string, unknown>;

export class UpstashIndex implements VectorIndex {
  constructor(private readonly options: UpstashOptions) {}

  async upsert(memories: readonly VectorMemory[], signal: AbortSignal): Promise<void> {
    const items = memories.flatMap(({ id, passages, about }) =>
      passages.map(({ text, vector }, index) => {
        const metadata = sent(about, text);
        const named = { id: passageId(id, index), metadata };
        return vector === null ? { ...named, data: text } : { ...named, vector: rounded(vector) };
      }),
    );
    if (items.length === 0) return;
    await this.#asked(signal, (index) => index.upsert(items as Parameters<typeof index.upsert>[0]));
  }

  async remove(refs: readonly VectorRef[], signal: AbortSignal): Promise<void> {
    const ids = refs.flatMap(vectorIds);
    if (ids.length > 0) await this.#asked(signal, (index) => index.delete(ids));
  }

  async nearest(question: VectorQuestion, signal: AbortSignal): Promise<VectorHit[]> {
    const { text, vector, limit } = question;
    const filter = filterOf(question);
    const wanted = {
      topK: Math.min(limit, MOST_HITS),
      includeMetadata: true,
      ...(filter !== "" && { filter }),
    };
    const found: unknown = await this.#asked(signal, (index) =>
      index.query(vector === null ? { ...wanted, data: text } : { ...wanted, vector: rounded(vector) }),
    );
    const best = new Map<string, VectorHit>();
    for (const hit of Array.isArray(found) ? found.flatMap(hitOf) : [])
      if (hit.cosine > (best.get(hit.id)?.cosine ?? -2)) best.set(hit.id, hit);
    return [...best.values()].sort((a, b) => b.cosine - a.cosine);
  }

  /** The text of a memory, put together from its passages if it is long; null if there is none with this id. Throws `remote`. */
  async text(id: string, signal: AbortSignal): Promise<string | null> {
    const ids = vectorIds({ id, passages: MOST_PASSAGES });
    const found: unknown = await this.#asked(signal, (index) => index.fetch(ids, { includeMetadata: true }));
    const texts = (Array.isArray(found) ? found : []).flatMap((one) =>
      isRecord(one) && isRecord(one.metadata) ? (textOf(one.metadata.fact) ?? []) : [],
    );
    return texts.length === 0 ? null : [...new Set(texts)].join(" ");
  }

  /** Throws `remote`. */
  async shape(signal: AbortSignal): Promise<UpstashShape> {
    const { dimension, similarityFunction } = await this.#asked(signal, (index) => index.info());
    return { dimension: Number(dimension), similarityFunction: String(similarityFunction) };
  }

  /** The namespace is part of the path that the client builds. */
  async #asked<T>(
    signal: AbortSignal,
    ask: (index: Pick<Index, "info"> & ReturnType<Index["namespace"]>) => Promise<T>,
  ): Promise<T> {
    const index = new Index({ request: (request: UpstashRequest) => this.#send(request, signal) as never });
    const scoped = Object.assign(index.namespace(this.options.namespace), { info: index.info });
    try {
      return await ask(scoped);
    } catch (error) {
      if (error instanceof RetainError) throw error;
      throw this.#server("").problem("it sent an invalid response", `Check ${URL_VARIABLE}.`);
    }
  }

  async #send({ path = [], body }: UpstashRequest, signal: AbortSignal): Promise<{ result: unknown }> {
    const server = this.#server(`/${path.join("/")}`);
    const { token } = this.options;
    if (!/^[\x21-\x7e]+$/.test(token))
      throw server.problem(`the token in ${TOKEN} is malformed`, `Set ${TOKEN} to the index's token.`);
    try {
      const { response, body: text } = await server.post(body, signal);
      const answer = parseJson(text);
      if (!response.ok) throw refusal(server, response, isRecord(answer) ? answer.error : text);
      if (!isRecord(answer) || answer.result === undefined)
        throw server.problem("it sent an invalid response", `Check ${URL_VARIABLE}.`);
      return { result: answer.result };
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      const what = signal.aborted
        ? "it did not answer in time"
        : `it could not be reached (${error.message})`;
      throw passing(server.problem(what, `Check the network, and ${URL_VARIABLE}.`));
    }
  }

  #server(path: string): JsonServer {
    const { url, token } = this.options;
    return new JsonServer(
      { url, key: token },
      { name: "Upstash index", code: "remote", setting: URL_VARIABLE, path },
    );
  }
}

function refusal(server: JsonServer, response: Response, said: unknown): RetainError {
  const { status, headers } = response;
  if (status === 401 || status === 403)
    return server.problem(
      `it rejected the token in ${TOKEN} (${status})`,
      `Copy the token from the Upstash console to ${TOKEN}.`,
    );
  const quoted = server.quote(typeof said === "string" ? oneLine(said) : "");
  const what = `it answered ${status}${quoted}`;
  const [, advice] = ADVICE.find(([about]) => about.test(quoted)) ?? [];
  if (advice !== undefined) return server.problem(what, advice);
  if (status < 500 && status !== 429) return server.problem(what, `Check ${URL_VARIABLE}.`);
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const asked = seconds >= 0 ? { retryAfterMs: seconds * 1_000 } : {};
  return passing(server.problem(what, "Nothing is lost: Retain tries again later."), asked);
}

const ADVICE: readonly (readonly [about: RegExp, advice: string])[] = [
  [
    /dimension/i,
    "Its vectors have another length than this machine's. Create an index with matching dimensions (384 for MiniLM), or set `upstash_embedding` to `upstash` if it has its own embedding model.",
  ],
  [/embedding/i, "This index has no embedding model of its own: set `upstash_embedding` to `local`."],
];

function passing(error: RetainError, asked: VectorIndexFailure = {}): RetainError {
  const failure: VectorIndexFailure = { isPassing: true, ...asked };
  return Object.assign(error, failure);
}

function vectorIds({ id, passages }: VectorRef): string[] {
  return Array.from({ length: passages }, (_, index) => passageId(id, index));
}

function passageId(id: string, index: number): string {
  return `${id}:${index}`;
}

/** Upstash maps a cosine to 0 to 1. */
function hitOf(found: unknown): VectorHit | [] {
  if (!isRecord(found) || typeof found.id !== "string" || typeof found.score !== "number") return [];
  const id = found.id.replace(/:\d+$/, "");
  return {
    id,
    cosine: found.score * 2 - 1,
    about: isRecord(found.metadata) ? received(found.metadata) : null,
  };
}

/** Without empty fields: metadata is most of what an index of short texts stores. */
function sent(about: VectorMetadata, passage: string): Metadata {
  const { fact, ...others } = about;
  const named = { ...others, fact: fact === "" ? passage : fact };
  return Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== null && value !== "" && String(value) !== ""),
  );
}

/** null if it isn't Retain's. */
function received(metadata: Metadata): VectorMetadata | null {
  const type = KINDS.find((kind) => kind === metadata.type);
  const fact = textOf(metadata.fact);
  if (type === undefined || fact === null) return null;
  const { date, tags } = metadata;
  return {
    ...{ type, fact, session_id: textOf(metadata.session_id), title: textOf(metadata.title) },
    date: typeof date === "number" && Number.isFinite(date) ? date : null,
    category: textOf(metadata.category),
    chat: textOf(metadata.chat) ?? "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    trust: TRUSTS.find((trust) => trust === metadata.trust) ?? "stated",
    until: textOf(metadata.until),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function filterOf({ kinds, since, until }: VectorQuestion): string {
  return [
    ...(kinds === null ? [] : [`type IN (${kinds.map((kind) => `'${kind}'`).join(", ")})`]),
    ...(since === null ? [] : [`date >= ${since}`]),
    ...(until === null ? [] : [`date <= ${until}`]),
  ].join(" AND ");
}

function rounded(vector: Float32Array): number[] {
  return Array.from(vector, (component) => Math.round(component * DECIMALS) / DECIMALS);
}
