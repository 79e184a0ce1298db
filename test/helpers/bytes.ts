/** Looks at the bytes of every file, with code of its own: what a command says of its own work is not asked. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files below a directory, git's own aside, that hold one of the words in any letter case. */
export function filesHolding(directory: string, ...words: string[]): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/.git/"))
    .filter((path) => {
      const bytes = readFileSync(path);
      const said = `${bytes.toString("latin1")}\n${bytes.toString("utf8")}`.toLowerCase();
      return words.some((word) => said.includes(word.toLowerCase()));
    });
}
