/**
 * Makes one system call of a command fail at a time, with strace: the n-th write, flush, rename, link, removal or open for
 * writing below the home or working directory. Whatever fails, nothing acknowledged is lost, the command's message agrees with
 * the files, and the next command works.
 */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HANDLES } from "../../src/util/fs.ts";
import { WORDS_ALONE } from "../helpers/memories.ts";
import { RETAIN, Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";
import type { Setting } from "./io-fault-settings.ts";
import type { Said, Verb } from "./io-fault-verbs.ts";

const CALLS =
  "write,pwrite64,writev,pwritev,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,ftruncate,mkdir,mkdirat,openat,copy_file_range,sendfile";
const WRITES = /O_(?:WRONLY|RDWR|CREAT)/;
const ERRORS = ["ENOSPC", "EIO"] as const;

/** A workspace with acknowledged data. */
function acknowledged(): Sandbox {
  const sandbox = new Sandbox(WITH_MEANING);
  const env = WORDS_ALONE;
  const put = (id: string, text: string) =>
    sandbox.ok(["put", "-", "--id", id], { stdin: `# ${id}\n\n${text}\n`, env });
  put("kept", "kept text");
  put("target", "first state");
  put("gone", "deleted text");
  sandbox.ok(["delete", "gone"], { env });
  for (const fact of ["Owls fly at night", "Mice like cheese", "Last of all"])
    sandbox.ok(["remember", fact], { env });
  for (const [session, stdin] of Object.entries({ s0: "Good bye.\n", s1: "Hello there.\n" }))
    sandbox.ok(["ingest", "-", "--session", session], { stdin, env });
  const log = join(sandbox.memory, "memories/2026-01-05.md");
  writeFileSync(log, "# 2026-01-05\n\n## 09:30 Garden\n\nPlanted the apple tree\n");
  return sandbox;
}

interface Call {
  readonly name: string;
  /** Counted from 1, among its thread's calls of that name. */
  readonly ordinal: number;
}

/** The traced calls on files in the sandbox. */
function callsIn(log: string, { root }: Sandbox): Call[] {
  const counts = new Map<string, number>();
  return log.split("\n").flatMap((line) => {
    const [, thread = "", name = "", touched = ""] = /^(\d+) +(\w+)\((.*)/.exec(line) ?? [];
    if (name === "") return [];
    const ordinal = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, ordinal);
    // A file in an open directory is named by its handle. Output to stdout or stderr may also name a file.
    const isFile = [root, `"${HANDLES}`].some((path) => touched.includes(path)) && !/^[12]</.test(touched);
    return isFile && (name !== "openat" || WRITES.test(line)) ? [{ name, ordinal }] : [];
  });
}

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command in its sandbox. Its servers run in this process, so commands run asynchronously. */
class Trial {
  readonly #copy: string;
  /** Whether the check succeeds without the command, so that it proves nothing. */
  wasDone = false;

  private constructor(
    readonly sandbox: Sandbox,
    readonly verb: Verb,
    readonly setting: Setting,
  ) {
    this.#copy = join(sandbox.root, "copy");
    for (const name of ["home", "work"])
      cpSync(join(sandbox.root, name), join(this.#copy, name), { recursive: true });
  }

  static async of(verb: Verb): Promise<Trial> {
    const sandbox = acknowledged();
    const trial = new Trial(sandbox, verb, (await verb.prepare?.(sandbox)) ?? {});
    trial.wasDone = await trial.isDone();
    trial.reset();
    return trial;
  }

  /** Restores the state before the command. */
  reset(): void {
    const { root } = this.sandbox;
    for (const name of readdirSync(root)) if (name !== "copy") rmSync(join(root, name), { recursive: true });
    cpSync(this.#copy, root, { recursive: true, preserveTimestamps: true });
    this.setting.reset?.();
  }

  /** Runs the command under strace. */
  async traced(...options: string[]): Promise<Ended & { log: string }> {
    const path = join(this.sandbox.root, "strace.log");
    const strace = ["strace", "-f", "-y", "-o", path, "-e", `trace=${CALLS}`, ...options];
    const ended = await this.#run([...strace, RETAIN, ...this.verb.args], this.setting);
    return { ...ended, log: readFileSync(path, "utf8") };
  }

  /** Runs the command normally. */
  again(): Promise<Ended> {
    return this.#run([RETAIN, ...this.verb.args], this.setting);
  }

  isDone(): Promise<boolean> {
    const { cwd, env } = this.setting;
    const said: Said = async (...args) =>
      (await this.#run([RETAIN, ...args], { ...(cwd && { cwd }), ...(env && { env }) })).stdout;
    return this.verb.isDone(said, this.sandbox);
  }

  /** The acknowledged data that is missing. */
  async lost(): Promise<string[]> {
    const kept: readonly [string, string, readonly string[]][] = [
      ["a document", "kept text", ["get", "kept"]],
      ["a fact", "Owls fly at night", ["facts"]],
      ["a message", "Hello there.", ["sessions", "show", "s1"]],
    ];
    const texts = this.verb.clears ? this.#files() : null;
    const found = await Promise.all(
      kept.map(async ([, text, args]) =>
        (texts ?? (await this.#run([RETAIN, ...args], {})).stdout).includes(text),
      ),
    );
    return kept.flatMap(([what], index) => (found[index] ? [] : [what]));
  }

  /** The contents of all files except the index. */
  #files(): string {
    const { memory } = this.sandbox;
    return readdirSync(memory, { recursive: true, encoding: "utf8" })
      .map((name) => join(memory, name))
      .filter((path) => !path.includes("retain.db") && statSync(path).isFile())
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
  }

  async #run(command: readonly string[], { cwd, env, stdin = "" }: Setting): Promise<Ended> {
    const child = Bun.spawn([...command], {
      cwd: cwd ?? this.sandbox.work,
      env: this.sandbox.env({ ...env }),
      stdin: new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode, stdout, stderr };
  }
}

/** The fault after a command ended like this, or null. */
async function faultAfter(trial: Trial, { exitCode, stderr, stdout }: Ended): Promise<string | null> {
  const { verb } = trial;
  const told = `exit ${exitCode}: ${stderr.slice(0, 300)}`;
  if (/bug in Retain/.test(stderr)) return `a stack trace; ${told}`;
  const isDone = await trial.isDone();
  if (exitCode === 0 && !isDone && !verb.isHook)
    return `said done and is not: ${stdout.slice(0, 200)}${stderr.slice(0, 200)}`;
  if (exitCode !== 0 && isDone && !trial.wasDone && /nothing was \w+ed/i.test(stderr))
    return `said that nothing was changed, and it was; ${told}`;
  const lost = await trial.lost();
  if (lost.length > 0) return `lost ${lost.join(", ")}; ${told}`;
  if (isDone && !verb.repeats) return null;
  const again = await trial.again();
  if (/bug in Retain/.test(again.stderr)) return `the next one has a stack trace: ${again.stderr}; ${told}`;
  // A command that finishes an earlier change may find nothing to do, which is an error unless it repeats.
  if ((again.exitCode !== 0 && verb.repeats) || !(await trial.isDone()))
    return `the next one fails: ${again.stderr.slice(0, 300)}; ${told}`;
  return null;
}

export interface FaultReport {
  readonly runs: number;
  readonly faults: readonly string[];
}

/** Fails every `step`-th call of a command, each in a fresh copy of the workspace. */
export async function failCalls(verb: Verb, step = 1, first = 0): Promise<FaultReport> {
  const trial = await Trial.of(verb);
  const whole = await trial.traced();
  if (whole.exitCode !== 0 || !(await trial.isDone()))
    throw new Error(`'${verb.name}' does not work: ${whole.stderr}`);
  const faults: string[] = [];
  let runs = 0;
  for (const [at, { name, ordinal }] of callsIn(whole.log, trial.sandbox).entries()) {
    if (at % step !== first % step) continue;
    trial.reset();
    const error = ERRORS[at % ERRORS.length] ?? "EIO";
    const ended = await trial.traced("-e", `inject=${name}:error=${error}:when=${ordinal}`);
    if (!ended.log.includes("(INJECTED)")) continue;
    runs++;
    const fault = await faultAfter(trial, ended);
    if (fault !== null) faults.push(`${verb.name}, ${name} ${ordinal} (${error}): ${fault}`);
  }
  return { runs, faults };
}
