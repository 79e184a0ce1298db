/** The chat's input history for the Up key: one JSON string per line, newest last. */
import { appendFileSync, chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { storable } from "../core/secrets/storable.ts";
import { readIfThere, writeFileAtomic } from "../util/fs.ts";
import { decodeUtf8 } from "../util/text.ts";

interface InputHistory {
  /** Oldest first. */
  entries(): readonly string[];
  /** Never throws: losing an entry does no harm. */
  add(text: string): void;
}

const MOST_ENTRIES = 1_000;
const LONGEST_ENTRY = 10_000;

export function inputHistory(root: string): InputHistory {
  const path = join(root, "input-history.jsonl");
  return {
    entries: () => read(path),
    add(text) {
      // Without secrets and private parts, as in stored conversations.
      if (text.trim() === "" || text.length > LONGEST_ENTRY || storable(text, false) !== text) return;
      try {
        const known = read(path);
        if (known.at(-1) === text) return;
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        if (known.length >= MOST_ENTRIES * 2)
          writeFileAtomic(path, known.slice(-MOST_ENTRIES).map(lineOf).join(""));
        appendFileSync(path, lineOf(text), { mode: 0o600 });
        chmodSync(path, 0o600);
      } catch {}
    },
  };
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** Empty if unreadable. */
function read(path: string): string[] {
  try {
    const text = decodeUtf8(readIfThere(path) ?? new Uint8Array()) ?? "";
    return text.split("\n").flatMap(entryOf);
  } catch {
    return [];
  }
}

function entryOf(line: string): string[] {
  try {
    const entry: unknown = line === "" ? null : JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}
