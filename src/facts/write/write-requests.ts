/** Saves facts that a person explicitly asked to remember, verbatim, with the message that asked. */
import { factId, oneFact } from "../../core/facts/fact-text.ts";
import { requestsIn } from "../../core/language/requests.ts";
import { REMOVED } from "../../core/secrets/secret.ts";
import type { FactWorkspaces } from "../ports.ts";
import { forgottenIn } from "../sync/history-file.ts";
import { currentFacts, syncMemories } from "../sync/sync-facts.ts";
import { ownText } from "../transcript.ts";
import { type Retained, retainFacts } from "./retain.ts";
import { together } from "./written.ts";

/** A person's stored message. */
export interface SaidByUser {
  readonly message: number;
  readonly content: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Throws `invalid_name`; reports any other failure in `failed`. */
export async function writeRequests(
  workspaces: FactWorkspaces,
  session: string,
  said: readonly SaidByUser[],
): Promise<Retained> {
  const results: Retained[] = [];
  for (const { message, content, at } of said) {
    const requests = requestsIn(ownText(content)).filter((words) => !endedSince(workspaces, words, at));
    const isRedacted = (words: string) => words.includes(REMOVED);
    const items = requests
      .filter((words) => !isRedacted(words))
      .map((words) => ({ content: words, at, trust: "stated" as const, unlessSavedSince: true }));
    const refused = requests.filter(isRedacted).map((text) => ({ text, why: "it contains a secret" }));
    if (requests.length === 0) continue;
    const kept = await retainFacts(workspaces, items, { session, message, by: "user" });
    results.push({ ...kept, refused: [...refused, ...kept.refused] });
  }
  return {
    ...together(results),
    refused: results.flatMap(({ refused }) => refused),
    failed: results.flatMap(({ failed }) => failed),
  };
}

/** A message that is processed late must not bring back a fact that was replaced, removed or forgotten since. */
function endedSince({ read }: FactWorkspaces, words: string, at: string): boolean {
  const id = factId(oneFact(words), null);
  return read.some((workspace) => {
    syncMemories(workspace);
    const fact = currentFacts(workspace).find((known) => known.id === id);
    const ended = fact === undefined ? forgottenIn(workspace).get(id) : fact.ended_at;
    return ended != null && Date.parse(ended) >= Date.parse(at);
  });
}
