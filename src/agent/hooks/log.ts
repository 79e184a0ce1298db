/**
 * Writes one line per hook that did something or failed to `hook.log` in the home workspace. A hook must not disturb the session, so
 * this is the only place to see it. The log contains no user text and stays small. Never throws.
 */
import { appendFileSync, chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets } from "../../core/secrets/secrets.ts";
import { isoSeconds } from "../../util/days.ts";
import { readIfThere, writeFileAtomic } from "../../util/fs.ts";
import { oneLine, truncate } from "../../util/text.ts";

export const LOG_FILE = "hook.log";
const MOST_BYTES = 256 * 1024;
const LONGEST_LINE = 400;

export interface LogEntry {
  readonly at: Date;
  readonly event: string;
  readonly session: string;
  readonly text: string;
  /** Only a failure creates the home workspace. */
  readonly level: "done" | "warning" | "failed";
}

export function writeLog(home: string, { at, event, session, text, level }: LogEntry): void {
  try {
    if (!existsSync(home)) {
      if (level !== "failed") return;
      mkdirSync(home, { recursive: true, mode: 0o700 });
    }
    const path = join(home, LOG_FILE);
    shorten(path);
    const words = [
      isoSeconds(at),
      event,
      session.slice(0, 8) || "-",
      level === "done" ? "" : `${level}:`,
      text,
    ];
    const line = oneLine(redactSecrets(words.filter((word) => word !== "").join(" ")));
    appendFileSync(path, `${truncate(line, LONGEST_LINE)}\n`, { mode: 0o600 });
    chmodSync(path, 0o600);
  } catch {}
}

/** Keeps the newer half. */
function shorten(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= MOST_BYTES) return;
  const bytes = readIfThere(path) ?? new Uint8Array();
  const half = bytes.indexOf(0x0a, bytes.length - MOST_BYTES / 2) + 1;
  writeFileAtomic(path, bytes.subarray(half));
}
