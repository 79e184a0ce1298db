/**
 * What --debug and RETAIN_DEBUG=1 print to stderr for a bug report: versions, paths, phases with their times, and where an error
 * came from. Never what was typed, stored or answered: of options only the names, of an error its code and its place.
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

/** The message may repeat what was typed, so only the lines that name places are printed. */
export function debugError(error: unknown): void {
  if (!isOn) return;
  const code = error instanceof RetainError ? error.code : (errorCode(error) ?? "internal");
  const kind = error instanceof Error ? error.name : typeof error;
  debug("error", kind, code);
  const places =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  for (const place of places) debug("", place.trim());
}
