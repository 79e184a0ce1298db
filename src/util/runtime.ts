/**
 * Everything but SQLite that Bun does in its own way, or faster: outside of user interfaces, the only file that uses it. The library
 * for Node has `runtime.node.ts` instead, which exports the same.
 */
import { closeSync, writeSync } from "node:fs";

/** Hashes the parts as one text, in lower-case hex. */
export function digest(algorithm: "sha1" | "sha256", data: string | Uint8Array): string {
  return Bun.CryptoHasher.hash(algorithm, data, "hex");
}

export function xxHash64(data: string | Uint8Array): bigint {
  return Bun.hash.xxHash64(data);
}

export function stripAnsi(text: string): string {
  return Bun.stripANSI(text);
}

/** The file's bytes, mapped into memory if possible. */
export function readMapped(path: string): Uint8Array {
  return Bun.mmap(path);
}

/** Calls functions of the system's libraries; null if that isn't possible. Loaded lazily, since few processes need it. */
export function foreignFunctions(): typeof import("bun:ffi") | null {
  return require("bun:ffi");
}

/** Sets a variable that native libraries read; `process.env` does not reach them in Bun. */
export function setNativeVariable(name: string, value: string): void {
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  const { dlopen } = require("bun:ffi") as typeof import("bun:ffi");
  const { symbols, close } = dlopen(library, {
    setenv: { args: ["cstring", "cstring", "int"], returns: "int" },
  });
  symbols.setenv(Buffer.from(`${name}\0`), Buffer.from(`${value}\0`), 1);
  close();
}

/** `fetch`, with system errors as they are. */
export function request(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return fetch(input, init);
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Runs a program without input. Throws the system's error if it can't start. */
export function runSync(command: readonly string[], options: RunOptions): Ran {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { ...options, stdin: "ignore" });
  return { exitCode, stdout, stderr };
}

/** The same in the background; stderr is dropped. */
export async function run(command: readonly string[], options: RunOptions): Promise<Omit<Ran, "stderr">> {
  const child = Bun.spawn([...command], { ...options, stdin: "ignore", stderr: "ignore" });
  const stdout = Buffer.from(await new Response(child.stdout).arrayBuffer());
  return { exitCode: await child.exited, stdout };
}

/** A child process that runs a script of ours on this runtime and exchanges messages with it. */
export interface Helper {
  send(message: object): void;
  /** Keeps this process running. */
  ref(): void;
  unref(): void;
  kill(): void;
}

export interface HelperOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  onMessage(message: unknown): void;
  onExit(status: string | number | null): void;
}

/** Reads no config of the current directory, which may be a stranger's. Throws if it can't start. */
export function startHelper(script: string, args: readonly string[], options: HelperOptions): Helper {
  const { onMessage, onExit, ...where } = options;
  const command = [process.execPath, "--config=/dev/null", "--no-env-file", script, ...args];
  return Bun.spawn(command, {
    ...where,
    stdio: ["ignore", "ignore", "ignore"],
    ipc: onMessage,
    onExit: (_, code, signal) => onExit(signal ?? code),
  });
}

/** A running program in a session of its own, with an extra pipe to it. */
export interface DetachedRun {
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Writes to the extra pipe (handle 3); ignored once the other end is closed. */
  say(text: string): void;
  closePipe(): void;
}

/** Throws the system's error if it can't start. */
export async function runDetached(command: readonly string[], options: RunOptions): Promise<DetachedRun> {
  const child = Bun.spawn([...command], {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const pipe = child.stdio[3];
  if (typeof pipe !== "number") throw new Error("There is no pipe to the command.");
  return {
    pid: child.pid,
    stdout: child.stdout,
    exited: child.exited.then(() =>
      child.signalCode === null
        ? { code: child.exitCode, signal: null }
        : { code: null, signal: String(child.signalCode) },
    ),
    say(text) {
      try {
        writeSync(pipe, text);
      } catch {
        // The other end is closed.
      }
    },
    closePipe: () => closeSync(pipe),
  };
}
