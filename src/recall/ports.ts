/** What recall works with. */
import type { Clock, Embedder, EmbeddingQueue, MemorySearch, RecallLog } from "../core/ports.ts";

/** A workspace that is read: the project's and the home workspace are read together. */
export interface RecallWorkspace {
  readonly place: "project" | "home";
  readonly search: MemorySearch;
  readonly queue: EmbeddingQueue;
  readonly log: RecallLog;
  /** Its documents that pass the filters, as "collection/id"; all where it is left out. */
  readonly documents?: readonly string[];
}

export interface RecallPorts {
  readonly workspaces: readonly RecallWorkspace[];
  /** The configured model first; others only serve vectors that it has not replaced yet. Empty: by words alone. */
  readonly embedders: readonly Embedder[];
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}
