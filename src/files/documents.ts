/** The documents of one workspace as files: `<collections>/<collection>/<id>.md`. */
import { type Dirent, existsSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DocumentRef } from "../core/documents/document.ts";
import { checkName, isComponent, isLayoutName } from "../core/documents/names.ts";
import { ioError, messageOf, writeError } from "../core/errors.ts";
import type {
  Clock,
  DocumentFile,
  DocumentFiles,
  DocumentScan,
  FileStamp,
  UnreadDocument,
} from "../core/ports/documents.ts";
import { ensureInside, heldInside } from "../util/directory.ts";
import { LeadsOut } from "../util/errno.ts";
import {
  entriesIfThere,
  errorCode,
  fsyncDirectory,
  isAbsence,
  isInside,
  isSameBytes,
  isTemporaryName,
  lstatIfThere,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";
import { Listings, type SeenEntry } from "./watch/listings.ts";

const EXTENSION = ".md";

export class MarkdownDocuments implements DocumentFiles {
  readonly #unflushed = new Set<string>();
  readonly #listings: Listings;

  constructor(
    /** Contains one directory per collection. */
    readonly root: string,
    /** The workspace; links may not point outside it. */
    private readonly boundary: string,
    clock: Clock = () => new Date(),
  ) {
    this.#listings = new Listings(
      clock,
      () => this.collections().map((collection) => join(this.root, collection)),
      (directory) => this.#lookIn(directory),
    );
  }

  folderOf(): null {
    return null;
  }

  addedSince(): false {
    return false;
  }

  pathOf({ collection, id }: DocumentRef): string {
    checkName("collection", collection);
    checkName("id", id);
    return join(this.root, collection, id + EXTENSION);
  }

  read(ref: DocumentRef): DocumentFile | null {
    const path = this.pathOf(ref);
    try {
      const seenAt = Date.now();
      const stats = this.#statInside(path);
      const bytes = stats?.isFile() ? readIfThere(path) : null;
      return stats === null || bytes === null ? null : { ref, seenAt, path, bytes, stamp: stampOf(stats) };
    } catch (error) {
      throw ioError(error, `Cannot read ${path}`);
    }
  }

  has(ref: DocumentRef): boolean {
    if (!isComponent(ref.collection) || !isComponent(ref.id)) return false;
    const entry = lstatIfThere(this.pathOf(ref));
    return entry !== null && !entry.isDirectory();
  }

  holding(id: string): string[] {
    return this.collections().filter((collection) => this.has({ collection, id }));
  }

  collections(): string[] {
    if (!isInside(this.boundary, this.root)) throw ioError(new LeadsOut(this.root), "");
    return this.#entries()
      .filter((entry) => isComponent(entry.name) && !this.#isLayout(entry.name))
      .filter((entry) => entry.isDirectory() || this.#isLinkedDirectory(entry))
      .map((entry) => entry.name)
      .sort();
  }

  scan(): DocumentScan {
    return this.#listings.scan();
  }

  scanInSlices(): Promise<DocumentScan> {
    return this.#listings.scanInSlices();
  }

  write(ref: DocumentRef, bytes: Uint8Array, over: Uint8Array | null): DocumentFile {
    const path = this.pathOf(ref);
    try {
      ensureInside(this.boundary, dirname(path));
      this.#statInside(path);
      const target = resolveLinks(path);
      const stats = heldInside(this.boundary, dirname(target), (held) => {
        const file = `${held}/${basename(target)}`;
        writeFileAtomic(file, bytes, () => isSameBytes(readIfThere(file), over));
        return statSync(file);
      });
      this.#unflushed.add(dirname(target));
      return { ref, seenAt: Date.now(), path, bytes, stamp: stampOf(stats) };
    } catch (error) {
      throw writeError(error, path);
    }
  }

  remove(ref: DocumentRef): void {
    const path = this.pathOf(ref);
    try {
      // Removes the entry itself, even if it is a link.
      heldInside(this.boundary, dirname(path), (held) => removeIfThere(`${held}/${basename(path)}`));
      this.#unflushed.add(dirname(path));
    } catch (error) {
      throw ioError(error, `Cannot remove ${path}`);
    }
  }

  removeLeftovers(paths: readonly string[]): void {
    for (const path of paths) removeIfThere(path);
  }

  flush(): void {
    try {
      for (const directory of this.#unflushed) fsyncDirectory(directory);
    } catch (error) {
      throw ioError(error, `Cannot flush ${this.root}`);
    }
    this.#unflushed.clear();
  }

  /** Closes the watches that scans opened. */
  close(): void {
    this.#listings.close();
  }

  #lookIn(directory: string): (name: string) => SeenEntry | null {
    const collection = basename(directory);
    const disk = lstatIfThere(directory)?.dev;
    // Hot: ten thousand times per search, so no `join`.
    return (name) => {
      const path = `${directory}/${name}`;
      if (isTemporaryName(name))
        return lstatIfThere(path) === null ? null : { leftover: path, isLoose: false };
      if (!name.endsWith(EXTENSION) || !isComponent(name)) return null;
      const entry = lstatIfThere(path);
      if (entry === null) return null;
      const ref = { collection, id: name.slice(0, -EXTENSION.length) };
      const stamp = this.#stampInside(path, entry);
      if (stamp === null) {
        const stray = this.#strayAt(path, ref);
        return stray === null ? null : { stray, isLoose: true };
      }
      const isLoose = !entry.isFile() || entry.nlink !== 1 || entry.dev !== disk;
      return { document: { ref, stamp }, isLoose };
    };
  }

  /** If collections are directly in the workspace, its own directories don't count. */
  #isLayout(name: string): boolean {
    return this.root === this.boundary && isLayoutName(name);
  }

  /** An unreadable directory does not hide the others. */
  #entries(): Dirent[] {
    try {
      return entriesIfThere(this.root);
    } catch (error) {
      throw ioError(error, `Cannot read ${this.root}`);
    }
  }

  #isLinkedDirectory(entry: { name: string; isSymbolicLink(): boolean }): boolean {
    const path = join(this.root, entry.name);
    return (
      entry.isSymbolicLink() &&
      isInside(this.boundary, path) &&
      existsSync(path) &&
      statSync(path).isDirectory()
    );
  }

  /** null if there is nothing. Follows links only inside the workspace. */
  #statInside(path: string): Stats | null {
    const collection = dirname(path);
    for (const step of [this.root, collection, path]) {
      if (lstatIfThere(step)?.isSymbolicLink() && !isInside(this.boundary, step)) throw new LeadsOut(step);
    }
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  }

  #stampInside(path: string, entry: Stats): FileStamp | null {
    if (!entry.isSymbolicLink()) return entry.isFile() ? stampOf(entry) : null;
    const target = isInside(this.boundary, path) ? statBehind(path) : null;
    return target?.isFile() ? stampOf(target) : null;
  }

  /** Why this name is not a document; null if it no longer exists. */
  #strayAt(path: string, ref: DocumentRef): UnreadDocument | null {
    const entry = lstatIfThere(path);
    if (entry === null) return null;
    if (entry.isSymbolicLink() && !isInside(this.boundary, path))
      return { ...ref, problem: messageOf(ioError(new LeadsOut(path), "")) };
    const target = statBehind(path);
    const what =
      target === null ? "a broken link" : target.isDirectory() ? "a directory" : "not a regular file";
    return { ...ref, problem: `${path} is ${what}.` };
  }
}

/** null for a broken or circular link. */
function statBehind(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsence(error) || errorCode(error) === "ELOOP") return null;
    throw error;
  }
}

export function stampOf(stats: Stats): FileStamp {
  return { size: stats.size, mtime: stats.mtimeMs, ctime: stats.ctimeMs, inode: stats.ino };
}
