/**
 * Whether a person is at the other end. Touching `process.stdout` alone loads all of Bun's streams (10 ms, a third of a
 * command), so a file or a pipe is told apart by its status first, and only a real device is asked.
 */
import { fstatSync, statSync, writeSync } from "node:fs";
import { errorCode } from "../util/fs.ts";
import { terminalSafe } from "../util/unseen.ts";

const STREAMS = { stdin: 0, stdout: 1, stderr: 2 } as const;

export function isTerminal(stream: keyof typeof STREAMS): boolean {
  try {
    const status = fstatSync(STREAMS[stream]);
    if (!status.isCharacterDevice() || status.rdev === statSync("/dev/null").rdev) return false;
    return Boolean(process[stream].isTTY);
  } catch {
    return false;
  }
}

/** The terminal's width; null where there is no terminal. */
export function terminalWidth(): number | null {
  return isTerminal("stdout") ? process.stdout.columns || null : null;
}

/** Tells the person at the terminal; nothing that others wrote acts on it. */
export function tell(text: string): void {
  writeError(terminalSafe(text));
}

/** Writes to stderr at once, codes included; a reader that has gone is no error. */
export function writeError(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(STREAMS.stderr, bytes.subarray(offset));
    } catch (error) {
      if (errorCode(error) === "EAGAIN") Bun.sleepSync(1);
      else return;
    }
  }
}
