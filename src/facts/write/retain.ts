/** Keeps what a tool is told to keep: several facts as one change, each compared with what is known, each with its source. */
import { RetainError } from "../../core/errors.ts";
import { checked } from "../../core/facts/memory-paths.ts";
import { lastDay } from "../../core/facts/until.ts";
import { withoutRecalled } from "../../core/marks/marks.ts";
import type { Trust } from "../../core/memory.ts";
import { squeezed, truncate } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { guarded, type Refusal, requireText } from "./guard.ts";
import { addressed, oneFact, tagsIn } from "./remember.ts";
import { endingApart, holderOf, routeFacts } from "./route-facts.ts";
import { type NewFact, together, type Written } from "./write-facts.ts";
import type { WrittenMarks } from "./write-marks.ts";

export interface RetainItem {
  /** One statement that is understood by itself. */
  readonly content: string;
  /** Where it comes from, in a few words: kept as tags of the fact. */
  readonly context?: string | undefined;
  readonly tags?: readonly string[];
  /** When it was said, ISO 8601; by default now. */
  readonly at?: string;
  /** By default "inferred": a model concluded it. */
  readonly trust?: Trust;
  /** Where to keep it ("Deploy day"): it replaces what was kept there. */
  readonly key?: string | undefined;
  /** Ids of known facts that it replaces. With an empty content, these end. */
  readonly replaces?: readonly string[] | undefined;
  /** The last day on which it holds: "2026-11-20", "friday", "next week". By default the one that its content names. */
  readonly until?: string | undefined;
}

/** The conversation that it is kept in, and the message that asked for it, as far as there are any. */
export interface RetainSource {
  readonly session: string | null;
  readonly message: number | null;
  /** Who keeps it; "retain" by default, the tool. */
  readonly by?: string;
}

export const NO_SOURCE: RetainSource = { session: null, message: null };

/** What became of each item; "working" is unchanged always. */
export type Retained = WrittenMarks;

const LONGEST_TAG = 80;

/** What is counted as saved is stored by then; what could not be is told and throws nothing. Throws `usage`, `invalid_name`. */
export async function retainFacts(
  workspaces: FactWorkspaces,
  items: readonly RetainItem[],
  saidIn: RetainSource,
): Promise<Retained> {
  const session = saidIn.session === null ? null : checked("session", saidIn.session);
  const source = { ...saidIn, session };
  const refused: Refusal[] = [];
  const facts: NewFact[] = [];
  for (const item of items) {
    const read = factOf(item, source, workspaces.nearest.clock());
    if ("refusal" in read) refused.push(read.refusal);
    else facts.push(...endingApart(read.fact));
  }
  const outcomes: Outcome[] = [];
  for (const [workspace, own] of Map.groupBy(
    facts,
    (fact) => holderOf(workspaces, fact) ?? workspaces.nearest,
  ))
    outcomes.push(await keepFacts(workspaces, workspace, own));
  const { kept, failed } = joined(outcomes);
  return {
    ...together(kept),
    ...(workspaces.remote !== null && { queued: kept.flatMap(({ queued = [] }) => queued) }),
    refused,
    failed,
  };
}

function factOf(
  { content, context = "", tags: given = [], at, trust = "inferred", key, replaces = [], until }: RetainItem,
  saidIn: RetainSource,
  now: Date,
): { fact: NewFact } | { refusal: Refusal } {
  requireText(content, "A memory");
  requireText(context, "A context");
  requireText(key ?? "", "A key");
  // What says that a value is a secret may stand in either.
  const whole = guarded([content, context, key ?? "", ...given].filter(Boolean).join("\n"), false);
  if ("refusal" in whole) return whole;
  const read = guarded(withoutRecalled(content), false);
  if ("refusal" in read) return read;
  const text = addressed(key ?? null, oneFact(read.text));
  if (text === "" && replaces.length === 0) {
    const repeats = content.trim() !== "" && withoutRecalled(content).trim() === "";
    const why = repeats ? "it repeats what was recalled" : "there is nothing in it to keep";
    return { refusal: { text: truncate(squeezed(content), LONGEST_TAG), why } };
  }
  const day = until === undefined ? null : lastDay(until, at === undefined ? now : new Date(at));
  if (until !== undefined && day === null)
    return { refusal: { text, why: `until ${JSON.stringify(until)} is not a day from today on` } };
  const { by = "retain", session, message } = saidIn;
  const source = { by, session, message, trust, tags: tagsOf([context, ...given]) };
  const told = { context: squeezed(context), tags: tagsOf(given) };
  const since = at === undefined ? {} : { since: at };
  return {
    fact: {
      text,
      category: null,
      chat: null,
      source,
      told,
      key: key ?? null,
      replaces,
      until: day,
      ...since,
    },
  };
}

function tagsOf(said: readonly string[]): string[] {
  const named = said.flatMap((one) => tagsIn(squeezed(one)));
  return [...new Set(named.map((tag) => truncate(tag, LONGEST_TAG)))];
}

interface Outcome {
  readonly kept: readonly Written[];
  readonly failed: WrittenMarks["failed"];
}

/** One that cannot be written does not keep the others out: then each is a change of its own. */
async function keepFacts(
  workspaces: FactWorkspaces,
  workspace: FactWorkspace,
  facts: readonly NewFact[],
): Promise<Outcome> {
  try {
    const kept = await routeFacts(workspaces, workspace, "retain", { facts, notes: [], working: null });
    return { kept: [kept], failed: [...kept.failed] };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    if (error.code !== "invalid_input" || facts.length === 1)
      return { kept: [], failed: facts.map(({ text }) => ({ text, why: error.message })) };
  }
  const outcomes: Outcome[] = [];
  for (const fact of facts) outcomes.push(await keepFacts(workspaces, workspace, [fact]));
  return joined(outcomes);
}

function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    kept: outcomes.flatMap(({ kept }) => kept),
    failed: outcomes.flatMap(({ failed }) => failed),
  };
}
