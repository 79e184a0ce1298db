/** The models that recall uses, as the settings name them: embedding models and a reranker. */
import { cacheDirectory } from "../config/cache.ts";
import type { Embedder, Reranker } from "../core/ports/documents.ts";
import { openReranker } from "../embed/endpoint/rerank.ts";
import { openEmbedder } from "../embed/open.ts";
import type { WiringOptions } from "./wiring-options.ts";

export class RankingModels {
  #embedders: Embedder[] | null = null;

  constructor(private readonly options: WiringOptions) {}

  /** The configured embedding model. With an endpoint also MiniLM, for vectors not replaced yet. */
  embedders(): Embedder[] {
    const { embedders: shared } = this.options;
    if (shared !== undefined) return shared();
    this.#embedders ??= this.#open();
    return this.#embedders;
  }

  #open(): Embedder[] {
    const { config, surroundings, warn, responsive = false } = this.options;
    const { embedding, embedding_url, embedding_model, embedding_key_env } = config.settings;
    const embedding_key = surroundings.env[embedding_key_env] ?? "";
    const kinds = embedding === "endpoint" ? (["endpoint", "minilm"] as const) : [embedding];
    const around = { cacheDirectory: cacheDirectory(surroundings), inHelper: responsive, warn };
    return kinds.flatMap((kind) => {
      const wanted = { embedding: kind, embedding_url, embedding_model, embedding_key };
      return openEmbedder(wanted, around) ?? [];
    });
  }

  reranker(): Reranker | null {
    const { config, surroundings } = this.options;
    const rerank_key = surroundings.env[config.settings.rerank_key_env] ?? "";
    return openReranker({ ...config.settings, rerank_key });
  }

  /** Leaves models that others share open. */
  close(): void {
    for (const embedder of this.#embedders ?? []) embedder.close();
  }
}
