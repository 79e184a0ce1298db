/**
 * The directory to import from. It is only read. Links are followed only inside it, so that nothing else is imported.
 */
import { closeSync, type Dirent, openSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { tooLarge } from "../documents/input.ts";
import { textOf } from "../documents/read.ts";
import { entriesIfThere, errorCode, isAbsence, isInside } from "../util/fs.ts";
import { splitBom } from "../util/text.ts";

export interface SourceEntry {
  readonly name: string;
  /** Relative to the directory. */
  readonly path: string;
  readonly kind: "file" | "directory" | "outside" | "other";
}

/** A larger session file is not a real conversation. */
const MOST_SESSION_BYTES = 200_000_000;
const GLANCE_BYTES = 64 * 1024;

export class Source {
  readonly root: string;
  /** Unreadable directories. They don't stop the import of others. */
  readonly closed = new Set<string>();

  /** Throws `not_found`, or `invalid_input` if it isn't a directory. */
  constructor(
    readonly directory: string,
    private readonly maxBytes: number,
  ) {
    this.root = realDirectory(directory);
  }

  /** A directory's entries, by name; empty if it doesn't exist or is outside. */
  entries(path: string): SourceEntry[] {
    if (!isInside(this.root, this.full(path))) return [];
    return this.#read(path)
      .map((entry) => ({ name: entry.name, path: join(path, entry.name), entry }))
      .map(({ name, path: inside, entry }) => ({ name, path: inside, kind: this.#kindOf(inside, entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Throws `invalid_input` if it is too large, unreadable or not text, `unsafe` if it is outside. */
  markdown(path: string): string {
    return this.#text(path, this.maxBytes);
  }

  /** Like `markdown`, but up to the size of a long conversation. */
  session(path: string): string {
    return splitBom(this.#text(path, MOST_SESSION_BYTES))[1];
  }

  /** The beginning of a file, to guess its kind; "" if unreadable. */
  glance(path: string): string {
    const buffer = new Uint8Array(GLANCE_BYTES);
    if (!isInside(this.root, this.full(path))) return "";
    try {
      const descriptor = openSync(this.full(path), "r");
      try {
        return new TextDecoder().decode(buffer.subarray(0, readSync(descriptor, buffer)));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return "";
    }
  }

  changedAt(path: string): Date {
    return statSync(this.full(path), { throwIfNoEntry: false })?.mtime ?? new Date(0);
  }

  full(path: string): string {
    return join(this.root, path);
  }

  #read(path: string): Dirent[] {
    try {
      return entriesIfThere(this.full(path));
    } catch (error) {
      if (errorCode(error) !== "EACCES" && errorCode(error) !== "EPERM")
        throw ioError(error, `Cannot read ${this.full(path)}`);
      this.closed.add(path);
      return [];
    }
  }

  #kindOf(path: string, entry: Dirent): SourceEntry["kind"] {
    if (entry.isFile()) return "file";
    if (entry.isDirectory()) return "directory";
    if (!entry.isSymbolicLink()) return "other";
    try {
      const stats = statSync(this.full(path));
      if (!isInside(this.root, this.full(path))) return "outside";
      return stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
    } catch {
      return "outside";
    }
  }

  #text(path: string, maxBytes: number): string {
    const full = this.full(path);
    if (!isInside(this.root, full)) throw new RetainError("unsafe", "It is a link to outside the directory.");
    try {
      if (statSync(full).size > maxBytes) throw tooLarge(maxBytes, "It");
      const text = textOf(readFileSync(full), "It");
      if (text.includes("\0")) throw new RetainError("invalid_input", "It is binary data, not text.");
      return text;
    } catch (error) {
      const known = ioError(error, "It cannot be read");
      // An unreadable file is skipped; `io` is only for the workspace.
      throw known instanceof RetainError && known.code === "io"
        ? new RetainError("invalid_input", known.message, "Check its permissions.")
        : known;
    }
  }
}

function realDirectory(directory: string): string {
  try {
    const root = realpathSync(directory);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    if (!isAbsence(error)) throw ioError(error, `Cannot read ${directory}`);
    throw new RetainError(
      "not_found",
      `Directory not found: ${directory}`,
      "Pass the directory to import from.",
    );
  }
  throw new RetainError(
    "invalid_input",
    `${directory} is not a directory.`,
    "Pass the directory that contains it.",
  );
}
