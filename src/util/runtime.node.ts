/** Replaces `runtime.ts` in the library for Node, and behaves the same. */
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { DetachedRun, Helper, HelperOptions, Ran, RunOptions } from "./runtime.ts";
import { xxHash64 } from "./xxhash.ts";

export { xxHash64 };

export function digest(algorithm: "sha1" | "sha256", data: string | Uint8Array): string {
  return hash(algorithm, data);
}

export function stripAnsi(text: string): string {
  return stripVTControlCharacters(text);
}

export function readMapped(path: string): Uint8Array {
  const { buffer, byteOffset, length } = readFileSync(path);
  // Unlike this, a Buffer's slice would not be a copy.
  return new Uint8Array(buffer, byteOffset, length);
}

/** So inotify isn't used: files are scanned instead. */
export function foreignFunctions(): null {
  return null;
}

export function setNativeVariable(name: string, value: string): void {
  process.env[name] = value;
}

export async function request(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    // "fetch failed" says nothing; its cause does, or the cause's first part if several addresses were tried.
    const cause = error instanceof TypeError ? error.cause : undefined;
    throw (cause instanceof AggregateError ? cause.errors[0] : cause) ?? error;
  }
}

export function runSync([program = "", ...args]: readonly string[], options: RunOptions): Ran {
  const ran = spawnSync(program, args, {
    ...processOptions(options),
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (ran.error !== undefined) throw ran.error;
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

export async function run(command: readonly string[], options: RunOptions): Promise<Omit<Ran, "stderr">> {
  const child = await start(command, { ...processOptions(options), stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit");
  const stdout = await buffer(child.stdout as Readable);
  return { exitCode: (await exited)[0] as number | null, stdout };
}

export function startHelper(script: string, args: readonly string[], options: HelperOptions): Helper {
  const child = spawn(process.execPath, [script, ...args], {
    ...processOptions(options),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  child.on("message", (message) => options.onMessage(message));
  child.on("exit", (code, signal) => options.onExit(signal ?? code));
  child.on("error", (error) => options.onExit(error.message));
  return {
    send: (message) => child.send(message),
    ref() {
      child.ref();
      child.channel?.ref();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
    kill: () => void child.kill(),
  };
}

export async function runDetached(command: readonly string[], options: RunOptions): Promise<DetachedRun> {
  const stdio = ["ignore", "pipe", "ignore", "pipe"] as const;
  const child = await start(command, { ...processOptions(options), detached: true, stdio: [...stdio] });
  const pipe = child.stdio[3] as Writable;
  // The other end may be closed.
  pipe.on("error", () => {});
  return {
    pid: child.pid ?? 0,
    stdout: Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
    exited: once(child, "exit").then(([code, signal]) => ({ code, signal })),
    say: (text) => void pipe.write(text),
    closePipe: () => void pipe.destroy(),
  };
}

/** Throws if it can't start. */
async function start([program = "", ...args]: readonly string[], options: SpawnOptions) {
  const child = spawn(program, args, options);
  if (child.pid === undefined) throw (await once(child, "error"))[0];
  return child;
}

function processOptions({ cwd, env }: RunOptions): Pick<SpawnOptions, "cwd" | "env"> {
  return { cwd, env: { ...env } };
}
