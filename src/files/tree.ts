/**
 * Lists every file of a workspace, except git's, other banks and backups (workspaces of their own), conversations (which have
 * checksums) and locks. Does not follow links.
 */
import { closeSync, openSync, readSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ioError } from "../core/errors.ts";
import { OVERLAP_BYTES, PIECE_BYTES, type WorkspaceTree } from "../core/ports/traces.ts";
import {
  entriesIfThere,
  errorCode,
  fsyncDirectory,
  isAbsence,
  isSameBytes,
  LOCK_FILE,
  Outdated,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../util/fs.ts";

const GIT = ".git";
/** Its directory has the name of its document. */
const VERSION = /(?:^|\/)\.versions\/[^/]+\/[^/]+$/;
const APART = new Set(["backups", "banks", "sessions"]);

export class FileTree implements WorkspaceTree {
  constructor(private readonly root: string) {}

  paths(): string[] {
    return this.#below("").sort();
  }

  read(path: string): Uint8Array | null {
    return this.#try(path, "read", readIfThere);
  }

  some(path: string, passes: (piece: Uint8Array) => boolean): boolean {
    return this.#try(path, "read", (full) => {
      const descriptor = openIfThere(full);
      if (descriptor === null) return false;
      try {
        const piece = new Uint8Array(PIECE_BYTES);
        for (let at = 0; ; at += PIECE_BYTES - OVERLAP_BYTES) {
          const length = readSync(descriptor, piece, 0, PIECE_BYTES, at);
          if (length > 0 && passes(piece.subarray(0, length))) return true;
          if (length < PIECE_BYTES) return false;
        }
      } finally {
        closeSync(descriptor);
      }
    });
  }

  write(path: string, content: string | null, over?: Uint8Array): boolean {
    return this.#try(path, content === null ? "remove" : "write", (full) => {
      const isAsPlanned = () => over === undefined || isSameBytes(readIfThere(full), over);
      try {
        if (content !== null) writeFileAtomic(full, content, isAsPlanned);
        else if (isAsPlanned()) removeIfThere(full);
        else return false;
      } catch (error) {
        if (error instanceof Outdated) return false;
        throw error;
      }
      fsyncDirectory(dirname(full));
      if (content === null && VERSION.test(path)) removeIfEmpty(dirname(full));
      return true;
    });
  }

  #below(directory: string): string[] {
    return this.#try(directory, "read", entriesIfThere).flatMap((entry) => {
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === GIT || APART.has(path) ? [] : this.#below(path);
      return entry.isFile() && entry.name !== GIT && entry.name !== LOCK_FILE ? [path] : [];
    });
  }

  #try<T>(path: string, verb: string, work: (full: string) => T): T {
    const full = join(this.root, path);
    try {
      return work(full);
    } catch (error) {
      throw ioError(error, `Cannot ${verb} ${full}`);
    }
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY" && !isAbsence(error)) throw error;
  }
}
