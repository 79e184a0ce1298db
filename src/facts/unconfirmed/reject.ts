/** Rejects an unconfirmed fact: removes it, restores the facts it had replaced, and keeps it from being proposed again. */

import { RetainError } from "../../core/errors.ts";
import type { Fact } from "../../core/facts/fact.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { command, hint } from "../../core/hint.ts";
import type { FactWorkspaces } from "../ports.ts";
import { syncFacts } from "../sync/sync-facts.ts";
import { exchange, replacedBy } from "../withdraw.ts";
import { inferredFact } from "./confirm.ts";

export interface Rejected {
  readonly rejected: Pick<Fact, "id" | "text">;
  /** Facts it had replaced, which are current again. */
  readonly restored: readonly Pick<Fact, "id" | "text">[];
}

const REASONS = {
  by: "review",
  removed: "a person rejected it",
  restored: "what replaced it was rejected",
};

/** By id or the start of one. Throws `not_found`, `ambiguous`, and `conflict` for a fact that isn't unconfirmed. */
export async function rejectFact(workspaces: FactWorkspaces, id: string): Promise<Rejected> {
  const { origin, fact: found } = inferredFact(workspaces, id);
  const workspace = workspaces.read.find((one) => one.origin === origin) ?? workspaces.nearest;
  return workspace.lock.exclusively(() => {
    const facts = syncFacts(workspace);
    const fact = facts.find(
      (one) => one.id === found.id && one.ended_at === null && isInferredFile(one.file),
    );
    if (fact === undefined)
      throw new RetainError(
        "conflict",
        "The fact has changed in the meantime.",
        hint`See: ${command("review")}`,
      );
    const { restored } = exchange(workspace, fact, replacedBy(facts, fact), REASONS);
    return { rejected: { id: fact.id, text: fact.text }, restored };
  });
}
