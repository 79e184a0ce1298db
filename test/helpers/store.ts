/** A real index in a throwaway directory, and recall over it, with vectors that the test chooses. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Memory } from "../../src/core/memory.ts";
import type { Embedder } from "../../src/core/ports/documents.ts";
import { vectorOnly } from "../../src/core/senses.ts";
import { embedPending } from "../../src/recall/embed-pending.ts";
import type { RecallPorts } from "../../src/recall/ports.ts";
import { type RecallRequest, recall } from "../../src/recall/recall.ts";
import { SqliteMemoryIndex } from "../../src/sqlite/chunks/chunks.ts";
import { SqliteMemorySearch } from "../../src/sqlite/search/memory-search.ts";
import { SqliteEmbeddingQueue } from "../../src/sqlite/search/pending.ts";
import { SqliteRecallLog } from "../../src/sqlite/search/recalls.ts";
import { afterThisTest } from "./clean-up.ts";
import { sessionsAt } from "./sessions-at.ts";

export const NOW = new Date(2026, 10, 15, 12);
const DIMENSIONS = 64;

/** Texts that share letters are alike: enough to tell one from another, and chosen by the test's own words. */
export const letters: Embedder = {
  model: "letters",
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(DIMENSIONS);
      for (const character of text.toLowerCase()) {
        const index = character.charCodeAt(0) % DIMENSIONS;
        vector[index] = (vector[index] ?? 0) + 1;
      }
      const length = Math.hypot(...vector) || 1;
      return vectorOnly(vector.map((value) => value / length));
    }),
  close() {},
};

export class Store {
  readonly directory = mkdtempSync(join(tmpdir(), "retain-store-"));
  readonly warnings: string[] = [];
  readonly #at = sessionsAt(this.directory, (message) => this.warnings.push(message));
  readonly database = this.#at.database;
  readonly index = new SqliteMemoryIndex(this.database);
  readonly sessions = this.#at.sessions;
  readonly search = new SqliteMemorySearch(this.database);
  readonly log = new SqliteRecallLog(this.database);

  constructor(readonly embedders: Embedder[] = []) {
    afterThisTest(() => this.close());
  }

  queue(id = 1, isAlive = (_id: number) => true): SqliteEmbeddingQueue {
    return new SqliteEmbeddingQueue(this.database, { id, isAlive });
  }

  async put(...memories: (Partial<Memory> & { text: string })[]): Promise<void> {
    await this.database.exclusively(() => {
      for (const memory of memories) this.index.put(memoryOf(memory));
    });
  }

  async embed(): Promise<void> {
    for (const embedder of this.embedders) await embedPending(this.queue(), embedder, () => NOW);
  }

  get ports(): RecallPorts {
    return {
      workspaces: [{ origin: "home", search: this.search, queue: this.queue(), log: this.log }],
      embedders: this.embedders,
      clock: () => NOW,
      warn: (message) => this.warnings.push(message),
    };
  }

  async ask(query: string, more: Partial<RecallRequest> = {}): Promise<string[]> {
    const { hits } = await recall(this.ports, { query, mode: "both", limit: 10, filter: {}, ...more });
    return hits.map(({ text }) => text);
  }

  close(): void {
    this.#at[Symbol.dispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function memoryOf({ text, ...memory }: Partial<Memory> & { text: string }): Memory {
  return {
    kind: "fact",
    source: text,
    scope: "",
    tags: [],
    session: null,
    speaker: null,
    at: null,
    trust: "stated",
    importance: 0.5,
    chunks: [{ heading: "", text, line: 1 }],
    neighbours: "",
    ...memory,
  };
}
