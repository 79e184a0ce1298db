/** The cosine similarity of a new fact to known ones. Their vectors come from the index; missing ones are computed. */

import type { Embedder } from "../../core/ports/documents.ts";
import type { Embedding } from "../../core/senses.ts";
import { passagesOf } from "../../core/text/passages.ts";
import { comparable, type KnownFact, type NearFact } from "../compare/decide.ts";
import type { FactWorkspace } from "../ports.ts";

const MOST_EMBEDDED = 32;

/** In the order of the facts; null if a fact has no vector. */
export type Cosines = (text: string, known: readonly KnownFact[]) => Promise<readonly (number | null)[]>;

/** Never throws: without vectors, words alone decide. */
export async function withCosines(
  text: string,
  all: readonly KnownFact[],
  cosines: Cosines | undefined,
): Promise<NearFact[]> {
  const known = comparable(text, all);
  const found = known.length === 0 ? [] : await cosines?.(text, known).catch(() => []);
  return known.map(({ id, text }, index) => ({ id, text, cosine: found?.[index] ?? null }));
}

/** Embeds texts to compare them, each once: new vectors are offered to the index. */
export class FactEmbeddings {
  readonly #made = new Map<string, Embedding>();
  /** After one failure, the rest of the comparison doesn't wait for the embedding model again. */
  #hasFailed = false;

  constructor(
    private readonly workspace: Pick<FactWorkspace, "facts">,
    private readonly embedder: Embedder,
  ) {}

  get model(): string {
    return this.embedder.model;
  }

  /** undefined if the text can't be embedded. */
  async vectorOf(text: string): Promise<Float32Array | undefined> {
    if (this.#hasFailed) return undefined;
    await this.#make([text]).catch(() => {
      this.#hasFailed = true;
    });
    return this.#made.get(text)?.vector;
  }

  /** The facts without a vector; none if the text itself can't be embedded. */
  async notEmbedded(text: string, known: readonly KnownFact[]): Promise<readonly KnownFact[]> {
    const vector = await this.vectorOf(text);
    if (vector === undefined) return [];
    const cosines = this.#stored(vector, known);
    return known.filter((_, index) => cosines[index] === null);
  }

  readonly cosines: Cosines = async (text, known) => {
    const vector = await this.vectorOf(text);
    if (vector === undefined) return known.map(() => null);
    const cosines = this.#stored(vector, known);
    const notEmbedded = known.filter((_, index) => cosines[index] === null).slice(0, MOST_EMBEDDED);
    await this.#make(notEmbedded.map((fact) => fact.text));
    return known.map((fact, index) => {
      const other = this.#made.get(fact.text)?.vector;
      return cosines[index] ?? (other === undefined ? null : dot(vector, other));
    });
  };

  #stored(vector: Float32Array, known: readonly KnownFact[]): (number | null)[] {
    const ids = known.map(({ id }) => id);
    return this.workspace.facts.vectors.cosines(this.model, vector, ids);
  }

  async #make(texts: readonly string[]): Promise<void> {
    const fresh = [...new Set(texts)].filter((text) => !this.#made.has(text));
    if (fresh.length === 0) return;
    const embeddings = await this.embedder.embed(fresh.map(embedded));
    const made = new Map(
      fresh.flatMap((text, index) => {
        const one = embeddings[index];
        return one === undefined ? [] : [[text, one] as const];
      }),
    );
    for (const [text, one] of made) this.#made.set(text, one);
    const kept = new Map([...made].filter(([text]) => isOnePassage(text)));
    this.workspace.facts.vectors.offer(this.model, kept);
  }
}

/** The same text that the index embeds, if it is short enough for one vector. */
function embedded(text: string): string {
  const [passage = text, ...others] = passagesOf("", text);
  return others.length === 0 ? passage : text;
}

function isOnePassage(text: string): boolean {
  return passagesOf("", text).length === 1;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
