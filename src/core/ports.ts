/** What the use cases need from the outside. Adapters implement these; `app.ts` joins them. */
import type { DocumentRef } from "./document.ts";
import type { Version } from "./versions.ts";
import type { Fields } from "./yaml-fields.ts";

export type Clock = () => Date;

/** Enough of a file's status to notice that somebody changed it. */
export interface FileStamp {
  readonly size: number;
  readonly mtime: number;
  /** When the file's status changed: a person can set mtime back, but not this. */
  readonly ctime: number;
  readonly inode: number;
}

export interface DocumentFile {
  readonly ref: DocumentRef;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
}

export interface DocumentScan {
  readonly found: { ref: DocumentRef; stamp: FileStamp }[];
  /** Unfinished writes of processes that died. */
  readonly leftovers: string[];
  /** Collections that could not be looked into, with the reason. */
  readonly unreadable: string[];
}

/** The Markdown files of one workspace: the truth. */
export interface DocumentFiles {
  /** The directory that holds one directory for each collection. */
  readonly root: string;
  pathOf(ref: DocumentRef): string;
  /** null when there is no such document. Throws `unsafe` for a link that leads out of the workspace. */
  read(ref: DocumentRef): DocumentFile | null;
  /** The collections that hold a document with this id. */
  holding(id: string): string[];
  collections(): string[];
  /** Every document with its stamp, without opening it. */
  scan(): DocumentScan;
  /** Replaces the document as a whole; durable after `flush`. Throws `io` with nothing changed. */
  write(ref: DocumentRef, data: string | Uint8Array): FileStamp;
  /** Removes the document; durable after `flush`. */
  remove(ref: DocumentRef): void;
  removeLeftovers(paths: readonly string[]): void;
  flush(): void;
}

/** What the index knows of a document. */
export interface IndexedDocument extends DocumentRef, FileStamp {
  readonly hash: string;
  /** The hash of what Retain itself wrote last; null where it never did, or the index was lost since. */
  readonly writtenHash: string | null;
  /** When the content was read, to tell a change within the clock tick of that read. */
  readonly seenAt: number;
  readonly title: string;
  /** The frontmatter, less its `version_history`. */
  readonly fields: Fields;
  /** Why the frontmatter could not be read; null normally. */
  readonly problem: string | null;
}

export interface IndexChanges {
  put(row: IndexedDocument): void;
  remove(ref: DocumentRef): void;
}

/** `retain.db`: a derived index of the documents, and the lock that makes one process at a time the writer. */
export interface DocumentIndex {
  /** false where the workspace is read-only: nothing is remembered then, and `exclusively` throws. */
  readonly writable: boolean;
  /**
   * Runs `work` as the workspace's only writer, then stores the rows that it changed in one transaction. Files are
   * truth: rows that cannot be stored are a warning, and the next `list` takes them in. Throws `locked` when another
   * process does not finish in time.
   */
  exclusively<T>(work: (changes: IndexChanges) => T): Promise<T>;
  all(): IndexedDocument[];
  find(ref: DocumentRef): IndexedDocument | null;
  close(): void;
}

/** A document about to be replaced or removed, with its own version number and that version's time. */
export interface OutgoingState {
  readonly file: DocumentFile;
  readonly version: number;
  readonly time: string;
}

/** Keeps what a document said before. */
export interface VersionStore {
  readonly kind: "git" | "numbered";
  /**
   * Called under the lock before files are replaced or removed: keeps the bytes of each unless they are safe already
   * (git's HEAD holds them). Returns for each the number it is kept under, or null. Durable on return.
   */
  keep(states: readonly OutgoingState[]): (number | null)[];
  /** Drops the oldest kept files, so that `count` are left. */
  prune(ref: DocumentRef, count: number): void;
  /** The highest number kept for this document; 0 when there is none. */
  highest(ref: DocumentRef): number;
  /** Newest first. `current` is the document as it stands, null when it was deleted. */
  list(ref: DocumentRef, current: DocumentFile | null): Version[];
  /** The bytes of a version, which may be the current one. Throws `not_found` when there is none of that name. */
  read(ref: DocumentRef, version: string, current: DocumentFile | null): Uint8Array;
  /** The last state of a deleted document; null when nothing of it is left. `kept` is its number among kept files. */
  lastState(ref: DocumentRef): { bytes: Uint8Array; kept: number | null } | null;
  /** The collections in which a deleted document of this id can be restored. */
  holding(id: string): string[];
  /** Forgets the kept file of this number: the document says it again. */
  drop(ref: DocumentRef, number: number): void;
  /** Throws unless `commit` could work: `usage` where git does not keep versions, `git` where it cannot commit. */
  requireCommit(ref: DocumentRef): void;
  /** Records the document, and nothing else, in git; returns the commit's hash. */
  commit(file: DocumentFile, message: string): string;
}
