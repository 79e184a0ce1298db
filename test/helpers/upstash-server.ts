/**
 * A stand-in for an Upstash Vector index, as its REST documentation describes it: with everything in memory, and with every
 * trouble that a server can make. It embeds text by its words, so texts that share words are near each other.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerWith, bodyOf, headersOf, StandIn } from "./stand-in.ts";

export interface UpstashRequest {
  /** "upsert-data". */
  readonly endpoint: string;
  readonly namespace: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  readonly body: any;
  readonly text: string;
}

export interface UpstashTrouble {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Never answers. */
  readonly hang?: boolean;
  /** Breaks the connection: before anything is done, or after it was done. */
  readonly cut?: "before" | "after";
  /** Only for these. */
  readonly on?: (request: UpstashRequest) => boolean;
}

interface StoredVector {
  readonly id: string;
  readonly vector: readonly number[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly data?: string;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export class UpstashServer extends StandIn<UpstashRequest> {
  readonly namespaces = new Map<string, Map<string, StoredVector>>();
  trouble: UpstashTrouble | null = null;
  token = "ups-token-1234567890";
  dimension = 384;
  similarity = "COSINE";
  /** Whether it has an embedding model of its own. */
  embeds = true;
  /** Eventual consistency: writes are accepted, but no query sees them before `settle`. */
  isBehind = false;
  /** How long an answer takes. */
  latencyMs = 0;
  /** When each request was answered, from its arrival on, in ms. */
  readonly spans: { readonly from: number; readonly to: number }[] = [];
  readonly #unsettled: (() => void)[] = [];

  /** The variables that lead to it. */
  get env(): Record<string, string> {
    return {
      RETAIN_VECTORS: "upstash",
      UPSTASH_VECTOR_REST_URL: this.origin,
      UPSTASH_VECTOR_REST_TOKEN: this.token,
    };
  }

  stored(namespace: string): StoredVector[] {
    return [...(this.namespaces.get(namespace)?.values() ?? [])];
  }

  /** The text of everything stored, sorted. */
  facts(namespace: string): string[] {
    return [...new Set(this.stored(namespace).map(({ metadata }) => String(metadata?.fact)))].sort();
  }

  sent(endpoint: string): UpstashRequest[] {
    return this.requests.filter((request) => request.endpoint === endpoint);
  }

  settle(): void {
    this.isBehind = false;
    for (const work of this.#unsettled.splice(0)) work();
  }

  protected override async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = performance.now();
    const text = (await bodyOf(request)).toString();
    const [, endpoint = "", namespace = ""] = decodeURIComponent(request.url ?? "").split("/");
    const headers = headersOf(request);
    const taken = { endpoint, namespace, headers, text, body: text === "" ? null : JSON.parse(text) };
    this.record(taken);
    const trouble = this.trouble?.on?.(taken) === false ? null : this.trouble;
    if (trouble?.hang === true) return;
    if (trouble?.cut === "before") return void request.socket.destroy();
    if (trouble?.status !== undefined) {
      const { status, body = { error: "trouble", status } } = trouble;
      return answerWith(response, status, body, trouble.headers);
    }
    const reply = this.#answer(taken);
    if (trouble?.cut === "after") return void request.socket.destroy();
    if (this.latencyMs > 0) await Bun.sleep(this.latencyMs);
    this.spans.push({ from, to: performance.now() });
    answerWith(response, reply.status, reply.body);
  }

  #answer({ endpoint, namespace, headers, body }: UpstashRequest): Reply {
    if (headers.authorization !== `Bearer ${this.token}`)
      return failed(401, "Unauthorized: Invalid auth token");
    const items = Array.isArray(body) ? body : [body];
    if (endpoint.endsWith("-data") && !this.embeds)
      return failed(
        422,
        "Embedding data for this index is not allowed. The index must be created with an embedding model to use it.",
      );
    if (endpoint === "info") return this.#info();
    if (endpoint === "upsert" || endpoint === "upsert-data") return this.#upsert(namespace, items);
    if (endpoint === "query" || endpoint === "query-data") return this.#query(namespace, body);
    if (endpoint === "fetch") return this.#fetch(namespace, body);
    if (endpoint === "delete") return this.#delete(namespace, body.ids);
    return failed(404, "Not found");
  }

  #info(): Reply {
    const vectorCount = [...this.namespaces.values()].reduce((sum, { size }) => sum + size, 0);
    const { dimension, similarity: similarityFunction } = this;
    return done({
      vectorCount,
      pendingVectorCount: 0,
      indexSize: 0,
      dimension,
      similarityFunction,
      namespaces: {},
    });
  }

