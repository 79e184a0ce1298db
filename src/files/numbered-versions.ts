/**
 * Versions as plain files next to their collection: `.versions/<id>/v3_2026-11-15T20-17-47Z.md`. A hard link to the old bytes if
 * possible, so that saving a version copies nothing.
 */
import { linkSync } from "node:fs";
import { join } from "node:path";
import { type DocumentRef, documentOf } from "../core/documents/document.ts";
import { parseLoosely } from "../core/documents/frontmatter.ts";
import { checkName, isComponent } from "../core/documents/names.ts";
import { type Version, versionNumber } from "../core/documents/versions.ts";
import { ioError, RetainError } from "../core/errors.ts";
import type { DocumentFile, OutgoingState, VersionStore } from "../core/ports/documents.ts";
import { ensureInside, heldInside } from "../util/directory.ts";
import {
  entriesIfThere,
  fsyncDirectory,
  fsyncFile,
  isInside,
  lstatIfThere,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";

const DIRECTORY = ".versions";
const FILE = /^v(\d+)_(.+)\.md$/;

interface KeptFile {
  number: number;
  path: string;
  /** ISO, from the file name. */
  time: string;
}

export class NumberedVersions implements VersionStore {
  readonly kind = "numbered";

  constructor(
    /** Contains one directory per collection. */
    private readonly root: string,
    /** The workspace; links may not point outside it. */
    private readonly boundary: string,
  ) {}

  readonly committer = null;

  keep(states: readonly OutgoingState[]): number[] {
    return states.map((state) => this.keepOne(state));
  }

  keepOne({ file, version, time }: OutgoingState): number {
    const directory = this.#directory(file.ref);
    const newest = this.#kept(file.ref)[0];
    if (newest !== undefined && holds(newest, file.bytes)) return newest.number;
    const number = Math.max(version, (newest?.number ?? 0) + 1);
    const name = `v${number}_${time.replaceAll(":", "-")}.md`;
    try {
      ensureInside(this.boundary, directory);
      heldInside(this.boundary, directory, (held) => {
        linkOrCopy(file, `${held}/${name}`);
        fsyncDirectory(held);
      });
    } catch (error) {
      throw ioError(error, `Cannot save the old version in ${directory}`);
    }
    return number;
  }

  prune(ref: DocumentRef, count: number): void {
    for (const { path } of this.#kept(ref).slice(count)) removeIfThere(path);
  }

  highest(ref: DocumentRef): number {
    return this.#kept(ref)[0]?.number ?? 0;
  }

  list(ref: DocumentRef, current: DocumentFile | null): Version[] {
    const kept = this.#kept(ref);
    const [newest, ...older] = kept;
    if (current === null) return kept.map((file) => describeKept(ref, file));
    if (newest !== undefined && holds(newest, current.bytes))
      return [
        describe(ref, newest.number, current.bytes, true),
        ...older.map((file) => describeKept(ref, file)),
      ];
    return [
      describe(ref, this.#numberOf(current), current.bytes, true),
      ...kept.map((file) => describeKept(ref, file)),
    ];
  }

  read(ref: DocumentRef, version: string, current: DocumentFile | null): Uint8Array {
    const number = versionNumber(version);
    const bytes = number === null ? null : this.readNumber(ref, number);
    if (bytes !== null) return bytes;
    if (current !== null && number === this.#numberOf(current)) return current.bytes;
    const names = this.#kept(ref).map((kept) => `v${kept.number}`);
    throw new RetainError(
      "not_found",
      `There is no version '${version}' of '${ref.id}'.`,
      names.length > 0 ? `Saved versions: ${names.join(", ")}.` : "It has no earlier versions.",
    );
  }

  /** null if there is no such version. */
  readNumber(ref: DocumentRef, number: number): Uint8Array | null {
    const kept = this.#kept(ref).find((candidate) => candidate.number === number);
    return kept === undefined ? null : readIfThere(kept.path);
  }

  lastState(ref: DocumentRef): { bytes: Uint8Array; kept: number; keptAt: number } | null {
    const newest = this.#kept(ref)[0];
    const bytes = newest === undefined ? null : readIfThere(newest.path);
    if (newest === undefined || bytes === null) return null;
    return { bytes, kept: newest.number, keptAt: lstatIfThere(newest.path)?.ctimeMs ?? 0 };
  }

  holding(id: string): string[] {
    return listing(this.root)
      .map((entry) => entry.name)
      .filter((collection) => isComponent(collection) && this.#isInside({ collection, id }))
      .filter((collection) => this.#kept({ collection, id }).length > 0)
      .sort();
  }

  known(): DocumentRef[] {
    return listing(this.root)
      .filter(({ name }) => isComponent(name))
      .flatMap(({ name: collection }) =>
        listing(join(this.root, collection, DIRECTORY)).map((entry) => ({ collection, id: entry.name })),
      )
      .filter((ref) => isComponent(ref.id) && this.#isInside(ref));
  }

  drop(ref: DocumentRef, number: number): void {
    for (const kept of this.#kept(ref)) if (kept.number === number) removeIfThere(kept.path);
  }

  /** The current state's number follows the saved versions, whatever its frontmatter says. */
  #numberOf({ ref, bytes }: DocumentFile): number {
    const document = documentOf(ref, parseLoosely(bytes));
    return Math.max(document.version ?? 1, this.highest(ref) + 1);
  }

  #pathOf({ collection, id }: DocumentRef): string {
    checkName("collection", collection);
    checkName("id", id);
    return join(this.root, collection, DIRECTORY, id);
  }

  #directory(ref: DocumentRef): string {
    const directory = this.#pathOf(ref);
    if (this.#isInside(ref)) return directory;
    throw new RetainError(
      "unsafe",
      `${directory} is behind a link that points outside the workspace.`,
      "Remove the link.",
    );
  }

  #isInside(ref: DocumentRef): boolean {
    return isInside(this.boundary, this.#pathOf(ref));
  }

  /** Newest first. Regular files only: a link could point outside. */
  #kept(ref: DocumentRef): KeptFile[] {
    if (lstatIfThere(this.#pathOf(ref)) === null) return [];
    const directory = this.#directory(ref);
    return listing(directory)
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) => {
        const [, digits, stamp] = FILE.exec(name) ?? [];
        if (digits === undefined || stamp === undefined) return [];
        const time = stamp.replace(/T(\d{2})-(\d{2})-(\d{2})/, "T$1:$2:$3");
        return [{ number: Number(digits), path: join(directory, name), time }];
      })
      .sort((a, b) => b.number - a.number);
  }
}

/** Flushes first, since an editor's write may not be on disk yet. */
function linkOrCopy(file: DocumentFile, path: string): void {
  const source = resolveLinks(file.path);
  try {
    fsyncFile(source);
    linkSync(source, path);
  } catch {
    writeFileAtomic(path, file.bytes);
  }
}

function describeKept(ref: DocumentRef, { number, path, time }: KeptFile): Version {
  const version = describe(ref, number, readIfThere(path) ?? new Uint8Array(), false);
  return { ...version, timestamp: version.timestamp ?? time };
}

function describe(ref: DocumentRef, number: number, bytes: Uint8Array, current: boolean): Version {
  const document = documentOf(ref, parseLoosely(bytes));
  return {
    version: `v${number}`,
    timestamp: document.updated_at ?? document.created_at,
    author: document.updated_by ?? document.created_by,
    message: document.title,
    git_ref: null,
    current,
  };
}

function holds(kept: KeptFile, bytes: Uint8Array): boolean {
  return Buffer.compare(readIfThere(kept.path) ?? new Uint8Array(), bytes) === 0;
}

function listing(directory: string) {
  try {
    return entriesIfThere(directory);
  } catch (error) {
    throw ioError(error, `Cannot read ${directory}`);
  }
}
