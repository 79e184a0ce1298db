/** Opens the configured embedder. Loads nothing until the first text. */
import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import type { Embedder, Paused } from "../core/ports/documents.ts";
import type { Embedding } from "../core/senses.ts";
import type { Surroundings } from "./minilm/minilm.ts";
import { MODEL_NAME } from "./model.ts";

export interface EmbeddingSettings {
  readonly embedding: "minilm" | "endpoint" | "none";
  readonly embedding_url: string;
  readonly embedding_model: string;
  readonly embedding_key: string;
}

/** null if embedding is off. Throws `invalid_config` if the endpoint settings are incomplete. */
export function openEmbedder(settings: EmbeddingSettings, surroundings: Surroundings): Embedder | null {
  if (settings.embedding === "none") return null;
  if (settings.embedding === "minilm")
    return new LazyEmbedder(MODEL_NAME, async () => {
      const { MiniLm } = await import("./minilm/minilm.ts");
      return new MiniLm(surroundings);
    });
  const { embedding_url: url, embedding_model: model, embedding_key: key } = settings;
  const host = requireAddress(url, "embedding", "embedding_url", "http://localhost:11434/v1");
  if (model.trim() === "") throw incomplete("embedding", "embedding_model", "nomic-embed-text");
  return new LazyEmbedder(`${model}@${host}`, async () => {
    const { Endpoint } = await import("./endpoint/endpoint.ts");
    return new Endpoint({ url, model, key });
  });
}

class LazyEmbedder implements Embedder {
  private opened: Promise<Embedder> | undefined;

  constructor(
    readonly model: string,
    private readonly open: () => Promise<Embedder>,
  ) {}

  async embed(
    texts: readonly string[],
    progress?: (done: number) => void,
    paused?: Paused,
  ): Promise<Embedding[]> {
    if (texts.length === 0) return [];
    this.opened ??= this.open();
    return (await this.opened).embed(texts, progress, paused);
  }

  close(): void {
    this.opened?.then(
      (embedder) => embedder.close(),
      () => {},
    );
    this.opened = undefined;
  }
}

/** The host of an endpoint's address. Throws `invalid_config` if there is none. */
export function requireAddress(url: string, chosen: string, setting: string, example: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.host === "")
    throw incomplete(chosen, setting, example);
  return parsed.host;
}

function incomplete(chosen: string, setting: string, example: string): RetainError {
  return new RetainError(
    "invalid_config",
    `\`${chosen}\` is set to use an endpoint, but \`${setting}\` is not set.`,
    hint`Set it, for example: ${command("config set", setting, example)}`,
  );
}