  #upsert(namespace: string, items: readonly Partial<StoredVector>[]): Reply {
    const vectors = items.map((item) => ({ ...item, vector: item.vector ?? this.#embed(item.data ?? "") }));
    for (const { id, vector } of vectors) {
      if (typeof id !== "string" || id === "") return failed(422, "Vector id must be provided");
      if (vector.length !== this.dimension) return this.#wrongDimension(vector.length);
    }
    return this.#write(() => {
      const held = this.namespaces.get(namespace) ?? new Map<string, StoredVector>();
      this.namespaces.set(namespace, held);
      for (const vector of vectors) held.set(vector.id ?? "", vector as StoredVector);
    }, "Success");
  }

  #fetch(
    namespace: string,
    { ids, includeMetadata = false }: { ids: string[]; includeMetadata?: boolean },
  ): Reply {
    const held = this.namespaces.get(namespace);
    return done(
      ids.map((id) => {
        const vector = held?.get(id);
        return vector === undefined ? null : { id, ...(includeMetadata && { metadata: vector.metadata }) };
      }),
    );
  }

  #delete(namespace: string, ids: readonly string[]): Reply {
    const held = this.namespaces.get(namespace);
    const deleted = ids.filter((id) => held?.has(id)).length;
    return this.#write(
      () => {
        for (const id of ids) held?.delete(id);
      },
      { deleted },
    );
  }

  #write(change: () => void, result: unknown): Reply {
    if (this.isBehind) this.#unsettled.push(change);
    else change();
    return done(result);
  }

  #query(
    namespace: string,
    {
      vector,
      data,
      topK,
      filter = "",
      includeMetadata = false,
    }: {
      vector?: number[];
      data?: string;
      topK: number;
      filter?: string;
      includeMetadata?: boolean;
    },
  ): Reply {
    const asked = vector ?? this.#embed(data ?? "");
    if (asked.length !== this.dimension) return this.#wrongDimension(asked.length);
    const found = this.stored(namespace)
      .filter(({ metadata = {} }) => passes(metadata, filter))
      .map(({ id, vector, metadata }) => {
        const score = (1 + cosine(asked, vector)) / 2;
        return { id, score, ...(includeMetadata && { metadata }) };
      });
    return done(found.sort((a, b) => b.score - a.score).slice(0, topK));
  }

  #wrongDimension(length: number): Reply {
    return failed(422, `Invalid vector dimension: ${length}, expected: ${this.dimension}`);
  }

  #embed(text: string): number[] {
    const vector = new Array<number>(this.dimension).fill(0);
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      const at = Number(Bun.hash.xxHash32(word.slice(0, 5)) % this.dimension);
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return vector;
  }
}

function done(result: unknown): Reply {
  return { status: 200, body: { result } };
}

function failed(status: number, error: string): Reply {
  return { status, body: { error, status } };
}

/** The part of the documented syntax that Retain uses: IN, >= and <=, joined with AND. */
function passes(metadata: Readonly<Record<string, unknown>>, filter: string): boolean {
  if (filter === "") return true;
  return filter.split(" AND ").every((condition) => {
    const [, key = "", operator = "", value = ""] = /^(\w+) (IN|>=|<=) (.+)$/.exec(condition) ?? [];
    const held = metadata[key];
    if (operator === "IN") return [...value.matchAll(/'([^']*)'/g)].some(([, one]) => one === held);
    if (operator === "") throw new Error(`not a filter: ${filter}`);
    return typeof held === "number" && (operator === ">=" ? held >= Number(value) : held <= Number(value));
  });
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b) || 1);
}
