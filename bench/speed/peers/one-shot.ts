/** The cost of a peer without a long-lived process: a whole command, or a server's start until it answers. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RETAIN, spawn } from "../../measure.ts";
import { checkMeaning } from "../cold.ts";
import type { Question } from "../notes.ts";
import { run } from "../processes.ts";
import { startServer } from "./server-memory.ts";

export interface OneShotSetup {
  readonly env: Record<string, string | undefined>;
  readonly modules: string;
  readonly scratch: string;
  readonly files: string;
}

export type OneShot = (question: Question) => unknown;

const INDEXING_LIMIT_MS = 600_000;
/** The Node version that qmd's SQLite is built for; older ones crash. */
const QMD_NODE = 22;

export async function retainOneShot(flags: readonly string[], { env }: OneShotSetup): Promise<OneShot> {
  await checkMeaning(env);
  return ({ query }) => spawn([RETAIN, "search", ...flags, query], env);
}

export async function grepOneShot({ env, files }: OneShotSetup): Promise<OneShot> {
  return ({ keyword }) => spawn(["grep", "-ri", keyword, files], env);
}

/** With its own index, since the library's is elsewhere; searches for a word, since questions find nothing. */
export async function qmdOneShot({ env, modules, files }: OneShotSetup): Promise<OneShot> {
  const qmd =
    (await nodeVersion()) >= QMD_NODE
      ? [join(modules, ".bin/qmd")]
      : [process.execPath, join(modules, "@tobilu/qmd/dist/cli/qmd.js")];
  await run([...qmd, "collection", "add", files, "--name", "notes"], { env, limitMs: INDEXING_LIMIT_MS });
  return ({ keyword }) => spawn([...qmd, "search", keyword, "-n", "10"], env);
}

/** On the database that the library filled. */
export async function mnemopiOneShot({ env, modules, scratch }: OneShotSetup): Promise<OneShot> {
  if (!existsSync(join(scratch, "mnemopi.db"))) throw new Error("it has no database");
  const command = [process.execPath, join(modules, "@oh-my-pi/pi-mnemopi/src/cli.ts"), "recall"];
  const own = { ...env, MNEMOPI_DATA_DIR: scratch, MNEMOPI_NO_EMBEDDINGS: "1" };
  return ({ query }) => spawn([...command, query, "10"], own);
}

export async function serverMemoryOneShot({ env, modules, scratch }: OneShotSetup): Promise<OneShot> {
  return async () => {
    const server = await startServer(modules, scratch, env);
    void server.close();
  };
}

async function nodeVersion(): Promise<number> {
  return Number.parseInt(await run(["node", "-p", "process.versions.node"], { limitMs: 10_000 }), 10);
}
