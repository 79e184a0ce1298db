/** Keeps what a tool is told to keep: several facts as one change, each compared with what is known, each with its source. */
import { RetainError } from "../core/errors.ts";
import { withoutRecalled } from "../core/marks.ts";
import { checked } from "../core/memory-paths.ts";
import { squeezed, truncate } from "../util/text.ts";
import { comparison } from "./compare.ts";
import { guarded, type Refusal, requireText } from "./guard.ts";
import { type Kept, keep, type NewFact } from "./keep.ts";
import type { KeptMarks } from "./keep-marks.ts";
import type { RetentionPlaces } from "./ports.ts";
import { oneFact, tagsIn } from "./remember.ts";

export interface RetainItem {
  /** One statement that is understood by itself. */
  readonly content: string;
  /** Where it comes from, in a few words: kept as tags of the fact. */
  readonly context?: string | undefined;
}

/** The conversation that it is kept in, and the message that asked for it, as far as there are any. */
export interface RetainOrigin {
  readonly session: string | null;
  readonly message: number | null;
}

export const NO_ORIGIN: RetainOrigin = { session: null, message: null };

/** What became of each item; "working" is unchanged always. */
export type Retained = KeptMarks;

const LONGEST_TAG = 80;

/** What is counted as saved is stored by then; what could not be is told and throws nothing. Throws `usage`, `invalid_name`. */
export async function retainFacts(
  places: RetentionPlaces,
  items: readonly RetainItem[],
  origin: RetainOrigin,
): Promise<Retained> {
  if (origin.session !== null) checked("session", origin.session);
  const refused: Refusal[] = [];
  const facts: NewFact[] = [];
  for (const item of items) {
    const read = factOf(item, origin);
    if ("refusal" in read) refused.push(read.refusal);
    else facts.push(read.fact);
  }
  const { kept, failed } = await keepFacts(places, facts);
  return {
    saved: kept.flatMap(({ saved }) => saved),
    skipped: kept.flatMap(({ skipped }) => skipped),
    superseded: kept.flatMap(({ superseded }) => superseded),
    working: "unchanged",
    refused,
    failed,
  };
}

function factOf(
  { content, context = "" }: RetainItem,
  origin: RetainOrigin,
): { fact: NewFact } | { refusal: Refusal } {
  requireText(content, "A memory");
  requireText(context, "A context");
  // What says that a value is a secret may stand in either.
  const whole = guarded([content, context].filter(Boolean).join("\n"), false);
  if ("refusal" in whole) return whole;
  const read = guarded(withoutRecalled(content), false);
  if ("refusal" in read) return read;
  const text = oneFact(read.text);
  if (text === "") {
    const repeats = content.trim() !== "" && withoutRecalled(content).trim() === "";
    const why = repeats ? "it repeats what was recalled" : "there is nothing in it to keep";
    return { refusal: { text: truncate(squeezed(content), LONGEST_TAG), why } };
  }
  const tags = tagsIn(squeezed(context)).map((tag) => truncate(tag, LONGEST_TAG));
  return {
    fact: { text, category: null, chat: null, source: { by: "retain", ...origin, trust: "inferred", tags } },
  };
}

interface Outcome {
  readonly kept: readonly Kept[];
  readonly failed: KeptMarks["failed"];
}

/** One that cannot be written does not keep the others out: then each is a change of its own. */
async function keepFacts(places: RetentionPlaces, facts: readonly NewFact[]): Promise<Outcome> {
  const { nearest, embedders } = places;
  if (facts.length === 0) return { kept: [], failed: [] };
  try {
    const compare = await comparison(nearest, embedders, facts);
    return {
      kept: [await keep(nearest, "retain", { facts, notes: [], working: null }, compare)],
      failed: [],
    };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    if (error.code !== "invalid_input" || facts.length === 1)
      return { kept: [], failed: facts.map(({ text }) => ({ text, why: error.message })) };
  }
  const outcomes: Outcome[] = [];
  for (const fact of facts) outcomes.push(await keepFacts(places, [fact]));
  return {
    kept: outcomes.flatMap(({ kept }) => kept),
    failed: outcomes.flatMap(({ failed }) => failed),
  };
}
