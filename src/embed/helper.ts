/**
 * The entry of a helper process: opens an engine, then answers one text after the other until whoever started it is gone.
 * It is bundled on its own, as `dist/embed-helper.js`, since a process starts from a file.
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
// An interrupt goes to all processes of a terminal; what it means is decided by the one that asked for the texts.
process.on("SIGINT", () => {});

function answerTo({ id, text }: Job): Answer {
  try {
    engine ??= name === "wasm" ? openWasmEngine() : openNativeEngine(loadRuntime(), cacheDirectory);
    return { id, vector: engine.embed(text) };
  } catch (error) {
    return { id, problem: messageOf(error) };
  }
}
