/**
 * The entry of a worker thread: opens an engine, then answers one text after the other. It is bundled on its own, as
 * `dist/embed-worker.js`, since a thread starts from a file.
 */
import { messageOf } from "../core/errors.ts";
import type { Engine } from "./engine.ts";
import { openNativeEngine } from "./native-engine.ts";
import { loadRuntime } from "./onnx-runtime.ts";
import type { Answer, Job, Setup } from "./pool.ts";
import { openWasmEngine } from "./wasm-engine.ts";

declare const self: Worker;

let setup: Setup | undefined;
let engine: Engine | undefined;

self.onmessage = ({ data }: MessageEvent<Setup | Job>) => {
  if ("engine" in data) setup = data;
  else postMessage(answerTo(data));
};

function answerTo({ id, text }: Job): Answer {
  try {
    engine ??= openEngine();
    return { id, vector: engine.embed(text) };
  } catch (error) {
    return { id, problem: messageOf(error) };
  }
}

function openEngine(): Engine {
  if (setup === undefined) throw new Error("A text came before the engine's name");
  return setup.engine === "wasm" ? openWasmEngine() : openNativeEngine(loadRuntime(), setup.cacheDirectory);
}
