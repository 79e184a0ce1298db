/** Assembles the .wat files in src into TypeScript files next to them, which are committed, so that users need no assembler. */
import { join } from "node:path";
import wabt from "wabt";

const source = join(import.meta.dir, "../src");

/** Their paths in src, without ".wat". */
export const KERNELS = [...new Bun.Glob("**/*.wat").scanSync(source)].map((path) => path.slice(0, -4)).sort();

export function targetOf(kernel: string): string {
  return join(source, `${kernel}-wasm.ts`);
}

export async function assembled(kernel: string): Promise<string> {
  const name = kernel.replace(/.*\//, "");
  const text = await Bun.file(join(source, `${kernel}.wat`)).text();
  const module = (await wabt()).parseWat(`${name}.wat`, text, { simd: true });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString("base64");
  return `/** Generated from ${name}.wat by \`bun scripts/kernel.ts\`. */
export const ${name.toUpperCase()}_WASM =
  "${base64}";
`;
}

if (import.meta.main)
  for (const kernel of KERNELS) await Bun.write(targetOf(kernel), await assembled(kernel));
