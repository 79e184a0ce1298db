/** Short notes in five collections, and questions answered by one note each. Fixed seed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryGenerator } from "./generate.ts";

export interface Note {
  readonly id: string;
  readonly collection: string;
  readonly text: string;
}

export interface Question {
  readonly query: string;
  /** The rarest word that the question shares with the note, as for grep. */
  readonly keyword: string;
  /** The id of the source note. */
  readonly answer: string;
}

export interface NoteCorpus {
  readonly notes: readonly Note[];
  readonly questions: readonly Question[];
  /** Warm-up questions about other notes, since answers may be cached. */
  readonly warmUp: readonly Question[];
  /** Texts that are not among the notes. */
  readonly more: readonly string[];
}

const SEED = 11;
const COLLECTIONS = 5;
const QUESTIONS = 60;
const WARM_UP = 30;
const MORE = 20;

const SENTENCES = [
  "The # of the # is kept in # and not in #.",
  "We moved # from # to # because the # was too #.",
  "# said that # and # need a # before the next #.",
  "After the # failed, # went back to # with a # in it.",
  "Every # has its own #, so that # can be # without #.",
  "It was # who asked for # and #; the # came later, with #.",
  "Remember to # the # whenever # changes its # or its #.",
  "There is no # for # yet, but # will write one after the #.",
];
const ASKING = [
  "What do we know about # and #, as far as # is concerned?",
  "Why did we choose # for # instead of #?",
  "How does the # work with # and #?",
  "Who was it that wanted # to have # with #?",
  "Where did I write down that # depends on # and #?",
  "When should # be used together with # or #?",
];

export function makeNotes(count: number): NoteCorpus {
  const generator = new MemoryGenerator(SEED);
  const made = Array.from({ length: count }, () => writeNote(generator));
  const frequency = new Map<string, number>();
  for (const { words } of made) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);

  const step = Math.max(1, Math.floor(count / (QUESTIONS + WARM_UP)));
  const questions = Array.from({ length: Math.min(count, QUESTIONS + WARM_UP) }, (_, index): Question => {
    const words = someOf([...(made[index * step]?.words ?? [])], 3, generator);
    const [keyword = ""] = words.toSorted((a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0));
    const query = fill(ASKING[index % ASKING.length] ?? "", words);
    return { query, keyword, answer: idOf(index * step) };
  });
  return {
    notes: made.map(({ text }, index) => ({
      id: idOf(index),
      collection: `collection-${index % COLLECTIONS}`,
      text,
    })),
    questions: questions.slice(0, QUESTIONS),
    warmUp: questions.slice(QUESTIONS),
    more: Array.from({ length: MORE }, () => writeNote(generator).text),
  };
}

/** Plain text files, one folder per collection. */
export function writeNotes(notes: readonly Note[], directory: string): void {
  for (const { collection } of notes.slice(0, COLLECTIONS))
    mkdirSync(join(directory, collection), { recursive: true });
  for (const { id, collection, text } of notes)
    writeFileSync(join(directory, collection, `${id}.md`), `${text}\n`);
}

function idOf(index: number): string {
  return `note-${index}`;
}

/** One or two sentences, and the words unique to the note. */
function writeNote(generator: MemoryGenerator): { text: string; words: Set<string> } {
  const words: string[] = [];
  const sentences = Array.from({ length: 1 + Math.floor(generator.random() * 2) }, () => {
    const pattern = SENTENCES[Math.floor(generator.random() * SENTENCES.length)] ?? "";
    const own = Array.from(pattern.matchAll(/#/g), () => generator.contentWord());
    words.push(...own);
    return fill(pattern, own);
  });
  return { text: sentences.join(" "), words: new Set(words) };
}

function fill(pattern: string, words: readonly string[]): string {
  let next = 0;
  const sentence = pattern.replaceAll("#", () => words[next++] ?? "");
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function someOf(words: string[], count: number, generator: MemoryGenerator): string[] {
  while (words.length > count) words.splice(Math.floor(generator.random() * words.length), 1);
  return words;
}
