/** XXH64 for runtimes that have none built in. */
import { growTo, instantiate } from "./wasm.ts";
import { XXHASH_WASM } from "./xxhash-wasm.ts";

interface Kernel {
  readonly memory: WebAssembly.Memory;
  hash(length: number): bigint;
}

let kernel: Kernel | undefined;

export function xxHash64(data: string | Uint8Array): bigint {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  kernel ??= instantiate<Kernel>(XXHASH_WASM);
  const { memory, hash } = kernel;
  growTo(memory, bytes.length);
  new Uint8Array(memory.buffer).set(bytes);
  return BigInt.asUintN(64, hash(bytes.length));
}
