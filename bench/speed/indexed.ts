/** Generated memories in Retain's index, without files and embedding model: their vectors are given. */
import { statSync } from "node:fs";
import type { Embedder } from "../../src/core/ports/documents.ts";
import { type Embedding, sensesOf } from "../../src/core/senses.ts";
import type { RecallPorts } from "../../src/recall/ports.ts";
import { type RecallMode, recall } from "../../src/recall/recall.ts";
import { SqliteMemoryIndex } from "../../src/sqlite/chunks/chunks.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { SqliteMemorySearch } from "../../src/sqlite/search/memory-search.ts";
import { SqliteEmbeddingQueue } from "../../src/sqlite/search/pending.ts";
import { SqliteRecallLog } from "../../src/sqlite/search/recalls.ts";
import type { Batch } from "./generate.ts";

export interface EmbeddedQuestion {
  readonly query: string;
  readonly embedding: Embedding;
}

const MODEL = "generated";
/** Of a fact and of a question, on average. */
const TOKENS = 25;
const TOKENS_ASKED = 10;

export function asked(query: string, vector: Float32Array): EmbeddedQuestion {
  return { query, embedding: embeddingOf(vector, TOKENS_ASKED) };
}

/** As if its tokens were rotations of the vector. */
function embeddingOf(vector: Float32Array, tokens: number): Embedding {
  const { length } = vector;
  const all = new Float32Array(tokens * length);
  for (let token = 0; token < tokens; token++) {
    all.set(vector.subarray(token), token * length);
    all.set(vector.subarray(0, token), (token + 1) * length - token);
  }
  return { vector, senses: sensesOf(all, length) };
}

const NOW = new Date("2026-11-15T12:00:00Z");

export class IndexedMemories {
  /** In ms, over all batches. */
  writing = 0;
  storingVectors = 0;
  readonly #database: WorkspaceDatabase;
  readonly #index: SqliteMemoryIndex;
  readonly #queue: SqliteEmbeddingQueue;
  readonly #ports: RecallPorts;
  #asked: Embedding = embeddingOf(new Float32Array(0), 0);

  constructor(readonly path: string) {
    const warn = (message: string) => console.error(message);
    this.#database = new WorkspaceDatabase(path, () => {}, warn);
    this.#index = new SqliteMemoryIndex(this.#database);
    this.#queue = new SqliteEmbeddingQueue(this.#database, { id: process.pid, isAlive: () => true });
    const embedder: Embedder = { model: MODEL, embed: async () => [this.#asked], close() {} };
    const search = new SqliteMemorySearch(this.#database);
    const log = new SqliteRecallLog(this.#database);
    this.#ports = {
      workspaces: [{ origin: "home", search, queue: this.#queue, log }],
      embedders: [embedder],
      clock: () => NOW,
      warn,
    };
  }

  async add({ first, texts, vectors }: Batch): Promise<void> {
    if (first === 0) await this.#queue.useModel(MODEL);
    let start = performance.now();
    await this.#database.exclusively(() => {
      for (const [offset, text] of texts.entries()) this.#index.put(memory(first + offset, text));
    });
    this.writing += performance.now() - start;
    const taken = await this.#queue.take(texts.length, NOW, true);
    start = performance.now();
    await this.#queue.store(
      MODEL,
      taken.map((chunk, offset) => ({
        chunk,
        passages: [embeddingOf(vectors[offset] as Float32Array, TOKENS)],
      })),
    );
    this.storingVectors += performance.now() - start;
  }

  async put(number: number, text: string): Promise<void> {
    await this.#database.exclusively(() => this.#index.put(memory(number, text)));
  }

  async ask(mode: RecallMode, { query, embedding }: EmbeddedQuestion): Promise<void> {
    this.#asked = embedding;
    await recall(this.#ports, { query, mode, limit: 10, filter: {} });
  }

  /** Returns the size on disk, in bytes. */
  close(): number {
    this.#database.close();
    return statSync(this.path).size;
  }
}

function memory(number: number, text: string) {
  return {
    kind: "fact" as const,
    source: `fact-${number}`,
    scope: "",
    tags: [],
    session: null,
    speaker: null,
    at: NOW.getTime() - number * 60_000,
    trust: "stated" as const,
    importance: 0.5,
    chunks: [{ heading: "", text, line: 1 }],
    neighbours: "",
  };
}
