/**
 * A text's meaning word by word. The vector of a whole text blurs its details, so the best hits are also compared by the senses of
 * their words: for each word of the question, the nearest one of the text ("late interaction"). A sense is what the embedding model
 * makes of a token in its sentence; of each component one bit is enough, its sign (docs/benchmarks.md).
 */

/** A text as an embedding model represents it. */
export interface Embedding {
  /** A unit vector. */
  readonly vector: Float32Array;
  /** The senses of its words; empty if the model gives one vector per text only. */
  readonly senses: Uint32Array;
}

const BITS = 32;
/** In a longer text, neighbouring tokens share a sense. */
const MOST_SENSES = 64;

/** From the vectors of a text's tokens, one after the other; `dimensions` is a multiple of 32. */
export function sensesOf(tokens: Float32Array, dimensions: number): Uint32Array {
  const shared = Math.ceil(tokens.length / dimensions / MOST_SENSES) * dimensions;
  const count = Math.ceil(tokens.length / shared) || 0;
  const senses = new Uint32Array((count * dimensions) / BITS);
  for (let bit = 0; bit < count * dimensions; bit++) {
    const component = bit % dimensions;
    const first = ((bit - component) / dimensions) * shared;
    const end = Math.min(first + shared, tokens.length);
    let sum = 0;
    for (let at = first + component; at < end; at += dimensions) sum += tokens[at] as number;
    if (sum > 0) (senses[bit >>> 5] as number) |= 1 << (bit & 31);
  }
  return senses;
}

/** For a model that gives one vector per text. */
export function vectorOnly(vector: Float32Array): Embedding {
  return { vector, senses: new Uint32Array() };
}

/** How well a text matches a question, word by word: 1 if all its words are there, about 0.2 if the two have nothing in common. */
export function senseMatch({ vector, senses: asked }: Embedding, said: Uint32Array): number {
  const words = vector.length / BITS;
  let sum = 0;
  for (let atAsked = 0; atAsked < asked.length; atAsked += words) {
    let least = vector.length;
    for (let atSaid = 0; atSaid < said.length; atSaid += words)
      least = Math.min(least, differingBits(asked, atAsked, said, atSaid, words));
    sum += 1 - (2 * least) / vector.length;
  }
  return (sum * words) / asked.length;
}

function differingBits(a: Uint32Array, atA: number, b: Uint32Array, atB: number, words: number): number {
  let bits = 0;
  for (let word = 0; word < words; word++)
    bits += bitCount((a[atA + word] as number) ^ (b[atB + word] as number));
  return bits;
}

/** Adds neighbouring bits, then pairs, then nibbles, then bytes. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
