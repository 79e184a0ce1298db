/** What recall works with. */

import type { Origin } from "../core/memory.ts";
import type { BackendHit, BackendQuestion } from "../core/ports/backend.ts";
import type { Clock, Embedder, Reranker } from "../core/ports/documents.ts";
import type { EmbeddingQueue, MemorySearch, RecallLog } from "../core/ports/search.ts";

/** A workspace that is read: the project's and the home workspace are read together, and a bank elsewhere. */
export interface RecallWorkspace {
  readonly origin: Origin;
  readonly search: MemorySearch;
  /** What waits for vectors; left out where they are made elsewhere. */
  readonly queue?: EmbeddingQueue;
  readonly log?: RecallLog;
  /** Its documents that pass the filters, as "collection/id"; all where it is left out. */
  readonly documents?: readonly string[];
}

/** Hits of a backend elsewhere; none where it does not answer in time, which is told. */
export type Fetch = (question: Omit<BackendQuestion, "signal">) => Promise<readonly BackendHit[]>;

export interface RecallPorts {
  readonly workspaces: readonly RecallWorkspace[];
  /** Asked beside the workspaces, where memory is held elsewhere too. */
  readonly fetch?: Fetch;
  /** The configured model first; others only serve vectors that it has not replaced yet. Empty: by words alone. */
  readonly embedders: readonly Embedder[];
  /** Reorders the best hits; of one question's ports, one that failed is not asked again. */
  readonly reranker?: Reranker;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}
