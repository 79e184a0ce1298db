/** Changes a fact's text. The new fact replaces the old one on its line and keeps its tags; the old text stays in the history. */
import { RetainError, requireText, unlessMissing } from "../core/errors.ts";
import { endInWords } from "../core/facts/fact.ts";
import { factId } from "../core/facts/fact-text.ts";
import type { FactSource } from "../core/facts/history.ts";
import { checked, isInferredFile } from "../core/facts/memory-paths.ts";
import type { Origin } from "../core/memory.ts";
import type { Compare } from "./compare/decide.ts";
import type { FactWorkspaces } from "./ports.ts";
import { explainFact, type Provenance } from "./why.ts";
import { guardedFact, refusalError } from "./write/guard.ts";
import { writeFacts } from "./write/write-facts.ts";

export type EditOptions = Partial<Pick<FactSource, "by" | "session" | "message" | "trust">>;

export interface Edited {
  readonly action: "changed" | "unchanged";
  readonly origin: Origin;
  readonly before: { readonly id: string; readonly text: string };
  readonly after: { readonly id: string; readonly text: string };
}

/**
 * Takes the fact's id or the start of it. Throws with nothing changed: `not_found`, `ambiguous`, `invalid_input`, `secret`,
 * `conflict` if the fact has ended, `exists` if another fact already has that text, `remote` if it is in a bank that doesn't answer.
 */
export async function editFact(
  workspaces: FactWorkspaces,
  id: string,
  said: string,
  { by = "edit", session: saidIn = null, message = null, trust = "stated" }: EditOptions,
): Promise<Edited> {
  requireText(said, "A fact");
  const session = saidIn === null ? null : checked("session", saidIn);
  const known = await inWorkspace(workspaces, id);
  if (known === null) return editInBank(workspaces, id, newText(said));
  const { origin, fact, after } = known;
  if (fact.ended_at !== null)
    throw new RetainError(
      "conflict",
      `The fact ${fact.id} is no longer current (${endInWords(fact)}).`,
      after === null
        ? "If it is true again, remember it again."
        : `The fact ${after.id} replaced it: ${after.text}`,
    );
  const text = newText(said);
  const before = { id: fact.id, text: fact.text };
  const changed = { id: factId(text, fact.chat), text };
  if (changed.id === fact.id) return { action: "unchanged", origin, before, after: before };
  const workspace = workspaces.read.find((one) => one.origin === origin) ?? workspaces.nearest;
  const source = { by, session, message, trust, tags: fact.source.tags };
  const { category, chat } = fact;
  // Only a person's own words confirm an inferred fact.
  const inferred = isInferredFile(fact.file) && trust !== "stated";
  const facts = [{ text, category, chat, source, inferred }];
  await writeFacts(workspace, "edit", { facts, notes: [], working: null }, inPlaceOf(fact.id, changed.id));
  return { action: "changed", origin, before, after: changed };
}

/** null if no workspace has it but a server's bank may. */
async function inWorkspace(workspaces: FactWorkspaces, id: string): Promise<Provenance | null> {
  const explain = async () => explainFact(workspaces, id);
  return workspaces.remote === null ? explain() : unlessMissing(explain());
}

async function editInBank({ remote }: FactWorkspaces, id: string, text: string): Promise<Edited> {
  const edited = (await remote?.edit(id, text)) ?? null;
  if (edited === null)
    throw new RetainError("not_found", `There is no fact ${JSON.stringify(id)}, here or in the bank.`);
  const { before, after } = edited;
  const isSame = before.id === after.id && before.text === after.text;
  return { action: isSame ? "unchanged" : "changed", origin: "bank", before, after };
}

function newText(said: string): string {
  const read = guardedFact(said, null, false);
  if ("refusal" in read) throw refusalError(read.refusal);
  const { text } = read;
  if (text === "")
    throw new RetainError("invalid_input", "There is nothing to save.", "Pass the fact's new text.");
  return text;
}

/** Decides under the lock, since another process may have changed the facts. */
function inPlaceOf(old: string, changed: string): Compare {
  return (_text, known) => {
    if (known.some(({ id }) => id === changed))
      throw new RetainError(
        "exists",
        `Another fact already says that: ${changed}.`,
        "Forget one of the two instead.",
      );
    if (!known.some(({ id }) => id === old))
      throw new RetainError(
        "not_found",
        `The fact ${old} was changed or removed meanwhile.`,
        "Recall it again.",
      );
    return { kind: "supersedes", ids: [old], why: "it was edited" };
  };
}
