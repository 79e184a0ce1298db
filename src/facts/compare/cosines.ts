/** The cosine of a new fact with known ones. Their vectors are in the index; missing ones are made on the spot. */

import type { Embedder } from "../../core/ports/documents.ts";
import { passagesOf } from "../../core/text/passages.ts";
import type { FactWorkspace } from "../ports.ts";
import type { KnownFact, NearFact } from "./decide.ts";

const MOST_EMBEDDED = 32;

/** In the order of the facts; null where there is no vector. */
export type Cosines = (text: string, known: readonly KnownFact[]) => Promise<readonly (number | null)[]>;

/** Never throws: where vectors cannot be had, words decide alone. */
export async function withCosines(
  text: string,
  known: readonly KnownFact[],
  cosines: Cosines | undefined,
): Promise<NearFact[]> {
  const found = known.length === 0 ? [] : await cosines?.(text, known).catch(() => []);
  return known.map(({ id, text }, index) => ({ id, text, cosine: found?.[index] ?? null }));
}

/** What is made here is offered to the index, so that each text gets its vector once. */
export function cosinesIn({ facts }: Pick<FactWorkspace, "facts">, embedder: Embedder): Cosines {
  const { model } = embedder;
  const made = new Map<string, Float32Array>();
  const make = async (texts: readonly string[]) => {
    const fresh = [...new Set(texts)].filter((text) => !made.has(text));
    if (fresh.length === 0) return;
    const vectors = await embedder.embed(fresh.map(embedded));
    for (const [index, vector] of vectors.entries()) made.set(fresh[index] ?? "", vector);
    facts.vectors.offer(model, new Map([...made].filter(([text]) => isOnePassage(text))));
  };
  return async (text, known) => {
    await make([text]);
    const vector = made.get(text);
    if (vector === undefined) return known.map(() => null);
    const cosines = facts.vectors.cosines(
      model,
      vector,
      known.map(({ id }) => id),
    );
    const waiting = known.filter((_, index) => cosines[index] === null).slice(0, MOST_EMBEDDED);
    await make(waiting.map((fact) => fact.text));
    return known.map((fact, index) => {
      const other = made.get(fact.text);
      return cosines[index] ?? (other === undefined ? null : dot(vector, other));
    });
  };
}

/** As the index has it, where it is short enough for one vector. */
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
