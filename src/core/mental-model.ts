/**
 * A mental model: a standing question and its answer as a Markdown file that a person may read, edit, pin and commit. A hash per
 * line identifies what Retain wrote, so that manual edits are left alone and erasing a text does not count as an edit.
 */
import { sha256 } from "../util/hash.ts";
import { contentOf, parseMarkdown, printMarkdown, withContent, withFields } from "./documents/frontmatter.ts";

/** By sentences of memories, a language model, a person, or a Hindsight server. */
const ANSWERED_BY = ["extract", "model", "hand", "hindsight"] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

/** "fresh": Retain refreshes it. "pinned" and "edited": only a person changes it. "removed": not created again. */
export type MentalModelState = "fresh" | "pinned" | "edited" | "removed";

/** Each state in words. */
export const MENTAL_MODEL_STATES: Record<MentalModelState, string> = {
  fresh: "auto-refreshed",
  pinned: "pinned",
  edited: "edited by hand",
  removed: "removed",
};

export interface MentalModel {
  readonly name: string;
  /** "" if a person wrote the file without a question. */
  readonly question: string;
  /** Answers use only memories with all of these tags. */
  readonly tags: readonly string[];
  readonly builtIn: boolean;
  readonly state: MentalModelState;
  /** ISO 8601; null if not answered yet. */
  readonly refreshedAt: string | null;
  /** The memories used for the answer. */
  readonly sources: readonly string[];
  /** A hash of their text; null to answer again. */
  readonly fingerprint: string | null;
  readonly by: AnsweredBy | null;
  /** Markdown; "" if not answered yet. */
  readonly answer: string;
  /** Whether it is exactly as Retain wrote it. */
  readonly isAsWritten: boolean;
  /** Why its frontmatter is invalid, or null. */
  readonly problem: string | null;
}

interface MentalModelAnswer {
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

/** A text without a question can't be answered again, so it counts as pinned. */
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

/** One hash per line, joined. */
function marksOf(answer: string): string {
  return answer.split("\n").map(markOf).join("");
}

function markOf(line: string): string {
  return sha256(line.trimEnd()).slice(0, MARK_LENGTH);
}

function markAt(mark: string, index: number): string {
  return mark.slice(index * MARK_LENGTH, (index + 1) * MARK_LENGTH);
}

/** Line endings changed by git or an editor don't count as an edit. */
function answerIn(body: string): string {
  return body.replaceAll("\r\n", "\n").trim();
}

function textsIn(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === "string" || typeof one === "number").map(String);
}

/** YAML may have parsed it as a date. */
function momentIn(value: unknown): string | null {
  const moment = value instanceof Date ? value : typeof value === "string" ? new Date(value) : null;
  return moment === null || Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

interface NewMentalModel {
  readonly question: string;
  readonly tags: readonly string[];
  readonly builtIn: boolean;
}

/** The file of a new question. */
export function newModel({ question, tags, builtIn }: NewMentalModel): string {
  const fields = {
    question,
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(builtIn && { built_in: true }),
  };
  return printMarkdown(withFields(parseMarkdown(""), fields));
}

/** The file with a new answer; other frontmatter fields stay. */
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

/** The placeholder for a removed built-in mental model, so that it is not created again. */
export function removedModel({ question }: Pick<NewMentalModel, "question">, at: string): string {
  const fields = { question, built_in: true, removed: true, removed_at: at };
  const said = "This mental model was removed. While this file is here, it is not made again.\n";
  return printMarkdown(withContent(withFields(parseMarkdown(""), fields), said));
}
