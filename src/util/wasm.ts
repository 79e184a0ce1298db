const PAGE = 65_536;

/** The exports of a kernel that `bun scripts/kernel.ts` has assembled. */
export function instantiate<Exports>(base64: string): Exports {
  const module = new WebAssembly.Module(Buffer.from(base64, "base64"));
  return new WebAssembly.Instance(module).exports as Exports;
}

/** Throws RangeError, with nothing changed, if the machine's memory is too small. */
export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
}
