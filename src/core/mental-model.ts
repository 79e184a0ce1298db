/**
 * A mental model: a standing question, and its answer as a Markdown file that a person may read, edit, pin and commit. What Retain
 * wrote is known again by a mark for each line, so that a hand's edit is left alone, and a text that was forgotten is no edit.
 */
import { sha256 } from "../util/hash.ts";
import { contentOf, parseMarkdown, printMarkdown, withContent, withFields } from "./documents/frontmatter.ts";

/** Sentences of memories, a model's words, a person's, or a Hindsight server's. */
const ANSWERED_BY = ["extract", "model", "hand", "hindsight"] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

/** "fresh": Retain keeps it so. "pinned" and "edited" ones are a person's to change. "removed": not to be made again. */
export type MentalModelState = "fresh" | "pinned" | "edited" | "removed";

export interface MentalModel {
  readonly name: string;
  /** "" where the file is a text of a person's own. */
  readonly question: string;
  /** Only what has all of these is asked for an answer. */
  readonly tags: readonly string[];
  readonly builtIn: boolean;
  readonly state: MentalModelState;
  /** ISO 8601; null where nobody has answered yet. */
  readonly refreshedAt: string | null;
  /** The memories that the answer was made from. */
  readonly sources: readonly string[];
  /** Of what those said; null where it is to be answered anew. */
  readonly fingerprint: string | null;
  readonly by: AnsweredBy | null;
  /** Markdown; "" while there is none. */
  readonly answer: string;
  /** Whether each character of it is as Retain wrote it. */
  readonly isAsWritten: boolean;
  /** Why its frontmatter cannot be read; null normally. */
  readonly problem: string | null;
}

export interface MentalModelAnswer {
  readonly text: string;
  readonly by: AnsweredBy;
  /** ISO 8601. */
  readonly at: string;
  readonly sources: readonly string[];
  readonly fingerprint: string | null;
}

export function parseMentalModel(name: string, text: string): MentalModel {
  const file = parseMarkdown(text);
  const { question, tags, built_in, sources, fingerprint, written, by, refreshed_at } = file.fields;
  const answer = answerIn(contentOf(file));
  const asked = typeof question === "string" ? question.trim() : "";
  const mark = typeof written === "string" ? written : null;
  const model = {
    name,
    question: asked,
    tags: textsIn(tags),
    builtIn: built_in === true,
    state: stateOf({ ...file.fields, question: asked }, answer, mark),
    refreshedAt: momentIn(refreshed_at),
    sources: textsIn(sources),
    fingerprint: typeof fingerprint === "string" ? fingerprint : null,
    by: ANSWERED_BY.find((one) => one === by) ?? null,
    answer,
    isAsWritten: mark === marksOf(answer),
  };
  if (file.problem === null) return { ...model, problem: null };
  const problem = `Invalid frontmatter, line ${file.problem.line}: ${file.problem.message}.`;
  return { ...model, state: "pinned", problem };
}

/** A text without a question cannot be answered anew: it counts as pinned. */
function stateOf(
  { question, pinned, removed }: Readonly<Record<string, unknown>>,
  answer: string,
  mark: string | null,
): MentalModelState {
  if (removed === true) return "removed";
  if (pinned === true || question === "") return "pinned";
  return isOurs(answer, mark) ? "fresh" : "edited";
}

const FORGOTTEN = "[forgotten]";
const MARK_LENGTH = 6;

function isOurs(answer: string, mark: string | null): boolean {
  if (mark === null) return answer === "";
  const lines = answer.split("\n");
  return (
    mark.length === lines.length * MARK_LENGTH &&
    lines.every((line, index) => line.includes(FORGOTTEN) || markOf(line) === markAt(mark, index))
  );
}

/** One for each line, joined. */
function marksOf(answer: string): string {
  return answer.split("\n").map(markOf).join("");
}

function markOf(line: string): string {
  return sha256(line.trimEnd()).slice(0, MARK_LENGTH);
}

function markAt(mark: string, index: number): string {
  return mark.slice(index * MARK_LENGTH, (index + 1) * MARK_LENGTH);
}

/** Line ends that git or an editor changed are no edit. */
function answerIn(body: string): string {
  return body.replaceAll("\r\n", "\n").trim();
}

function textsIn(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === "string" || typeof one === "number").map(String);
}

/** YAML may have read it as a date. */
function momentIn(value: unknown): string | null {
  const moment = value instanceof Date ? value : typeof value === "string" ? new Date(value) : null;
  return moment === null || Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

export interface NewMentalModel {
  readonly question: string;
  readonly tags: readonly string[];
  readonly builtIn: boolean;
}

/** The file of a question that nobody has answered yet. */
export function newModel({ question, tags, builtIn }: NewMentalModel): string {
  const fields = {
    question,
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(builtIn && { built_in: true }),
  };
  return printMarkdown(withFields(parseMarkdown(""), fields));
}

/** The file with another answer; other fields of its frontmatter stay as they are. */
export function withAnswer(file: string, { text, by, at, sources, fingerprint }: MentalModelAnswer): string {
  const answer = answerIn(text);
  const fields = {
    by,
    refreshed_at: at,
    sources: sources.length > 0 ? [...sources] : undefined,
    fingerprint: fingerprint ?? undefined,
    written: marksOf(answer),
  };
  return printMarkdown(
    withContent(withFields(parseMarkdown(file), fields), answer === "" ? "" : `${answer}\n`),
  );
}

export function withPin(file: string, pinned: boolean): string {
  return printMarkdown(withFields(parseMarkdown(file), { pinned: pinned ? true : undefined }));
}

/** What stays of a built-in one, so that it is not made again. */
export function removedModel({ question }: Pick<NewMentalModel, "question">, at: string): string {
  const fields = { question, built_in: true, removed: true, removed_at: at };
  const said = "This mental model was removed. While this file is here, it is not made again.\n";
  return printMarkdown(withContent(withFields(parseMarkdown(""), fields), said));
}
