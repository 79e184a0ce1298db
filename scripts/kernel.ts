/**
 * Assembles src/sqlite/vectors/dot.wat into src/sqlite/vectors/dot-wasm.ts, which is committed, so that users need no assembler.
 */
import { join } from "node:path";
import wabt from "wabt";

const folder = join(import.meta.dir, "../src/sqlite/vectors");
const target = join(folder, "dot-wasm.ts");

export async function assembled(): Promise<string> {
  const source = await Bun.file(join(folder, "dot.wat")).text();
  const module = (await wabt()).parseWat("dot.wat", source, { simd: true });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
  return `/** Generated from dot.wat by \`bun scripts/kernel.ts\`. */
export const DOT_WASM =
  "${base64}";
`;
}

if (import.meta.main) await Bun.write(target, await assembled());
