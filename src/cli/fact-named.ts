/** For commands on documents that are given an id which no document has. */

import type { Retain } from "../app.ts";
import { unlessMissing } from "../core/errors.ts";
import type { Fact } from "../core/facts/fact.ts";

/** null if no fact has this id. Throws `ambiguous` for the start of several ids. */
export async function factNamed({ facts }: Retain, id: string): Promise<Fact | null> {
  return (await unlessMissing(facts.why(id)))?.fact ?? null;
}
