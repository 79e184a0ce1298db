/** Embeds texts on a server with OpenAI's embeddings protocol: Ollama, LM Studio, OpenAI, Voyage. Validates every response. */

import type { Embedder, Paused } from "../../core/ports/documents.ts";
import { type Embedding, vectorOnly } from "../../core/senses.ts";
import { backoff } from "../../util/backoff.ts";
import { sleep } from "../../util/sleep.ts";
import { embedDistinct } from "../distinct.ts";
import { JsonServer, type JsonServerSettings, PassingFailure } from "../json-server.ts";
import { readEmbeddings } from "./answer.ts";

interface EndpointSettings extends JsonServerSettings {
  readonly model: string;
}

/** Injected, so that tests need not wait. */
interface EndpointTiming {
  sleep(ms: number): Promise<unknown>;
  readonly timeoutMs: number;
}

const BATCH = 64;
const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
const TIMING: EndpointTiming = { sleep, timeoutMs: 60_000 };

export class Endpoint implements Embedder {
  readonly model: string;
  private readonly server: JsonServer;
  /** Some servers reject the format option. */
  private asksForFormat = true;
  private dimensions: number | undefined;

  constructor(
    private readonly settings: EndpointSettings,
    private readonly timing: EndpointTiming = TIMING,
  ) {
    this.server = new JsonServer(settings, {
      name: "embedding server",
      code: "embedding",
      setting: "embedding_url",
      path: "/embeddings",
    });
    this.model = `${settings.model}@${this.server.host}`;
  }

  embed(
    texts: readonly string[],
    progress: (done: number) => void = () => {},
    paused: Paused = () => {},
  ): Promise<Embedding[]> {
    return embedDistinct(texts, progress, async (distinct, finished) => {
      const embeddings: Embedding[] = [];
      for (let start = 0; start < distinct.length; start += BATCH) {
        const batch = await this.embedBatch(distinct.slice(start, start + BATCH), paused);
        for (const vector of batch) finished(embeddings.push(vectorOnly(vector)) - 1);
      }
      return embeddings;
    });
  }

  close(): void {}

  private async embedBatch(texts: readonly string[], paused: Paused): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.request(texts);
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
        const problem = this.server.problem(
          error.message,
          "Check that the server is running, then try again.",
        );
        if (attempt === TRIES) throw problem;
        const usual = backoff(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
        const pause = Math.min(Math.max(error.pauseMs, usual), LONGEST_PAUSE_MS);
        paused(problem, pause);
        await this.timing.sleep(pause);
      }
    }
  }

  private async request(texts: readonly string[]): Promise<Float32Array[]> {
    const request = {
      model: this.settings.model,
      // Some servers reject empty texts.
      input: texts.map((text) => (text === "" ? " " : text)),
      ...(this.asksForFormat ? { encoding_format: "float" } : {}),
    };
    const { response, body } = await this.server.post(request, AbortSignal.timeout(this.timing.timeoutMs));
    if (response.status === 429 || response.status >= 500) {
      const pause = pauseAskedFor(response);
      const asks = pause === 0 ? "" : ` and asks to wait ${Math.ceil(pause / 1000)} s`;
      throw new PassingFailure(`it answered ${response.status}${asks}`, pause);
    }
    if (response.status === 401 || response.status === 403)
      throw this.server.problem(
        `it rejected the key (${response.status})`,
        "Set the right key with `embedding_key`.",
      );
    if ([400, 422].includes(response.status) && this.asksForFormat && body.includes("encoding_format")) {
      this.asksForFormat = false;
      return this.request(texts);
    }
    if (!response.ok)
      throw this.server.problem(
        `it answered ${response.status}${this.server.quote(body)}`,
        "Check `embedding_url` and `embedding_model`.",
      );
    const read = readEmbeddings(body, texts.length, this.dimensions);
    if ("problem" in read)
      throw this.server.problem(
        read.problem,
        "Check that `embedding_url` is an OpenAI-compatible API and `embedding_model` is an embedding model.",
      );
    this.dimensions = read.vectors[0]?.length;
    return read.vectors;
  }
}

function pauseAskedFor(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}
