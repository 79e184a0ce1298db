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
  /** When it was read or written, by the clock that stamps files. */
  readonly seenAt: number;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
}

export interface DocumentScan {
  readonly found: { ref: DocumentRef; stamp: FileStamp }[];
  /** Unfinished writes of processes that died. */
  readonly leftovers: string[];
  /** Collections that could not be looked into. */
  readonly unreadable: { collection: string; reason: string }[];
}

/** The Markdown files of one workspace: the truth. */
export interface DocumentFiles {
  /** The directory that holds one directory for each collection. */
  readonly root: string;
  pathOf(ref: DocumentRef): string;
  /** null when there is no such document. Throws `unsafe` for a link that leads out of the workspace. */
  read(ref: DocumentRef): DocumentFile | null;
  /** Whether there is such a file, readable or not. */
  has(ref: DocumentRef): boolean;
  /** The collections that hold a document with this id. */
  holding(id: string): string[];
  collections(): string[];
  /** Every document with its stamp, without opening it. */
  scan(): DocumentScan;
  /** Replaces the document as a whole; durable after `flush`. Throws `io` with nothing changed. */
  write(ref: DocumentRef, bytes: Uint8Array): DocumentFile;
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

/** Makes one process at a time the writer of a workspace. */
export interface WorkspaceLock {
  /** false where the workspace is read-only: nothing can be remembered then, and taking the lock throws `io`. */
  readonly writable: boolean;
  /**
   * Runs `work` as the only writer, then stores the rows that it changed in one transaction. Files are truth: rows that
   * cannot be stored are a warning, and the next `list` takes them in. Throws `locked` when another process does not
   * finish in time. There is no `await` inside, so nothing else of this process runs meanwhile.
   */
  exclusively<T>(work: () => T): Promise<T>;
  /** As `exclusively`, but without waiting: null when another process is writing. */
  tryExclusively<T>(work: () => T): { result: T } | null;
}

/** The index of documents in `retain.db`, derived from the files. */
export interface DocumentIndex {
  all(): IndexedDocument[];
  find(ref: DocumentRef): IndexedDocument | null;
  /** `put` and `remove` work while the lock is held, and take effect when it is given up. */
  put(row: IndexedDocument): void;
  remove(ref: DocumentRef): void;
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
   * Called under the lock before files are replaced or removed: keeps the bytes of each, by default unless they are
   * safe already (git's HEAD holds them). Returns for each the number it is kept under, or null. Durable on return.
   */
  keep(states: readonly OutgoingState[], evenIfSafe: boolean): (number | null)[];
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
  /** Records documents where versions are commits; null where they are not. */
  readonly committer: Committer | null;
}

export interface Committer {
  /** Throws `git` where a commit of this document cannot work. */
  require(ref: DocumentRef): void;
  /** Records the document, and nothing else; returns the commit's hash. */
  commit(file: DocumentFile, message: string): string;
}
