/**
 * The reference's output as fixtures, so that the tests need not run it: token ids by Hugging Face's `tokenizers`, vectors by
 * `@lat.md/embed` in 32 bits. make-reference.ts writes them; a live comparison detects stale ones.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Per text the number of tokens, then their ids, 16 bits each. */
export const TOKENS_FILE = join(import.meta.dir, "reference-tokens.bin");
/** A digest of the ids per block of code points, one per line. */
export const CODE_POINTS_FILE = join(import.meta.dir, "reference-code-points.txt");
/** 384 signed bytes per text: the vector's direction. */
export const VECTORS_FILE = join(import.meta.dir, "reference-vectors.bin");

const BLOCK = 4096;
const BLOCKS_OF_A_PLANE = 16;
/** The planes with characters, and one for private use; the others are unassigned. */
const PLANES = [0, 1, 2, 3, 14, 15];

/** Each character between two letters, so that the ids show its class. Surrogates aren't text. */
export function codePointTexts(block: number): string[] {
  return Array.from({ length: BLOCK }, (_, at) => block * BLOCK + at)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => `a${String.fromCodePoint(code)}b`);
}

export function codePointBlocks(): number[] {
  return PLANES.flatMap((plane) =>
    Array.from({ length: BLOCKS_OF_A_PLANE }, (_, block) => plane * BLOCKS_OF_A_PLANE + block),
  );
}

export function packTokens(ids: readonly (readonly number[])[]): Uint16Array {
  return Uint16Array.from(ids.flatMap((list) => [list.length, ...list]));
}

export function digestOf(ids: readonly (readonly number[])[]): string {
  return Bun.hash.xxHash3(packTokens(ids)).toString(16);
}

export function referenceTokens(): number[][] {
  const packed = new Uint16Array(new Uint8Array(readFileSync(TOKENS_FILE)).buffer);
  const lists: number[][] = [];
  for (let at = 0; at < packed.length; at += 1 + (packed[at] ?? 0))
    lists.push([...packed.subarray(at + 1, at + 1 + (packed[at] ?? 0))]);
  return lists;
}

export function referenceDigests(): string[] {
  return readFileSync(CODE_POINTS_FILE, "utf8").trim().split("\n");
}

export function referenceVectors(): Int8Array[] {
  const bytes = new Int8Array(new Uint8Array(readFileSync(VECTORS_FILE)).buffer);
  return Array.from({ length: bytes.length / 384 }, (_, at) => bytes.subarray(at * 384, (at + 1) * 384));
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, lengthA, lengthB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [left, right] = [a[at] ?? 0, b[at] ?? 0];
    dot += left * right;
    lengthA += left * left;
    lengthB += right * right;
  }
  return dot / Math.sqrt(lengthA * lengthB);
}
