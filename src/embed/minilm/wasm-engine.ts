/**
 * The same model in `@lat.md/embed` (candle compiled to WebAssembly), ten times slower, for machines where ONNX Runtime can't be
 * loaded. Loads its engine directly, since the package's entry blocks the calling thread.
 */
import { readFileSync } from "node:fs";
import { vectorOnly } from "../../core/senses.ts";
import { MAX_TOKENS } from "../model.ts";
import type { Engine } from "./engine.ts";
import { modelFiles, wasmEngine } from "./packages.ts";

interface WasmModule {
  readonly Embedder: new (
    weights: Uint8Array,
    tokenizer: Uint8Array,
    config: Uint8Array,
    maxTokens: number,
  ) => { embed(texts: string[]): number[][]; free(): void };
}

export function openWasmEngine(): Engine {
  const { Embedder }: WasmModule = require(wasmEngine());
  const files = modelFiles();
  const [weights, tokenizer, config] = [files.weights, files.tokenizer, files.config].map(
    (path) => new Uint8Array(readFileSync(path)),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const embedder = new Embedder(weights, tokenizer, config, MAX_TOKENS);
  return {
    embed: (text) => vectorOnly(Float32Array.from(embedder.embed([text])[0] ?? [])),
    close: () => embedder.free(),
  };
}
