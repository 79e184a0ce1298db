/**
 * MiniLM-L6-v2, local and offline. A few texts are embedded in this process, since starting a helper takes longer; many go to a
 * pool of single-core helpers, which is faster than one session with several cores. A server uses a helper for all, because ONNX
 * Runtime blocks the calling thread. The first text loads the model.
 */
import { availableParallelism } from "node:os";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { Embedder } from "../../core/ports/documents.ts";
import type { Embedding } from "../../core/senses.ts";
import { embedDistinct } from "../distinct.ts";
import { MODEL_NAME } from "../model.ts";
import { HelperPool } from "../pool.ts";
import type { Engine } from "./engine.ts";
import { openNativeEngine } from "./native-engine.ts";
import { loadRuntime, type Runtime } from "./onnx-runtime.ts";

export interface Surroundings {
  /** The cache of the built model; it need not exist or be writable. */
  readonly cacheDirectory: string;
  /** Whether the calling thread must stay free: then even one text is embedded in a helper, which runs until `close`. */
  readonly inHelper?: boolean;
  warn(message: string): void;
}

/** The amount of text from which helpers pay off, and the length at which a text is cut. */
const CHARACTERS_FOR_HELPERS = 6000;
const CHARACTERS_READ = 1500;
/** Each helper loads its own model. */
const MOST_HELPERS = 8;
const TEXTS_PER_HELPER = 16;

export class MiniLm implements Embedder {
  readonly model = MODEL_NAME;
  private runtime: Runtime | null | undefined;
  private engine: Engine | undefined;
  private pool: HelperPool | undefined;

  constructor(
    private readonly surroundings: Surroundings,
    /** Injected, so that a test can remove the native library. */
    private readonly load: () => Runtime = loadRuntime,
  ) {}

  async embed(texts: readonly string[], progress: (done: number) => void = () => {}): Promise<Embedding[]> {
    try {
      return await embedDistinct(texts, progress, (distinct, finished) => this.embedAll(distinct, finished));
    } catch (error) {
      if (error instanceof RetainError) throw error;
      throw new RetainError(
        "embedding",
        `The embedding model failed to load: ${messageOf(error)}.`,
        "Reinstall Retain, or choose another embedding model with the setting `embedding`.",
      );
    }
  }

  close(): void {
    this.engine?.close();
    this.engine = undefined;
    this.pool?.close();
    this.pool = undefined;
  }

  private async embedAll(texts: readonly string[], finished: (index: number) => void): Promise<Embedding[]> {
    if (texts.length === 0) return [];
    const runtime = this.nativeRuntime();
    const { cacheDirectory, inHelper = false } = this.surroundings;
    const characters = texts.reduce((sum, text) => sum + Math.min(text.length, CHARACTERS_READ), 0);
    if (runtime === null || inHelper || (characters >= CHARACTERS_FOR_HELPERS && texts.length > 1)) {
      this.pool ??= new HelperPool(runtime === null ? "wasm" : "native", cacheDirectory, inHelper);
      const helpers = Math.min(
        MOST_HELPERS,
        availableParallelism(),
        Math.ceil(texts.length / TEXTS_PER_HELPER),
      );
      return this.pool.embed(texts, helpers, finished);
    }
    this.engine ??= openNativeEngine(runtime, cacheDirectory);
    return embedInTurn(this.engine, texts, finished);
  }

  /** null, with one warning, if the native library can't be loaded. */
  private nativeRuntime(): Runtime | null {
    if (this.runtime === undefined) {
      try {
        this.runtime = this.load();
      } catch (error) {
        this.runtime = null;
        this.surroundings.warn(
          `The native embedding library failed to load (${firstLine(messageOf(error))}); using the slower WASM build.`,
        );
      }
    }
    return this.runtime;
  }
}

/** Yields between texts, so that other work of the thread continues. */
async function embedInTurn(
  engine: Engine,
  texts: readonly string[],
  finished: (index: number) => void,
): Promise<Embedding[]> {
  const embeddings: Embedding[] = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) await new Promise(setImmediate);
    embeddings.push(engine.embed(text));
    finished(index);
  }
  return embeddings;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
