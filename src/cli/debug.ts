/**
 * Prints versions, paths, phases with times, and stack locations to stderr for a bug report (--debug or RETAIN_DEBUG=1).
 * Never prints contents: only the names of options, and the code and location of an error.
 */
import { RetainError } from "../core/errors.ts";
import { errorCode } from "../util/fs.ts";
import { writeError } from "./tty.ts";

const isOn = process.argv.includes("--debug") || (process.env.RETAIN_DEBUG ?? "0") !== "0";

export function debug(phase: string, ...facts: readonly string[]): void {
  if (!isOn) return;
  const ms = performance.now().toFixed(1).padStart(8);
  writeError(`debug ${ms} ms  ${[phase, ...facts].join("  ")}\n`);
}

/** Prints only the stack's locations: the message may quote user input. */
export function debugError(error: unknown): void {
  if (!isOn) return;
  const code = error instanceof RetainError ? error.code : (errorCode(error) ?? "internal");
  const kind = error instanceof Error ? error.name : typeof error;
  debug("error", kind, code);
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  for (const frame of frames) debug("", frame.trim());
}
