/** Reads files and stdin named on the command line. */
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { tooLarge } from "../documents/input.ts";
import { textOf } from "../documents/read.ts";
import { isAbsence } from "../util/fs.ts";
import { isTerminal, writeToTerminal } from "./tty.ts";

export const STDIN = "-";

/** The text of a file, or of stdin for "-". Throws `not_found`, `invalid_input` or `io`. */
export async function readTextInput(name: string, maxBytes: number): Promise<string> {
  if (name === STDIN) {
    if (isTerminal("stdin")) writeToTerminal("Type the content, then press Ctrl-D.\n");
    return textFrom(await readBounded(Bun.stdin.stream(), maxBytes), "stdin");
  }
  const stats = statOf(name);
  if (stats.isDirectory()) throw new RetainError("invalid_input", `${name} is a directory, not a file.`);
  if (stats.size > maxBytes) throw tooLarge(maxBytes, name);
  try {
    // A pipe or device may be slow or endless, so it is read as a stream and Ctrl-C works.
    const bytes = stats.isFile() ? readFileSync(name) : await readBounded(createReadStream(name), maxBytes);
    return textFrom(bytes, name);
  } catch (error) {
    throw ioError(error, `Cannot read ${name}`);
  }
}

/** Joins the words; "-" alone reads stdin. Throws like `readTextInput`. */
export async function textOfWords(words: readonly string[], maxBytes: number): Promise<string> {
  return words.length === 1 && words[0] === STDIN ? readTextInput(STDIN, maxBytes) : words.join(" ");
}

async function readBounded(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function textFrom(bytes: Uint8Array, what: string): string {
  if (bytes.includes(0))
    throw new RetainError("invalid_input", `${what} is binary data, not Markdown.`, "Pass a text file.");
  return textOf(bytes, what);
}

/**
 * The Markdown files of a directory, sorted, without hidden files, links, and anything below `except` (a workspace must not
 * store itself). Its other files are passed to `skip`. For a file, that file.
 */
export function markdownFiles(path: string, except: string, skip: (file: string) => void): string[] {
  if (path === STDIN || !statOf(path).isDirectory()) return [path];
  if (resolve(path) === resolve(except)) return [];
  return entriesOf(path)
    .filter((entry) => !entry.name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name);
      if (entry.isDirectory()) return markdownFiles(child, except, skip);
      if (!entry.isFile()) return [];
      if (/\.(?:md|markdown)$/i.test(entry.name)) return [child];
      skip(child);
      return [];
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
      throw new RetainError("not_found", `File not found: ${path}`, "Pass a path, or '-' for stdin.");
    throw ioError(error, `Cannot read ${path}`);
  }
}
