/** Memories and questions from a fixed seed: natural word frequencies (1 / rank), clustered vectors. */
import { randomFrom } from "../../test/helpers/random.ts";

const VOCABULARY = 20_000;
const CLUSTERS = 1_000;
/** Lower ranks are function words; content words are rarer. */
const FIRST_CONTENT_RANK = 30;
const BATCH = 1_000;
export const DIMENSIONS = 384;

/** Memories in write order. */
export interface Batch {
  /** The number of the first memory. */
  readonly first: number;
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
}

export class MemoryGenerator {
  /** From 0 to 1. */
  readonly random: () => number;
  readonly #centres: Float32Array[];

  constructor(seed: number) {
    this.random = randomFrom(seed);
    this.#centres = Array.from({ length: CLUSTERS }, () => this.#direction());
  }

  /** This many memories, the same for every generator with this seed. */
  *batches(size: number): Generator<Batch> {
    for (let first = 0; first < size; first += BATCH) {
      const length = Math.min(BATCH, size - first);
      const texts = Array.from({ length }, () => this.text());
      yield { first, texts, vectors: Array.from({ length }, () => this.vector()) };
    }
  }

  /** 12 to 25 words, about 110 characters. */
  text(): string {
    return this.words(12 + Math.floor(this.random() * 14)).join(" ");
  }

  words(count: number): string[] {
    return Array.from({ length: count }, () => wordOf(Math.floor(VOCABULARY ** this.random())));
  }

  /** The words of a question, without the most frequent ones, which are stop words. */
  question(): string {
    return Array.from({ length: 5 }, () =>
      wordOf(100 + Math.floor((VOCABULARY - 100) ** this.random())),
    ).join(" ");
  }

  contentWord(): string {
    return wordOf(Math.floor(FIRST_CONTENT_RANK * (VOCABULARY / FIRST_CONTENT_RANK) ** this.random()));
  }

  vector(): Float32Array {
    const centre = this.#centres[Math.floor(this.random() * CLUSTERS)] as Float32Array;
    const noise = this.#direction();
    return unit(centre.map((value, index) => value + 0.8 * (noise[index] as number)));
  }

  #direction(): Float32Array {
    const values = Float32Array.from({ length: DIMENSIONS }, () => this.random() + this.random() - 1);
    return unit(values);
  }
}

/** Pronounceable and unique per rank. */
function wordOf(rank: number): string {
  const consonants = "bdfgklmnprstvz";
  const vowels = "aeiou";
  let word = "";
  for (let rest = rank + 70; rest > 0; rest = Math.floor(rest / 70))
    word += (consonants[rest % 14] ?? "") + (vowels[Math.floor(rest / 14) % 5] ?? "");
  return word;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
