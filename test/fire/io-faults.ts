/**
 * Fails one call of a command at a time, with strace: the n-th write, flush, rename, link, removal or opening for writing that
 * touches the workspace. Whatever fails, nothing acknowledged is lost, what the command says agrees with what is there, and the
 * next command works.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assistant, ClaudeCode, user } from "../agent/hooks-transcript.ts";
import { RETAIN, type RunResult, Sandbox } from "../helpers/sandbox.ts";

export interface Verb {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string | ((sandbox: Sandbox) => string);
  /** A hook never fails its agent's work, so its exit code says nothing: the next one does what this one could not. */
  readonly isHook?: true;
  /** Whether what the command is for has been done. */
  readonly isDone: (sandbox: Sandbox) => boolean;
}

const ENV = { RETAIN_EMBEDDING: "none" };
const CALLS =
  "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate,mkdir,openat";
const WRITES = /O_(?:WRONLY|RDWR|CREAT)/;
const ERRORS = ["ENOSPC", "EIO"] as const;

const said = (sandbox: Sandbox, ...args: string[]) => sandbox.run(args, { env: ENV }).stdout;

export const VERBS: readonly Verb[] = [
  {
    name: "put",
    args: ["put", "-", "--id", "new"],
    stdin: "# New\n\nfresh text\n",
    isDone: (sandbox) => said(sandbox, "get", "new").includes("fresh text"),
  },
  {
    name: "put over another",
    args: ["put", "-", "--id", "target"],
    stdin: "# Target\n\nsecond state\n",
    isDone: (sandbox) => said(sandbox, "get", "target").includes("second state"),
  },
  {
    name: "update",
    args: ["update", "target", "--tags", "changed"],
    isDone: (sandbox) => said(sandbox, "get", "target").includes("changed"),
  },
  {
    name: "delete",
    args: ["delete", "target"],
    isDone: (sandbox) => !said(sandbox, "list", "-q").includes("target"),
  },
  {
    name: "restore",
    args: ["restore", "gone"],
    isDone: (sandbox) => said(sandbox, "list", "-q").includes("gone"),
  },
  {
    name: "remember",
    args: ["remember", "Bats sleep by day"],
    isDone: (sandbox) => said(sandbox, "facts").includes("Bats sleep by day"),
  },
  {
    name: "forget",
    args: ["forget", "Mice like cheese", "--yes"],
    isDone: (sandbox) => !said(sandbox, "facts", "--all").includes("Mice like cheese"),
  },
  {
    name: "log",
    args: ["log", "Market: bought pears"],
    isDone: (sandbox) => said(sandbox, "notes").includes("bought pears"),
  },
  {
    name: "ingest",
    args: ["ingest", "-", "--session", "s2"],
    stdin: "A reply.\n\n[MEMORY] Foxes are red\n",
    isDone: (sandbox) => said(sandbox, "facts").includes("Foxes are red"),
  },
  {
    name: "undo",
    args: ["undo"],
    isDone: (sandbox) => !said(sandbox, "facts").includes("Last of all"),
  },
  {
    name: "sessions rename",
    args: ["sessions", "rename", "s1", "Another title"],
    isDone: (sandbox) => said(sandbox, "sessions").includes("Another title"),
  },
  {
    name: "sessions delete",
    args: ["sessions", "delete", "s0", "--yes"],
    isDone: (sandbox) => !said(sandbox, "sessions", "-q").includes("s0"),
  },
  {
    name: "a question without a model",
    args: ["--model", "none", "Where do owls sleep?"],
    isDone: (sandbox) => said(sandbox, "sessions", "show", "last").includes("Where do owls sleep?"),
  },
  {
    name: "sessions tag",
    args: ["sessions", "tag", "s1", "birds"],
    isDone: (sandbox) => said(sandbox, "sessions").includes("birds"),
  },
  {
    name: "hook stop",
    args: ["hook", "stop"],
    stdin: (sandbox) => {
      const claude = new ClaudeCode(sandbox);
      claude.write(user("Where do hedgehogs live?"), assistant("[MEMORY] Hedgehogs live in gardens"));
      return claude.event("stop", { stop_hook_active: false, last_assistant_message: "" });
    },
    isHook: true,
    isDone: (sandbox) => said(sandbox, "facts").includes("Hedgehogs live in gardens"),
  },
  {
    name: "compact",
    args: ["compact"],
    isDone: (sandbox) => said(sandbox, "facts").includes("Planted the apple tree"),
  },
  {
    name: "mental-models add",
    args: ["mental-models", "add", "trees", "Which", "trees", "are", "there?"],
    isDone: (sandbox) => said(sandbox, "mental-models").includes("trees"),
  },
  {
    name: "config set",
    args: ["config", "set", "created_by", "Ada"],
    isDone: (sandbox) => said(sandbox, "config", "get", "created_by").includes("Ada"),
  },
];

