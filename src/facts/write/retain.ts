/** Saves facts for a tool: several as one change, each compared with known facts, each with its source. */
import { realDay } from "../../core/dates/calendar.ts";
import { RetainError, requireText } from "../../core/errors.ts";
import { checked } from "../../core/facts/memory-paths.ts";
import { lastDay, noLastDay } from "../../core/facts/until.ts";
import { withoutRecalled } from "../../core/marks/marks.ts";
import type { FactScope, Trust } from "../../core/memory.ts";
import { squeezed, truncate } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { guarded, guardedFact, type Refusal } from "./guard.ts";
import { categoryOf, tagsIn } from "./remember.ts";
import { byWorkspace, routeFacts } from "./route-facts.ts";
import type { WrittenMarks } from "./write-marks.ts";
import { type NewFact, together, type Written } from "./written.ts";

export interface RetainItem {
  /** One self-contained statement. */
  readonly content: string;
  /** Where it comes from, in a few words. Stored as tags of the fact. */
  readonly context?: string | undefined;
  readonly tags?: readonly string[];
  /** The heading to put it under. */
  readonly category?: string | undefined;
  /**
   * Compare it only with facts that have the same tags, for a memory that several projects share: each has its own tags. A fact that
   * says exactly the same gets the missing tags.
   */
  readonly sameTags?: boolean;
  /** Skip it if a similar fact was saved after `at`: the model that answered has saved it in its own words. */
  readonly unlessSavedSince?: boolean;
  /** When it was said, in ISO 8601. Default: now. */
  readonly at?: string;
  /** Default: "inferred", concluded by a model. */
  readonly trust?: Trust;
  /** The fact's key ("Deploy day"): it replaces the fact that has this key. */
  readonly key?: string | undefined;
  /** Ids of known facts it replaces. If the content is empty, these facts end. */
  readonly replaces?: readonly string[] | undefined;
  /** Its last day: "2026-11-20", "friday", "next week". Default: the day that its content names. */
  readonly until?: string | undefined;
  /** "global" saves it for all projects, "project" for this one. Default: by what it is about. */
  readonly scope?: FactScope | undefined;
}

/** The conversation and message that it comes from, if any. */
export interface RetainSource {
  readonly session: string | null;
  readonly message: number | null;
  /** Who saves it. Default: "retain", the tool. */
  readonly by?: string;
}

export const NO_SOURCE: RetainSource = { session: null, message: null };

/** The outcome for each item; "working" is always unchanged. */
export type Retained = WrittenMarks;

const LONGEST_TAG = 80;

/** Everything reported as saved is durable on return. Reports failed writes instead of throwing. Throws `usage`, `invalid_name`. */
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
    else facts.push(read.fact);
  }
  const outcomes: Outcome[] = [];
  for (const [workspace, own] of byWorkspace(workspaces, facts))
    outcomes.push(await keepFacts(workspaces, workspace, own));
  const { kept, failed } = joined(outcomes);
  return {
    ...together(kept),
    ...(workspaces.remote !== null && { queued: kept.flatMap(({ queued = [] }) => queued) }),
    refused,
    failed,
  };
}

/** Why `retainFacts` would refuse the item; null if it would not. Throws `usage`. */
export function refusalOf(item: RetainItem): string | null {
  const read = factOf(item, NO_SOURCE, new Date());
  return "refusal" in read ? read.refusal.why : null;
}

function factOf(
  {
    content,
    context = "",
    tags: given = [],
    category = "",
    sameTags = false,
    unlessSavedSince = false,
    at,
    trust = "inferred",
    key,
    replaces = [],
    until,
    scope,
  }: RetainItem,
  saidIn: RetainSource,
  now: Date,
): { fact: NewFact } | { refusal: Refusal } {
  requireText(content, "A memory");
  requireText(context, "A context");
  requireText(key ?? "", "A key");
  if (at !== undefined && !isTime(at))
    throw new RetainError(
      "usage",
      `'${at}' is not a time.`,
      "Pass it in ISO 8601, such as 2026-01-31T09:00:00Z.",
    );
  // The word that makes a value a secret ("password") may be in any of them.
  const whole = guarded([content, context, category, key ?? "", ...given].filter(Boolean).join("\n"), false);
  if ("refusal" in whole) return whole;
  const read = guardedFact(withoutRecalled(content), key ?? null, false);
  if ("refusal" in read) return read;
  const { text } = read;
  if (text === "" && replaces.length === 0) {
    const repeats = content.trim() !== "" && withoutRecalled(content).trim() === "";
    const why = repeats ? "it repeats recalled memory" : "it is empty";
    return { refusal: { text: truncate(squeezed(content), LONGEST_TAG), why } };
  }
  const from = at === undefined ? now : new Date(at);
  const day = until === undefined ? null : lastDay(until, from);
  if (until !== undefined && day === null)
    return { refusal: { text, why: `its last day ${noLastDay(until, from)}` } };
  const { by = "retain", session, message } = saidIn;
  const source = { by, session, message, trust, tags: tagsOf([context, ...given]) };
  const asGiven = { context: squeezed(context), tags: tagsOf(given) };
  const since = at === undefined ? {} : { since: at };
  return {
    fact: {
      text,
      category: categoryOf(category),
      sameTags,
      unlessSavedSince,
      chat: null,
      source,
      asGiven,
      key: key ?? null,
      replaces,
      until: day,
      scope,
      ...since,
    },
  };
}

/** Not "2026-02-30T00:00:00Z", which JavaScript reads as 2 March. */
function isTime(at: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:T|$)/.exec(at)?.map(Number) ?? [];
  return realDay(year ?? 0, (month ?? 0) - 1, day ?? 0) !== null && !Number.isNaN(Date.parse(at));
}

function tagsOf(said: readonly string[]): string[] {
  const named = said.flatMap((one) => tagsIn(squeezed(one)));
  return [...new Set(named.map((tag) => truncate(tag, LONGEST_TAG)))];
}

interface Outcome {
  readonly kept: readonly Written[];
  readonly failed: WrittenMarks["failed"];
}

/** If one fact can't be written, saves each as a change of its own, so that the others are saved. */
async function keepFacts(
  workspaces: FactWorkspaces,
  workspace: FactWorkspace,
  facts: readonly NewFact[],
): Promise<Outcome> {
  try {
    const label = facts.every(({ source }) => source.by === "user") ? "remember" : "retain";
    const kept = await routeFacts(workspaces, workspace, label, { facts, notes: [], working: null });
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
