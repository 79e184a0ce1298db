/** The documents of one workspace as files: `<collections>/<collection>/<id>.md`, and nothing outside that tree. */
import { existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DocumentRef } from "../core/document.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { checkName, isComponent, isLayoutName } from "../core/names.ts";
import type { DocumentFile, DocumentFiles, FileStamp } from "../core/ports.ts";
import {
  ensureDirectory,
  fsyncDirectory,
  isInside,
  isTemporaryName,
  lstatIfThere,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";

const EXTENSION = ".md";

export class MarkdownDocuments implements DocumentFiles {
  readonly #unflushed = new Set<string>();

  constructor(
    /** The directory that holds one directory for each collection. */
    readonly root: string,
  ) {}

  pathOf({ collection, id }: DocumentRef): string {
    checkName("collection", collection);
    checkName("id", id);
    return join(this.root, collection, id + EXTENSION);
  }

  read(ref: DocumentRef): DocumentFile | null {
    const path = this.pathOf(ref);
    try {
      const stats = this.#statInside(path);
      const bytes = stats?.isFile() ? readIfThere(path) : null;
      return stats === null || bytes === null ? null : { ref, path, bytes, stamp: stampOf(stats) };
    } catch (error) {
      throw ioError(error, `Cannot read ${path}`);
    }
  }

  holding(id: string): string[] {
    checkName("id", id);
    return this.collections().filter((collection) => existsSync(this.pathOf({ collection, id })));
  }

  collections(): string[] {
    return entries(this.root)
      .filter((entry) => isComponent(entry.name) && !isLayoutName(entry.name))
      .filter((entry) => entry.isDirectory() || this.#isLinkedDirectory(entry))
      .map((entry) => entry.name)
      .sort();
  }

  scan(): ReturnType<DocumentFiles["scan"]> {
    const found: { ref: DocumentRef; stamp: FileStamp }[] = [];
    const leftovers: string[] = [];
    for (const collection of this.collections()) {
      const directory = join(this.root, collection);
      for (const name of readdirSync(directory)) {
        if (isTemporaryName(name)) leftovers.push(join(directory, name));
        if (!name.endsWith(EXTENSION) || !isComponent(name)) continue;
        const stamp = this.#stampInside(join(directory, name));
        if (stamp !== null) found.push({ ref: { collection, id: name.slice(0, -EXTENSION.length) }, stamp });
      }
    }
    return { found, leftovers };
  }

  write(ref: DocumentRef, data: string | Uint8Array): FileStamp {
    const path = this.pathOf(ref);
    try {
      ensureDirectory(dirname(path));
      this.#statInside(path);
      const target = resolveLinks(path);
      writeFileAtomic(target, data);
      this.#unflushed.add(dirname(target));
      return stampOf(statSync(target));
    } catch (error) {
      throw ioError(error, `Cannot write ${path}`);
    }
  }

  remove(ref: DocumentRef): void {
    const path = this.pathOf(ref);
    try {
      removeIfThere(path);
      this.#unflushed.add(dirname(path));
    } catch (error) {
      throw ioError(error, `Cannot remove ${path}`);
    }
  }

  removeLeftovers(paths: readonly string[]): void {
    for (const path of paths) removeIfThere(path);
  }

  flush(): void {
    for (const directory of this.#unflushed) fsyncDirectory(directory);
    this.#unflushed.clear();
  }

  #isLinkedDirectory(entry: { name: string; isSymbolicLink(): boolean }): boolean {
    const path = join(this.root, entry.name);
    return (
      entry.isSymbolicLink() && isInside(this.root, path) && existsSync(path) && statSync(path).isDirectory()
    );
  }

  /** Links are followed only while they stay inside; a collection that is itself a way out is refused too. */
  #statInside(path: string): Stats | null {
    const entry = lstatIfThere(path);
    if (entry !== null && !entry.isSymbolicLink() && !lstatIfThere(dirname(path))?.isSymbolicLink())
      return entry;
    if (!isInside(this.root, path))
      throw new RetainError(
        "unsafe",
        `${join(basename(dirname(path)), basename(path))} is a link that leads out of the workspace; it is not followed.`,
        "Replace the link by the file itself.",
      );
    return entry === null ? null : (statSync(path, { throwIfNoEntry: false }) ?? null);
  }

  #stampInside(path: string): FileStamp | null {
    const entry = lstatIfThere(path);
    const stats =
      entry?.isSymbolicLink() && isInside(this.root, path)
        ? statSync(path, { throwIfNoEntry: false })
        : entry;
    return stats?.isFile() ? stampOf(stats) : null;
  }
}

function stampOf(stats: Stats): FileStamp {
  return { size: stats.size, mtime: stats.mtimeMs, inode: stats.ino };
}

function entries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (!existsSync(directory)) return [];
    throw ioError(error, `Cannot read ${directory}`);
  }
}
