/** What was typed in the chat, for the Up key: a file of the user's own, one JSON text a line, the newest last. */
import { appendFileSync, chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { redactSecrets } from "../core/secrets.ts";
import { readIfThere, writeFileAtomic } from "../util/fs.ts";
import { decodeUtf8 } from "../util/text.ts";

export interface InputHistory {
  /** The oldest first. */
  entries(): readonly string[];
  /** Losing one is no harm, so nothing is thrown. */
  add(text: string): void;
}

const MOST_ENTRIES = 1_000;
const LONGEST_ENTRY = 10_000;

export function inputHistory(root: string): InputHistory {
  const path = join(root, "input-history.jsonl");
  return {
    entries: () => read(path),
    add(text) {
      if (text.trim() === "" || text.length > LONGEST_ENTRY || redactSecrets(text) !== text) return;
      const known = read(path);
      if (known.at(-1) === text) return;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        if (known.length >= MOST_ENTRIES * 2)
          writeFileAtomic(path, known.slice(-MOST_ENTRIES).map(lineOf).join(""));
        appendFileSync(path, lineOf(text), { mode: 0o600 });
        chmodSync(path, 0o600);
      } catch {}
    },
  };
}

/** For a conversation of which nothing is kept: it is there while the program runs. */
export function passingHistory(before: InputHistory): InputHistory {
  const added: string[] = [];
  return {
    entries: () => [...before.entries(), ...added],
    add: (text) => added.push(text),
  };
}

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function read(path: string): string[] {
  const text = decodeUtf8(readIfThere(path) ?? new Uint8Array()) ?? "";
  return text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = line === "" ? null : JSON.parse(line);
      return typeof entry === "string" ? entry : [];
    } catch {
      return [];
    }
  });
}
