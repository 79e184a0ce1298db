/**
 * Answers a standing question from recalled memories: with a model, whose citations are checked, otherwise with sentences from the
 * memories. The answer goes into every conversation, so an answer without sources is discarded.
 */
import PROMPT from "../../../prompts/mental-model.md" with { type: "text" };
import { dayOf } from "../../context/recalled.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { readReply } from "../../core/marks/marks.ts";
import { storable } from "../../core/secrets/storable.ts";
import { asModel } from "../../llm/complete.ts";
import type { RecallHit } from "../../recall/recall.ts";
import { sha256 } from "../../util/hash.ts";
import { stripAnsi } from "../../util/runtime.ts";
import { oneLine, truncate, withoutControls } from "../../util/text.ts";
import { checkCitations } from "../reflect/citations.ts";
import { digest } from "../reflect/digest.ts";
import { citedAs, type Passage, Passages } from "../reflect/passages.ts";
import type { MentalModelSources } from "./built-in.ts";
import type { Writer } from "./ports.ts";

export interface Answer {
  /** Markdown; "" if the memories have no answer. */
  readonly text: string;
  readonly by: "model" | "extract";
  /** The ids of the memories used. */
  readonly sources: readonly string[];
  /** Why a model that was asked didn't write it. */
  readonly problem: string | null;
}

const MOST_WORDS = 350;
/** Tokens of memories. */
const MOST_TOKENS = 6_000;
/** Characters of one statement in a list. */
const LONGEST_LINE = 300;
const SHARE_OF_CONTEXT = 0.4;
/** Memories per answer. */
const MOST_PARTS = 30;
/** Minimum for a text that shares no word with the question: lower similarity is chance. */
const LEAST_MEANING = 0.09;
/** Score parts that change with time and use: they would make an answer look outdated when it isn't. */
const PASSING = new Set(["age", "recalled"]);

/**
 * The memories for an answer, best first; stable as long as their texts don't change. A standing question is broad, so a memory that
 * shares a word with it counts, however much better another one matches.
 */
export function relevant(hits: readonly RecallHit[]): RecallHit[] {
  return hits
    .filter(({ guessed, parts }) => !guessed && hasEvidence(parts))
    .map((hit) => ({ hit, score: lastingScore(hit) }))
    .sort((a, b) => b.score - a.score || (nameOf(a.hit) < nameOf(b.hit) ? -1 : 1))
    .slice(0, MOST_PARTS)
    .map(({ hit }) => hit);
}

function hasEvidence(parts: RecallHit["parts"]): boolean {
  return parts.some(
    ({ name, value }) =>
      name === "words" || name === "every word" || (name === "meaning" && value >= LEAST_MEANING),
  );
}

function lastingScore({ parts }: RecallHit): number {
  return parts.reduce((sum, { name, value }) => (PASSING.has(name) ? sum : sum + value), 0);
}

/** Covers the question and the recalled memories, in any order. */
export function fingerprintOf(question: string, hits: readonly RecallHit[]): string {
  return sha256([question, ...hits.map(nameOf).sort()].join("\n")).slice(0, 16);
}

function nameOf(hit: RecallHit): string {
  return `${citedAs(hit)} ${sha256(hit.text)}`;
}

/** Throws `interrupted` if the signal aborts. */
export async function answer(
  question: string,
  hits: readonly RecallHit[],
  { model, onUsage, signal }: Writer,
  from: MentalModelSources,
): Promise<Answer> {
  const passages = new Passages();
  passages.add(hits, roomFor(model));
  const sources = [...passages.ids];
  if (sources.length === 0) return { text: "", by: "extract", sources, problem: null };
  const writer = model === null ? null : "stream" in model ? asModel(model, signal, onUsage) : model;
  let problem: string | null = null;
  if (writer !== null) {
    const written = await write(() => writer.complete(promptOf(question, passages)), passages.ids, signal);
    if ("text" in written) return { ...written, by: "model", sources, problem };
    problem = written.problem;
  }
  if (from === "person") return { text: clean(dated(passages.all)), by: "extract", sources, problem };
  const { answer: said, cited } = digest(passages.all, question);
  return { text: cited.length === 0 ? "" : clean(said), by: "extract", sources, problem };
}

/** Newest last: later statements count more. */
function dated(passages: readonly Passage[]): string {
  return passages
    .toSorted((a, b) => (a.hit.at ?? 0) - (b.hit.at ?? 0))
    .map(
      ({ id, text, hit }) =>
        `- ${[...dayOf(hit.at), truncate(oneLine(text), LONGEST_LINE)].join(": ")} [${id}]`,
    )
    .join("\n");
}

type Written = { readonly text: string } | { readonly problem: string };

async function write(
  ask: () => Promise<string>,
  known: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<Written> {
  let reply: string;
  try {
    reply = await ask();
  } catch (error) {
    if (signal?.aborted) throw stopped();
    if (!(error instanceof RetainError)) throw error;
    return { problem: messageOf(error) };
  }
  if (signal?.aborted) throw stopped();
  const said = clean(readReply(reply).visible);
  if (/^`?NOTHING`?\.?$/.test(said)) return { text: "" };
  const { text, cited } = checkCitations(said, known);
  if (said === "") return { problem: "The model's answer was empty." };
  return cited.length === 0 ? { problem: "The model cited no sources." } : { text: text.trim() };
}

/** Removes private, secret and recalled text, and control characters. */
export function clean(text: string): string {
  return storable(withoutControls(stripAnsi(text.replaceAll("\r\n", "\n"))), false).trim();
}

function promptOf(question: string, passages: Passages): string {
  const values: Readonly<Record<string, string>> = {
    words: String(MOST_WORDS),
    question: question.replaceAll("</question", "<\\/question"),
    memories: passages.text,
  };
  return PROMPT.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
}

function roomFor(model: Writer["model"]): number {
  if (model === null || !("stream" in model)) return MOST_TOKENS;
  return Math.min(MOST_TOKENS, Math.floor(model.contextTokens * SHARE_OF_CONTEXT));
}

function stopped(): RetainError {
  return new RetainError("interrupted", "Stopped.");
}
