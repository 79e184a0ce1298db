/** Files and stdin, as people name them on the command line. */
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { tooLarge } from "../memory/input.ts";
import { textOf } from "../memory/read.ts";
import { isAbsence } from "../util/fs.ts";
import { isTerminal, writeError } from "./tty.ts";

export const STDIN = "-";

/** The text of a file, or of stdin for "-". Throws `not_found`, `invalid_input` or `io`. */
export async function readTextInput(name: string, maxBytes: number): Promise<string> {
  return name === STDIN
    ? textFrom(await readStdin(maxBytes), "What came on stdin")
    : readTextFile(name, maxBytes);
}

/** Anything that can be read, pipes and devices too, but never more than a document may hold. */
export function readTextFile(path: string, maxBytes: number): string {
  const stats = statOf(path);
  if (stats.isDirectory()) throw new RetainError("invalid_input", `${path} is a directory, not a file.`);
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
  return textFrom(readBounded(path, maxBytes), path);
}

function textFrom(bytes: Uint8Array, what: string): string {
  if (bytes.includes(0))
    throw new RetainError("invalid_input", `${what} is binary data, not Markdown.`, "Give it a text file.");
  return textOf(bytes, what);
}

function readBounded(path: string, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  try {
    const descriptor = openSync(path, "r");
    try {
      for (let size = 0; ; ) {
        const chunk = new Uint8Array(65_536);
        const count = readSync(descriptor, chunk);
        if (count === 0) return Buffer.concat(chunks);
        size += count;
        if (size > maxBytes) throw tooLarge(maxBytes);
        chunks.push(chunk.subarray(0, count));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw ioError(error, `Cannot read ${path}`);
  }
}

/**
 * The Markdown files of a directory in order, without hidden ones, links, and what lies below `except`: a workspace is
 * not put into itself. A file stands for itself.
 */
export function markdownFiles(path: string, except: string): string[] {
  if (path === STDIN || !statOf(path).isDirectory()) return [path];
  if (resolve(path) === resolve(except)) return [];
  return entriesOf(path)
    .filter((entry) => !entry.name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name);
      if (entry.isDirectory()) return markdownFiles(child, except);
      return entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name) ? [child] : [];
    });
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    throw ioError(error, `Cannot read ${path}`);
  }
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    if (isAbsence(error))
      throw new RetainError(
        "not_found",
        `There is no file ${path}.`,
        "Give a path, or '-' to read from a pipe.",
      );
    throw ioError(error, `Cannot read ${path}`);
  }
}

async function readStdin(maxBytes: number): Promise<Uint8Array> {
  if (isTerminal("stdin")) writeError("Type the content, then Ctrl-D.\n");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Bun.stdin.stream()) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
