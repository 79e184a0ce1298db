/** A folder of texts, questions and their answers, one JSON object per line. */
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

export interface Turn {
  readonly id: string;
  readonly text: string;
  readonly session?: string | null;
  readonly date?: string | null;
  readonly speaker?: string | null;
  /** Its source, if it is a fact and not a turn. */
  readonly source?: unknown;
}

export interface Question {
  readonly query: string;
  readonly category?: string;
  readonly relevant: readonly string[];
}

export interface Corpus {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** One corpus, or a folder of them; empty if there is none. */
export function findCorpora(directory: string): string[] {
  if (existsSync(join(directory, "corpus.jsonl"))) return [directory];
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => existsSync(join(path, "corpus.jsonl")));
}

export async function loadCorpus(directory: string): Promise<Corpus> {
  const turns = await readLines<Turn>(join(directory, "corpus.jsonl"));
  const questions = await readLines<Question>(join(directory, "queries.jsonl"));
  return {
    name: basename(directory),
    turns,
    questions: questions.filter(({ relevant }) => relevant.length > 0),
  };
}

async function readLines<T>(path: string): Promise<T[]> {
  const text = await Bun.file(path).text();
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);
}
