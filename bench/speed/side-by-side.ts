/** Table 3: the same notes and questions for Retain and its alternatives, in one run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn, type Timing, timeInTurn } from "../measure.ts";
import { type Filling, ROUNDS } from "./cold.ts";
import { type NoteCorpus, type Question, writeNotes } from "./notes.ts";
import { CANDIDATES, type Candidate } from "./peers/candidates.ts";
import { install } from "./peers/install.ts";
import type { OneShot, OneShotSetup } from "./peers/one-shot.ts";
import type { PeerFigures, PeerSetup } from "./peers/peer.ts";
import { runForJson } from "./processes.ts";

type Environment = Record<string, string | undefined>;

export interface SideBySide {
  readonly notes: number;
  /** Retain's own. */
  readonly vectorsPerSecond: number;
  readonly figures: Record<string, PeerFigures>;
  /** Whole processes in turn, including `node -e 1`. */
  readonly oneShots: Record<string, Timing>;
  /** Candidates left out, and why. */
  readonly remarks: readonly string[];
}

interface Place {
  readonly root: string;
  /** Where packages are installed. */
  readonly packages: string;
  /** Points to the workspace of the notes. */
  readonly env: Environment;
}

const LIMIT_MS = 1_200_000;
export const NODE = "node -e 1";

export async function measureSideBySide(
  corpus: NoteCorpus,
  filling: Filling,
  place: Place,
): Promise<SideBySide> {
  const files = join(place.root, "notes");
  writeNotes(corpus.notes, files);
  const figures: Record<string, PeerFigures> = {};
  const ready: Record<string, OneShot> = { [NODE]: () => spawn(["node", "-e", "1"]) };
  const remarks: string[] = [];
  for (const candidate of CANDIDATES) {
    const { name, script, prepareOneShot } = candidate;
    console.error(`${name} ...`);
    try {
      const modules = candidate.package === null ? "" : await install(candidate.package, place.packages);
      const scratch = join(place.root, `${script}-${candidate.mode}`);
      const setup = { env: withoutHome(place.env, scratch), modules, scratch, files };
      const own = await fillAndAsk(candidate, corpus, setup);
      figures[name] = script === "retain" ? { ...own, perSecond: filling.putsPerSecond } : own;
      const oneShot = (await prepareOneShot?.(setup)) ?? null;
      await oneShot?.(corpus.questions[0] as Question);
      if (oneShot !== null) ready[name] = oneShot;
    } catch (error) {
      remarks.push(`${name}: ${figures[name] === undefined ? "left out" : "no command"}: ${reasonOf(error)}`);
    }
  }
  const oneShots = await timeOneShots(ready, corpus.questions, remarks);
  return {
    notes: corpus.notes.length,
    vectorsPerSecond: filling.vectorsPerSecond,
    figures,
    oneShots,
    remarks,
  };
}

/** In turn. A failing one is not run again and has no figure. */
async function timeOneShots(
  ready: Record<string, OneShot>,
  questions: readonly Question[],
  remarks: string[],
): Promise<Record<string, Timing>> {
  console.error("Commands in turn ...");
  const failed = new Set<string>();
  const candidates = Object.entries(ready).map(([name, oneShot]) => {
    const once = async (round: number) => {
      if (failed.has(name)) return;
      try {
        await oneShot(questions[round % questions.length] as Question);
      } catch (error) {
        failed.add(name);
        remarks.push(`${name}: no command: ${reasonOf(error)}`);
      }
    };
    return [name, once] as const;
  });
  const timings = await timeInTurn(Object.fromEntries(candidates), ROUNDS);
  return Object.fromEntries(Object.entries(timings).filter(([name]) => !failed.has(name)));
}

async function fillAndAsk(
  { script, mode }: Candidate,
  corpus: NoteCorpus,
  { env, files, modules, scratch }: OneShotSetup,
): Promise<PeerFigures> {
  const setup: PeerSetup = { corpus, files, scratch, modules, mode };
  const setupFile = join(scratch, "setup.json");
  writeFileSync(setupFile, JSON.stringify(setup));
  const command = [process.execPath, join(import.meta.dir, "peers", `${script}.ts`), setupFile];
  return runForJson<PeerFigures>(command, { env, limitMs: LIMIT_MS, cwd: scratch });
}

/** Peers store files in the home directory, so it is a temporary one. */
function withoutHome(env: Environment, scratch: string): Environment {
  for (const folder of ["cache", "config", "data"]) mkdirSync(join(scratch, folder), { recursive: true });
  return {
    ...env,
    HOME: scratch,
    XDG_CACHE_HOME: join(scratch, "cache"),
    XDG_CONFIG_HOME: join(scratch, "config"),
    XDG_DATA_HOME: join(scratch, "data"),
    TMPDIR: scratch,
  };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
