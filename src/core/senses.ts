/**
 * A text's meaning word by word. The vector of a whole text blurs its details, so the best hits are also compared by the senses of
 * their words: for each word of the question, the nearest one of the text ("late interaction"). A sense is what the embedding model
 * makes of a token in its sentence; of each component one bit is enough, its sign (docs/benchmarks.md).
 */
import { growTo, instantiate } from "../util/wasm.ts";
import { SENSES_WASM } from "./senses-wasm.ts";

/** A text as an embedding model represents it. */
export interface Embedding {
  /** A unit vector. */
  readonly vector: Float32Array;
  /** The senses of its words; empty if the model gives one vector per text only. */
  readonly senses: Uint8Array;
}

const BITS = 8;
/** In a longer text, neighbouring tokens share a sense. */
const MOST_SENSES = 64;

/** From the vectors of a text's tokens, one after the other; `dimensions` is a multiple of 128. */
export function sensesOf(tokens: Float32Array, dimensions: number): Uint8Array {
  const shared = Math.ceil(tokens.length / dimensions / MOST_SENSES) * dimensions;
  const count = Math.ceil(tokens.length / shared) || 0;
  const senses = new Uint8Array((count * dimensions) / BITS);
  for (let bit = 0; bit < count * dimensions; bit++) {
    const component = bit % dimensions;
    const first = ((bit - component) / dimensions) * shared;
    const end = Math.min(first + shared, tokens.length);
    let sum = 0;
    for (let at = first + component; at < end; at += dimensions) sum += tokens[at] as number;
    if (sum > 0) (senses[bit >>> 3] as number) |= 1 << (bit & 7);
  }
  return senses;
}

/** For a model that gives one vector per text. */
export function vectorOnly(vector: Float32Array): Embedding {
  return { vector, senses: new Uint8Array() };
}

interface Kernel {
  readonly memory: WebAssembly.Memory;
  differing(asked: number, said: number, end: number, width: number): void;
}

/** How well a text has the words of a question: 1 for a word that is there, about 0.2 for one that has nothing to do with it. */
export interface SenseMatch {
  /** The mean of all words. */
  readonly mean: number;
  /** The word that it has least. */
  readonly weakest: number;
}

let kernel: Kernel | null = null;

export function senseMatch({ vector, senses: asked }: Embedding, said: Uint8Array): SenseMatch {
  kernel ??= instantiate<Kernel>(SENSES_WASM);
  const { memory, differing } = kernel;
  const width = vector.length / BITS;
  const end = asked.length + said.length;
  const words = asked.length / width;
  growTo(memory, end + words * Int32Array.BYTES_PER_ELEMENT);
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(asked);
  bytes.set(said, asked.length);
  differing(0, asked.length, end, width);
  const bits = new Int32Array(memory.buffer, end, words);
  const match = (differing: number) => 1 - (2 * differing) / vector.length;
  return {
    mean: match(bits.reduce((sum, each) => sum + each, 0) / words),
    weakest: match(Math.max(...bits)),
  };
}
