/** Table 2: whole cold processes, on a workspace of short embedded notes. */

import { openRetain } from "../../src/index.ts";
import { ms, printTable, RETAIN, spawn, type Timing, timeInTurn } from "../measure.ts";
import type { Note, NoteCorpus, Question } from "./notes.ts";
import { run } from "./processes.ts";

type Environment = Record<string, string | undefined>;

export interface Filling {
  /** Documents per second, durable. */
  readonly putsPerSecond: number;
  readonly vectorsPerSecond: number;
}

export const ROUNDS = 20;
/** Goals as multiples of `node -e 1`. */
const BARS: Record<string, number> = { "retain search": 2.5, "retain search --text": 1.2, "retain get": 0.6 };

/** A home workspace with these notes, all embedded. */
export async function fillNotes({ notes }: NoteCorpus, env: Environment): Promise<Filling> {
  const retain = openRetain({ env, onWarning: (message) => console.error(message) });
  try {
    const sources = notes.map(({ id, collection, text }) => ({
      name: id,
      read: () => ({ content: text, id, collection }),
    }));
    const count = notes.length.toLocaleString("en");
    console.error(`Storing ${count} notes ...`);
    const start = performance.now();
    const { failed } = await retain.documents.putMany(sources);
    const stored = performance.now();
    if (failed.length > 0) throw new Error(`${failed.length} notes not stored: ${failed[0]?.error.message}`);
    console.error(`Embedding ${count} notes; 10,000 take a minute or more ...`);
    const { waiting } = await retain.index.embed();
    const embedded = performance.now();
    if (waiting > 0) throw new Error(`${waiting} notes are not embedded`);
    return {
      putsPerSecond: (notes.length / (stored - start)) * 1_000,
      vectorsPerSecond: (notes.length / (embedded - stored)) * 1_000,
    };
  } finally {
    retain.close();
  }
}

export async function measureCold(
  { notes, questions }: NoteCorpus,
  env: Environment,
): Promise<Record<string, Timing>> {
  console.error("Whole processes ...");
  await checkMeaning(env);
  const query = (round: number) => (questions[round % questions.length] as Question).query;
  const id = (round: number) => (notes[(round * 37) % notes.length] as Note).id;
  return timeInTurn(
    {
      "node -e 1": () => spawn(["node", "-e", "1"], env),
      "retain search": (round) => spawn([RETAIN, "search", query(round)], env),
      "retain search --text": (round) => spawn([RETAIN, "search", "--text", query(round)], env),
      "retain search --semantic": (round) => spawn([RETAIN, "search", "--semantic", query(round)], env),
      "retain recall": (round) => spawn([RETAIN, "recall", query(round)], env),
      "retain get": (round) => spawn([RETAIN, "get", id(round)], env),
    },
    ROUNDS,
  );
}

/** Throws if a search uses keywords only, which would be faster than claimed. */
export async function checkMeaning(env: Environment): Promise<void> {
  const printed = await run([RETAIN, "search", "--json", "anything"], { env, limitMs: 60_000 });
  const { by } = (JSON.parse(printed) as { data: { by: string } }).data;
  if (by !== "both") throw new Error(`'retain search' used '${by}' instead of 'both'; is dist/ up to date?`);
}

export function printCold(timings: Record<string, Timing>, documents: number): void {
  const node = timings["node -e 1"]?.p50 ?? Number.NaN;
  printTable(
    [`whole process, ${documents.toLocaleString("en")} documents`, "p50 ms", "p95 ms", "of node -e 1", "bar"],
    Object.entries(timings).map(([name, { p50, p95 }]) => [
      name,
      ms(p50),
      ms(p95),
      (p50 / node).toFixed(2),
      BARS[name]?.toString() ?? "",
    ]),
  );
}
