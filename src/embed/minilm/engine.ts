/** Embeds a single text on the calling thread; one engine per thread. */
import type { Embedding } from "../../core/senses.ts";

export interface Engine {
  embed(text: string): Embedding;
  close(): void;
}

export type EngineName = "native" | "wasm";
