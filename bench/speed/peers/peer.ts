/** Measures a memory from outside, in the same way for Retain and its alternatives. */
import { readFileSync } from "node:fs";
import { summarise, type Timing } from "../../measure.ts";
import type { NoteCorpus, Question } from "../notes.ts";

/** The setup file of a peer's process. */
export interface PeerSetup {
  readonly corpus: NoteCorpus;
  /** The notes as plain files. */
  readonly files: string;
  /** The peer's working directory. */
  readonly scratch: string;
  /** Its node_modules; "" if it needs none. */
  readonly modules: string;
  /** The search mode, if it has several. */
  readonly mode: string;
}

export interface Peer {
  /** Writes all notes; undefined if they already exist. */
  fill?(): Promise<void>;
  /** Ids of notes, best first. */
  search(query: string): Promise<readonly string[]>;
  /** Adds one note to the full store; undefined if there is no store. */
  put?(text: string, number: number): Promise<void>;
  /** Waits for background work after a put. */
  settle?(): Promise<void>;
  close?(): void | Promise<void>;
}

export interface PeerFigures {
  /** Notes per second in bulk; null if nothing is written. */
  perSecond: number | null;
  put: Timing | null;
  /** A whole question, and only its rarest word. */
  question: Timing;
  word: Timing;
  /** How many of `asked` found their note among the first ten. */
  foundByQuestion: number;
  foundByWord: number;
  asked: number;
}

const FIRST = 10;
const PUTTING_LIMIT_MS = 20_000;

/** Runs in a peer's process: opens, fills and queries it, and prints the figures. */
export async function measurePeer(open: (setup: PeerSetup) => Promise<Peer>): Promise<void> {
  const setup = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as PeerSetup;
  const { notes, questions, warmUp, more } = setup.corpus;
  const peer = await open(setup);
  const start = performance.now();
  await peer.fill?.();
  const perSecond = peer.fill === undefined ? null : (notes.length / (performance.now() - start)) * 1_000;
  const byQuestion = await ask(peer, questions, warmUp, ({ query }) => query);
  const byWord = await ask(peer, questions, warmUp, ({ keyword }) => keyword);
  const figures: PeerFigures = {
    perSecond,
    put: await timePuts(peer, more),
    question: byQuestion.timing,
    word: byWord.timing,
    foundByQuestion: byQuestion.found,
    foundByWord: byWord.found,
    asked: questions.length,
  };
  await peer.close?.();
  console.log(JSON.stringify(figures));
  process.exit(0);
}

/** Each question once, since a repetition may come from a cache. */
async function ask(
  peer: Peer,
  questions: readonly Question[],
  warmUp: readonly Question[],
  wordsOf: (question: Question) => string,
): Promise<{ timing: Timing; found: number }> {
  for (const question of warmUp) await peer.search(wordsOf(question));
  const samples: number[] = [];
  let found = 0;
  for (const question of questions) {
    const start = performance.now();
    const answers = await peer.search(wordsOf(question));
    samples.push(performance.now() - start);
    if (answers.slice(0, FIRST).includes(question.answer)) found++;
  }
  return { timing: summarise(samples), found };
}

async function timePuts(peer: Peer, texts: readonly string[]): Promise<Timing | null> {
  if (peer.put === undefined) return null;
  const samples: number[] = [];
  const begun = performance.now();
  for (const [number, text] of texts.entries()) {
    const start = performance.now();
    await peer.put(text, number);
    samples.push(performance.now() - start);
    await peer.settle?.();
    if (performance.now() - begun > PUTTING_LIMIT_MS) break;
  }
  return summarise(samples);
}
