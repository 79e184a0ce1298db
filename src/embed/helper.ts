/**
 * The entry of a helper process: opens an engine and embeds text after text until its parent is gone. Bundled separately as
 * `dist/embed-helper.js`, since a process starts from a file.
 */
import { messageOf } from "../core/errors.ts";
import type { Engine } from "./minilm/engine.ts";
import { openNativeEngine } from "./minilm/native-engine.ts";
import { loadRuntime } from "./minilm/onnx-runtime.ts";
import { openWasmEngine } from "./minilm/wasm-engine.ts";
import type { Answer, Job } from "./pool.ts";

const [name, cacheDirectory = ""] = process.argv.slice(2);
let engine: Engine | undefined;

process.on("message", (job: Job) => process.send?.(answerTo(job)));
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches all processes of a terminal; the parent decides what it means.
process.on("SIGINT", () => {});

function answerTo({ id, text }: Job): Answer {
  try {
    engine ??= name === "wasm" ? openWasmEngine() : openNativeEngine(loadRuntime(), cacheDirectory);
    return { id, embedding: engine.embed(text) };
  } catch (error) {
    return { id, problem: messageOf(error) };
  }
}
