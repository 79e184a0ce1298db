/** XXH64 for runtimes that have none built in. */
import { XXHASH_WASM } from "./xxhash-wasm.ts";

interface Kernel {
  readonly memory: WebAssembly.Memory;
  hash(length: number): bigint;
}

const PAGE_BYTES = 65_536;

let kernel: Kernel | undefined;

export function xxHash64(data: string | Uint8Array): bigint {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  kernel ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(XXHASH_WASM, "base64")))
    .exports as unknown as Kernel;
  const { memory, hash } = kernel;
  const missing = bytes.length - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  new Uint8Array(memory.buffer).set(bytes);
  return BigInt.asUintN(64, hash(bytes.length));
}