/** A workspace in which everything has been acknowledged. */
export function acknowledged(): Sandbox {
  const sandbox = new Sandbox();
  const put = (id: string, text: string) =>
    sandbox.ok(["put", "-", "--id", id], { stdin: `# ${id}\n\n${text}\n`, env: ENV });
  put("kept", "kept text");
  put("target", "first state");
  put("gone", "deleted text");
  sandbox.ok(["delete", "gone"], { env: ENV });
  for (const fact of ["Owls fly at night", "Mice like cheese", "Last of all"])
    sandbox.ok(["remember", fact], { env: ENV });
  for (const [session, stdin] of Object.entries({ s0: "Good bye.\n", s1: "Hello there.\n" }))
    sandbox.ok(["ingest", "-", "--session", session], { stdin, env: ENV });
  const log = join(sandbox.memory, "memories/2026-01-05.md");
  writeFileSync(log, "# 2026-01-05\n\n## 09:30 Garden\n\nPlanted the apple tree\n");
  return sandbox;
}

interface Call {
  readonly name: string;
  /** Counted from 1, among the calls of that name that its thread made. */
  readonly ordinal: number;
}

/** The calls of a trace that touch the workspace. */
function callsIn(log: string, workspace: string): Call[] {
  const counts = new Map<string, number>();
  return readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, thread = "", name = ""] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
      if (name === "") return [];
      const ordinal = (counts.get(`${thread} ${name}`) ?? 0) + 1;
      counts.set(`${thread} ${name}`, ordinal);
      const counted = line.includes(workspace) && (name !== "openat" || WRITES.test(line));
      return counted ? [{ name, ordinal }] : [];
    });
}

function traced(
  sandbox: Sandbox,
  { args }: Verb,
  stdin: string,
  options: readonly string[],
): RunResult & { log: string } {
  const log = join(sandbox.root, "strace.log");
  const command = ["strace", "-f", "-y", "-o", log, ...options, RETAIN, ...args];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    cwd: sandbox.work,
    env: sandbox.env(ENV),
    stdin: new TextEncoder().encode(stdin),
  });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString(), json: null, log };
}

/** What is wrong after a verb ended so; null where all is well. */
function faultAfter(
  sandbox: Sandbox,
  verb: Verb,
  stdin: string,
  { exitCode, stderr, stdout }: RunResult,
): string | null {
  const told = `exit ${exitCode}: ${stderr.slice(0, 300)}`;
  if (/bug in Retain/.test(stderr)) return `a stack trace; ${told}`;
  const isDone = verb.isDone(sandbox);
  if (exitCode === 0 && !isDone && !verb.isHook) return `said done and is not: ${stdout.slice(0, 200)}`;
  if (exitCode !== 0 && isDone && /nothing was (?:changed|deleted|stored)/i.test(stderr))
    return `said that nothing was changed, and it was; ${told}`;
  const lost = [
    ...(said(sandbox, "get", "kept").includes("kept text") ? [] : ["a document"]),
    ...(said(sandbox, "facts").includes("Owls fly at night") ? [] : ["a fact"]),
    ...(said(sandbox, "sessions", "show", "s1").includes("Hello there.") ? [] : ["a message"]),
  ];
  if (lost.length > 0) return `lost ${lost.join(", ")}; ${told}`;
  if (isDone) return null;
  const again = sandbox.run([...verb.args], { env: ENV, stdin });
  if (again.exitCode !== 0 || !verb.isDone(sandbox))
    return `the next one fails: ${again.stderr.slice(0, 300)}; ${told}`;
  return null;
}

export interface FaultReport {
  readonly runs: number;
  readonly faults: readonly string[];
}

/** Fails every `step`-th call of a verb, each in a fresh copy of the same workspace. */
export function failCalls(verb: Verb, step = 1, first = 0): FaultReport {
  const sandbox = acknowledged();
  const copy = join(sandbox.root, "copy");
  cpSync(sandbox.memory, copy, { recursive: true });
  const stdin = typeof verb.stdin === "function" ? verb.stdin(sandbox) : (verb.stdin ?? "");
  const calls = callsIn(traced(sandbox, verb, stdin, ["-e", `trace=${CALLS}`]).log, sandbox.memory);
  const faults: string[] = [];
  let runs = 0;
  for (const [at, { name, ordinal }] of calls.entries()) {
    if (at % step !== first % step) continue;
    rmSync(sandbox.memory, { recursive: true });
    cpSync(copy, sandbox.memory, { recursive: true, preserveTimestamps: true });
    const error = ERRORS[at % ERRORS.length] ?? "EIO";
    const inject = `inject=${name}:error=${error}:when=${ordinal}`;
    const ended = traced(sandbox, verb, stdin, ["-e", `trace=${CALLS}`, "-e", inject]);
    if (!readFileSync(ended.log, "utf8").includes("(INJECTED)")) continue;
    runs++;
    const fault = faultAfter(sandbox, verb, stdin, ended);
    if (fault !== null) faults.push(`${verb.name}, ${name} ${ordinal} (${error}): ${fault}`);
  }
  return { runs, faults };
}
