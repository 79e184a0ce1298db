/** The ports of recall. */

import type { Origin } from "../core/memory.ts";
import type { BackendHit, BackendQuestion } from "../core/ports/backend.ts";
import type { Clock, Embedder, Reranker } from "../core/ports/documents.ts";
import type {
  EmbeddingQueue,
  MeaningHit,
  MemoryFilter,
  MemorySearch,
  RecallLog,
} from "../core/ports/search.ts";

/** A searched workspace: the project's, the home workspace, or a bank on a server. */
export interface RecallWorkspace {
  readonly origin: Origin;
  readonly search: MemorySearch;
  /** Chunks pending for embedding; undefined if the server embeds. */
  readonly queue?: EmbeddingQueue;
  readonly log?: RecallLog;
  /** Hits of a hosted vector index. It gives only these cosines, and none of other chunks. */
  readonly hosted?: readonly MeaningHit[];
  /** Documents that pass the filters, as "collection/id". Default: all. */
  readonly documents?: readonly string[];
}

/** Hits from a server; empty, with a warning, if it does not answer in time. */
export type Fetch = (question: Omit<BackendQuestion, "signal">) => Promise<readonly BackendHit[]>;

/** Hits of a hosted vector index. */
export interface HostedHits {
  /** Chunks that are on this machine, by workspace. */
  readonly here: ReadonlyMap<Origin, readonly MeaningHit[]>;
  /** Memories that only other machines have. */
  readonly elsewhere: readonly { readonly hit: BackendHit; readonly cosine: number }[];
}

interface HostedQuestion extends Pick<MemoryFilter, "kinds" | "since" | "until"> {
  readonly text: string;
}

/**
 * Asks a hosted vector index. Returns its hits that pass a filter; none, with one warning, if it does not answer in time. `embedder`
 * embeds the text, unless the index does.
 */
export type AskHosted = (
  question: HostedQuestion,
  embedder: Embedder | undefined,
) => Promise<(filter: MemoryFilter) => HostedHits>;

export interface RecallPorts {
  readonly workspaces: readonly RecallWorkspace[];
  /** Queried besides the workspaces if memory is also stored on a server. */
  readonly fetch?: Fetch;
  /** Queried besides the workspaces if vectors are also stored on a hosted index. */
  readonly hosted?: AskHosted;
  /** The configured embedding model first; the others serve vectors that it has not replaced yet. Empty: keyword search only. */
  readonly embedders: readonly Embedder[];
  /** Reorders the best hits. After a failure it is not called again for the same question. */
  readonly reranker?: Reranker;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}
