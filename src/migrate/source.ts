/**
 * The directory that is taken over from: only ever read. A link is followed as long as it stays inside, so that nothing gets in
 * that the person did not name.
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
  /** From the directory on. */
  readonly path: string;
  readonly kind: "file" | "directory" | "outside" | "other";
}

/** A larger file of messages is no conversation that anybody had. */
const MOST_SESSION_BYTES = 200_000_000;
const GLANCE_BYTES = 64 * 1024;

export class Source {
  readonly root: string;
  /** Directories that may not be looked into: they hide none of the others. */
  readonly closed = new Set<string>();

  /** Throws `not_found` or `invalid_input` for what is no directory. */
  constructor(
    readonly directory: string,
    private readonly maxBytes: number,
  ) {
    this.root = realDirectory(directory);
  }

  /** What a directory holds, by name; nothing where there is none, or where it leads out. */
  entries(path: string): SourceEntry[] {
    if (!isInside(this.root, this.full(path))) return [];
    return this.#read(path)
      .map((entry) => ({ name: entry.name, path: join(path, entry.name), entry }))
      .map(({ name, path: inside, entry }) => ({ name, path: inside, kind: this.#kindOf(inside, entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Throws `invalid_input` for what is too large, no text or not readable, `unsafe` for what lies outside. */
  markdown(path: string): string {
    return this.#text(path, this.maxBytes);
  }

  /** As `markdown`, of a size that a long conversation has. */
  session(path: string): string {
    return splitBom(this.#text(path, MOST_SESSION_BYTES))[1];
  }

  /** The beginning of a file, for a guess at what it is; "" where it cannot be read. */
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
    if (!isInside(this.root, full))
      throw new RetainError("unsafe", "It is a link that leads out of the directory.");
    try {
      if (statSync(full).size > maxBytes) throw tooLarge(maxBytes, "It");
      const text = textOf(readFileSync(full), "It");
      if (text.includes("\0")) throw new RetainError("invalid_input", "It is binary data, not text.");
      return text;
    } catch (error) {
      const known = ioError(error, "It cannot be read");
      // A file that cannot be read is one that is skipped; `io` is said of the place that is written to.
      throw known instanceof RetainError && known.code === "io"
        ? new RetainError("invalid_input", known.message, "See who may read it.")
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
      `There is no directory ${directory}.`,
      "Name the directory to take over from.",
    );
  }
  throw new RetainError(
    "invalid_input",
    `${directory} is no directory.`,
    "Name the directory that holds it.",
  );
}
