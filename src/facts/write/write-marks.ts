/** Saves a reply's marks as facts, notes or working memory, with the message they came from. */
import { RetainError } from "../../core/errors.ts";
import { lastDay } from "../../core/facts/until.ts";
import type { Mark } from "../../core/marks/marks.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { guarded, type Refusal } from "./guard.ts";
import { addressed, categoryOf, oneFact, tagsIn } from "./remember.ts";
import { endingApart, holderOf, routeFacts } from "./route-facts.ts";
import { type NewFact, type NewNote, type ToWrite, together, type Written } from "./write-facts.ts";

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
  const isOfHome = (mark: Mark) => holderOf(workspaces, mark) === home;
  const sorted = sort(marks.flatMap(endingApart), { ...source, now: nearest.clock() }, allowSecret, isOfHome);
  const parts: [FactWorkspace, ToWrite][] =
    nearest === home
      ? [
          [
            nearest,
            {
              ...sorted.nearest,
              facts: [...sorted.nearest.facts, ...sorted.global.facts],
              notes: [...sorted.nearest.notes, ...sorted.global.notes],
            },
          ],
        ]
      : [
          [nearest, sorted.nearest],
          [home, sorted.global],
        ];
  const results: Written[] = [];
  const failed: Failure[] = [];
  for (const [workspace, toKeep] of parts) {
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
    refused: sorted.refused,
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

interface Sorted {
  readonly facts: NewFact[];
  readonly notes: NewNote[];
  working: ToWrite["working"];
}

/** Groups the marks by workspace and leaves out those with a secret. */
function sort(marks: readonly Mark[], source: Told, allowSecret: boolean, isOfHome: (mark: Mark) => boolean) {
  const refused: Refusal[] = [];
  const nearest: Sorted = { facts: [], notes: [], working: null };
  const global: Sorted = { facts: [], notes: [], working: null };
  for (const mark of marks) {
    const target = mark.scope === "global" || isOfHome(mark) ? global : nearest;
    const text = guarded(mark.text, allowSecret);
    // The title may be what makes the text a secret: "Password: ...".
    const said = mark.title === null ? mark.text : `${mark.title}: ${mark.text}`;
    const around = [said, mark.key, mark.category, ...mark.tags];
    const whole = guarded(around.filter(Boolean).join("\n"), allowSecret);
    if ("refusal" in whole) refused.push(whole.refusal);
    else if ("refusal" in text) refused.push(text.refusal);
    else if (mark.kind === "fact") target.facts.push(factOf(mark, text.text, source));
    else if (mark.kind === "working" && mark.closed)
      nearest.working = { session: source.session, text: text.text };
    else if (oneFact(`${mark.title ?? ""}${text.text}`) !== "")
      target.notes.push(noteFrom(mark, text.text, source));
  }
  const saysSomething = ({ text, replaces = [] }: NewFact) => text !== "" || replaces.length > 0;
  return {
    nearest: { ...nearest, facts: nearest.facts.filter(saysSomething) },
    global: { ...global, facts: global.facts.filter(saysSomething) },
    refused,
  };
}

function factOf({ tag, category, tags, key, replaces, until }: Mark, text: string, saidIn: Told): NewFact {
  const { session, message, now } = saidIn;
  const source = { by: tag, session, message, trust: "inferred" as const, tags: tags.flatMap(tagsIn) };
  return {
    text: addressed(key, oneFact(text)),
    ...{ key, replaces, until: until === null ? null : lastDay(until, now) },
    category: category === null ? null : categoryOf(category),
    chat: null,
    source,
  };
}

/** If the reply was cut off inside a working-memory mark, its text becomes a note. */
function noteFrom({ kind, title }: Mark, text: string, { chat }: MarkSource): NewNote {
  return { title: title ?? "Unfinished working memory", text, chat: kind === "chat-note" ? chat : null };
}
