/** Files and stdin, as people name them on the command line. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { tooLarge } from "../memory/input.ts";
import { textOf } from "../memory/read.ts";

export const STDIN = "-";

/** The text of a file, or of stdin for "-". Throws `not_found`, `invalid_input` or `io`. */
export async function readTextInput(name: string, maxBytes: number): Promise<string> {
  return name === STDIN
    ? textOf(await readStdin(maxBytes), "What came on stdin")
    : readTextFile(name, maxBytes);
}

export function readTextFile(path: string, maxBytes: number): string {
  const stats = statOf(path);
  if (stats.isDirectory()) throw new RetainError("invalid_input", `${path} is a directory, not a file.`);
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
  try {
    const bytes = readFileSync(path);
    if (bytes.includes(0))
      throw new RetainError("invalid_input", `${path} is binary data, not Markdown.`, "Give it a text file.");
    return textOf(bytes, path);
  } catch (error) {
    throw ioError(error, `Cannot read ${path}`);
  }
}

/** The Markdown files of a directory, hidden ones left out, in order; a file stands for itself. */
export function markdownFiles(path: string): string[] {
  if (path === STDIN || !statOf(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !file
          .slice(path.length)
          .split("/")
          .some((part) => part.startsWith(".")),
    )
    .sort();
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new RetainError(
        "not_found",
        `There is no file ${path}.`,
        "Give a path, or '-' to read from a pipe.",
      );
    throw ioError(error, `Cannot read ${path}`);
  }
}

async function readStdin(maxBytes: number): Promise<Uint8Array> {
  if (process.stdin.isTTY) process.stderr.write("Type the content, then Ctrl-D.\n");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Bun.stdin.stream()) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
