/**
 * Empties a backend. For a bank on a server, also removes local data: pending memories, and cached answers of mental models, which
 * would otherwise stay in every context. Answers that a person wrote or pinned stay.
 */
import { mentalModelsIn, replaceMentalModel } from "../../agent/mental-models/store.ts";
import { withAnswer } from "../../core/mental-model.ts";
import type { Cleared, MemoryBackend } from "../../core/ports/backend.ts";
import type { FactWorkspace } from "../../facts/ports.ts";
import { isoSeconds } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";

/** Throws `io`, `locked`, `remote`. */
export async function emptyBackend(
  backend: MemoryBackend,
  workspaces: readonly FactWorkspace[],
  now: Date,
): Promise<Cleared> {
  const { done, left } = await backend.empty();
  let count = 0;
  for (const { name, file, workspace } of workspaces.flatMap(mentalModelsIn).filter(isCached)) {
    if (file === null) continue;
    const gone = { text: "", by: "hindsight", at: isoSeconds(now), sources: [], fingerprint: null } as const;
    if (await replaceMentalModel(workspace, name, { before: file, after: withAnswer(file, gone) }, now))
      count++;
  }
  if (count === 0) return { done, left };
  const answers = `Removed ${plural(count, "cached answer")} of mental models.`;
  return { done: [...done, answers], left };
}

function isCached({ by, state, answer }: ReturnType<typeof mentalModelsIn>[number]): boolean {
  return by === "hindsight" && state === "fresh" && answer !== "";
}
