/** Finds the saved facts that a statement replaces or puts in doubt, as if it were saved. Changes nothing. */

import type { KnownFact } from "../compare/decide.ts";
import type { FactWorkspaces } from "../ports.ts";
import { currentFacts } from "../sync/sync-facts.ts";
import { comparison } from "./compare.ts";

export async function factsAffectedBy(
  { read, embedders }: Pick<FactWorkspaces, "read" | "embedders">,
  text: string,
): Promise<KnownFact[]> {
  const affected: KnownFact[] = [];
  for (const workspace of read) {
    const compare = await comparison(workspace, embedders, [{ text, chat: null }]);
    const known = currentFacts(workspace).filter(({ ended_at, chat }) => ended_at === null && chat === null);
    const verdict = compare(text, known, null);
    const ids =
      verdict.kind === "supersedes" ? verdict.ids : verdict.kind === "unsure" ? [verdict.about] : [];
    affected.push(...known.filter(({ id }) => ids.includes(id)));
  }
  return affected;
}
