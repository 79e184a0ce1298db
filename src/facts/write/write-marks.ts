/** Saves a reply's marks as facts, notes or working memory, with the message they came from. */
import { RetainError } from "../../core/errors.ts";
import { oneFact } from "../../core/facts/fact-text.ts";
import { lastDay } from "../../core/facts/until.ts";
import type { Mark } from "../../core/marks/marks.ts";
import type { FactWorkspaces } from "../ports.ts";
import { guarded, guardedFact, type Refusal } from "./guard.ts";
import { categoryOf, tagsIn } from "./remember.ts";
import { byWorkspace, routeFacts } from "./route-facts.ts";
import { type NewFact, type NewNote, type ToWrite, together, type Written } from "./written.ts";

/** The stored message with the marks. */
export interface MarkSource {
  readonly session: string;
  readonly chat: string;
  /** null if the reply is not stored. */
  readonly message: number | null;
}

interface Told extends MarkSource {
  readonly now: Date;
}

export interface WrittenMarks extends Written {
  readonly refused: Refusal[];
  readonly failed: Failure[];
}

interface Failure {
  readonly text: string;
  readonly why: string;
}

/** Everything reported as saved is durable on return. Reports failed writes instead of throwing. */
export async function writeMarks(
  workspaces: FactWorkspaces,
  marks: readonly Mark[],
  source: MarkSource,
  allowSecret = false,
): Promise<WrittenMarks> {
  const { nearest, home } = workspaces;
  const { facts, notes, working, refused } = read(marks, { ...source, now: nearest.clock() }, allowSecret);
  const factsOf = byWorkspace(workspaces, facts);
  const results: Written[] = [];
  const failed: Failure[] = [];
  for (const workspace of new Set([...factsOf.keys(), nearest, home])) {
    const toKeep: ToWrite = {
      facts: factsOf.get(workspace) ?? [],
      notes: notes.filter(({ scope }) => (scope === "global" ? home : nearest) === workspace),
      working: workspace === nearest ? working : null,
    };
    if (toKeep.facts.length + toKeep.notes.length === 0 && toKeep.working === null) continue;
    try {
      const kept = await routeFacts(workspaces, workspace, "ingest", toKeep);
      results.push(kept);
      failed.push(...kept.failed);
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      failed.push(...textsOf(toKeep).map((text) => ({ text, why: error.message })));
    }
  }
  return {
    ...together(results),
    ...(workspaces.remote !== null && { queued: results.flatMap(({ queued = [] }) => queued) }),
    refused,
    failed,
  };
}

function textsOf({ facts, notes, working }: ToWrite): string[] {
  return [
    ...facts.map(({ text }) => text),
    ...notes.map(({ title, text }) => `${title}: ${text}`),
    ...(working === null ? [] : ["working memory"]),
  ];
}

/** Leaves out marks with a secret. */
function read(marks: readonly Mark[], source: Told, allowSecret: boolean) {
  const refused: Refusal[] = [];
  const facts: NewFact[] = [];
  const notes: (NewNote & Pick<Mark, "scope">)[] = [];
  let working: ToWrite["working"] = null;
  for (const mark of marks) {
    const text =
      mark.kind === "fact" ? guardedFact(mark.text, mark.key, allowSecret) : guarded(mark.text, allowSecret);
    // The title may be what makes the text a secret: "Password: ...".
    const said = mark.title === null ? mark.text : `${mark.title}: ${mark.text}`;
    const around = [said, mark.key, mark.category, ...mark.tags];
    const whole = guarded(around.filter(Boolean).join("\n"), allowSecret);
    if ("refusal" in whole) refused.push(whole.refusal);
    else if ("refusal" in text) refused.push(text.refusal);
    else if (mark.kind === "fact") facts.push(factOf(mark, text.text, source));
    else if (mark.kind === "working" && mark.closed) working = { session: source.session, text: text.text };
    else if (oneFact(`${mark.title ?? ""}${text.text}`) !== "")
      notes.push({ ...noteFrom(mark, text.text, source), scope: mark.scope });
  }
  return { facts, notes, working, refused };
}

function factOf(mark: Mark, text: string, { session, message, now }: Told): NewFact {
  const { tag, category, tags, key, replaces, until, scope } = mark;
  const source = { by: tag, session, message, trust: "inferred" as const, tags: tags.flatMap(tagsIn) };
  return {
    ...{ text, key, replaces, until: until === null ? null : lastDay(until, now) },
    category: category === null ? null : categoryOf(category),
    chat: null,
    scope: scope ?? undefined,
    source,
  };
}

/** If the reply was cut off inside a working-memory mark, its text becomes a note. */
function noteFrom({ kind, title }: Mark, text: string, { chat }: MarkSource): NewNote {
  return { title: title ?? "Unfinished working memory", text, chat: kind === "chat-note" ? chat : null };
}
