/** The search index of the workspaces that are read: keeps it up to date with the files, embeds, and checks it. */
import { existsSync } from "node:fs";
import type { Clock } from "../../core/ports/documents.ts";
import type { SyncCounts } from "../../documents/index-sync.ts";
import type { EmbedCounts, EmbedWatch } from "../../recall/embed-pending.ts";
import type { IndexCounts } from "../../sqlite/database/care.ts";
import type { Wiring } from "../wiring.ts";
import type { DeepCheck, IndexCheck } from "./check-index.ts";
import { reindexWorkspace, syncWorkspaces } from "./update-index.ts";

export interface EmbedResult extends SyncCounts, EmbedCounts {}

export class SearchIndex {
  constructor(
    /** Throws `usage` if the memory is closed. */
    private readonly wiring: () => Wiring,
    private readonly clock: Clock,
  ) {}

  /** Indexes changes on disk. */
  async sync(): Promise<SyncCounts> {
    return syncWorkspaces(this.wiring());
  }

  /** Indexes changes on disk and embeds all chunks that are not embedded yet. */
  async embed(watch: EmbedWatch = {}): Promise<EmbedResult> {
    const synced = await this.sync();
    const { embedAll } = await import("../../recall/embed-pending.ts");
    const wiring = this.wiring();
    const queues = wiring.readWorkspaces().map(({ queue }) => queue);
    return { ...synced, ...(await embedAll(queues, wiring.embedders()[0] ?? null, this.clock, watch)) };
  }

  /** Rebuilds the nearest workspace's index from the files. */
  async rebuild(): Promise<IndexCounts> {
    return reindexWorkspace(this.wiring());
  }

  /** Counts what is in the index, and checks it and the memory files. */
  async check(): Promise<IndexCheck> {
    const { checkIndex } = await import("./check-index.ts");
    return checkIndex(this.wiring());
  }

  /** Reads every file and compares the index with it. */
  async checkDeep(): Promise<DeepCheck[]> {
    const { checkDeep } = await import("./check-index.ts");
    return checkDeep(this.wiring());
  }

  /** Tests the embedding model by embedding a text; null if embedding is off. Throws `embedding`. */
  async probeEmbedder(): Promise<{ name: string; dimensions: number } | null> {
    const [embedder] = this.wiring().embedders();
    if (embedder === undefined) return null;
    const [embedding] = await embedder.embed(["memory"]);
    return { name: embedder.model, dimensions: embedding?.vector.length ?? 0 };
  }

  /** Whether there is nothing to search. A bank on a server or a hosted index counts as filled. */
  isEmpty(): boolean {
    const wiring = this.wiring();
    if (wiring.remote !== null || wiring.hosted() !== null) return false;
    return wiring.readWorkspaces().every(({ care }) => {
      const { documents, chunks } = care.counts();
      return documents + chunks === 0;
    });
  }

  /** The directories of indexed documents and facts; by default only existing ones. */
  directories({ missing = false } = {}): string[] {
    return this.wiring()
      .readWorkspaces()
      .flatMap(({ directories }) => directories)
      .filter((directory) => missing || existsSync(directory));
  }
}
