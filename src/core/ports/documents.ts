/** Ports of the use cases. Adapters implement them; `app.ts` connects them. */
import type { DocumentRef } from "../documents/document.ts";
import type { Fields } from "../documents/read-yaml.ts";
import type { Version } from "../documents/versions.ts";
import type { Fact } from "../facts/fact.ts";
import type { FactVectors } from "../facts/fact-vectors.ts";
import type { Memory, MemoryRef } from "../memory.ts";
import type { Embedding } from "../senses.ts";

export type Clock = () => Date;

/** File status, enough to detect a change. */
export interface FileStamp {
  readonly size: number;
  readonly mtime: number;
  /** When the file's status changed: unlike mtime, nobody can set it back. */
  readonly ctime: number;
  readonly inode: number;
}

export interface DocumentFile {
  readonly ref: DocumentRef;
  /** When it was read or written, by the file system's clock. */
  readonly seenAt: number;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
}

/** A document's file, not opened yet. The next scan may return the same object for a file that hasn't changed. */
export interface FoundDocument {
  readonly ref: DocumentRef;
  readonly stamp: FileStamp;
}

export interface DocumentScan {
  readonly found: FoundDocument[];
  /** Unfinished writes of killed processes. */
  readonly leftovers: string[];
  /** Unreadable collections. */
  readonly unreadable: { collection: string; reason: string }[];
  /** Named like documents, but not regular files here: directories, broken links, links that point outside. */
  readonly strays: UnreadDocument[];
}

/** A document that is unreadable, wholly or in part. */
export interface UnreadDocument extends DocumentRef {
  readonly problem: string;
  /** Whether its text is searchable; then only its frontmatter is unreadable. */
  readonly isSearched?: boolean;
}

/** The Markdown files of one workspace: the source of truth. */
export interface DocumentFiles {
  /** Contains one directory per collection. */
  readonly root: string;
  /** The outside folder behind a read-only collection, or null. */
  folderOf(collection: string): string | null;
  /** Whether the collection is a folder added after these files were opened; other processes maintain its rows. */
  addedSince(collection: string): boolean;
  pathOf(ref: DocumentRef): string;
  /** null if there is no such document. Throws `unsafe` for a link that points outside the workspace. */
  read(ref: DocumentRef): DocumentFile | null;
  /** Whether the file exists, readable or not. false for a name that no document can have. */
  has(ref: DocumentRef): boolean;
  /** The collections with a document of this id; read-only ones only if no other has it. Empty for an invalid name. */
  holding(id: string): string[];
  collections(): string[];
  /** Every document with its stamp, without opening it. May return the same object if nothing changed. */
  scan(): DocumentScan;
  /** Like `scan`, and gives way to other work. Sees every change made before the call. */
  scanInSlices(): Promise<DocumentScan>;
  /**
   * Replaces the whole document, which has the bytes `over`; null for a new one. Durable after `flush`. With nothing changed,
   * throws `io`, `read_only`, and `conflict` if somebody has just saved other bytes, since only `over` is kept as a version.
   */
  write(ref: DocumentRef, bytes: Uint8Array, over: Uint8Array | null): DocumentFile;
  /** Removes the document; durable after `flush`. Throws `io` or `read_only` with nothing changed. */
  remove(ref: DocumentRef): void;
  removeLeftovers(paths: readonly string[]): void;
  flush(): void;
}

/** A file below `memories/`, named by its path from there: "MEMORY.md", "chats/work/2026-11-15.md". */
export interface MemoryFile {
  readonly path: string;
  readonly content: string;
  readonly stamp: FileStamp;
  /** If known: the previous text and what was appended to it, since comparing megabytes is slow. */
  readonly grown?: Growth;
}

export interface Growth {
  readonly from: string;
  readonly by: string;
}

/** null means no file. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Set if `after` is known to be `before`, of this size, plus this text. */
  readonly added?: { readonly size: number; readonly text: string };
}

/** A document that a change created, replaced or deleted. Hashes identify its states; null means no document. */
export interface DocumentChange extends DocumentRef {
  readonly before: string | null;
  readonly after: string | null;
}

/** A recorded change. It is permanent if it names neither files nor documents: `undo` then refuses. */
export interface Change {
  readonly number: number;
  /** "remember", "ingest", "compact", "put". */
  readonly label: string;
  readonly at: string;
  readonly documents: readonly DocumentChange[];
  readonly files: readonly {
    readonly path: string;
    readonly removed: string;
    readonly inserted: string;
    readonly created: boolean;
    readonly deleted: boolean;
  }[];
}

export interface MadeChange {
  readonly files?: readonly ChangedFile[];
  readonly documents?: readonly DocumentChange[];
}

/** The memory files of one workspace: facts, notes and working memory. A source of truth, like documents. */
export interface MemoryFiles {
  /** The directory `memories`. */
  readonly root: string;
  /** Every Markdown file with its stamp, not opened: at the top, in each chat, and working memory. */
  scan(): { readonly path: string; readonly stamp: FileStamp }[];
  /** null if missing. Throws `invalid_input` if it isn't text, `unsafe` for a link out of the workspace. */
  read(path: string): MemoryFile | null;
  /** Whether a process died during a change, or during a write that the last `scan` found. */
  readonly unfinished: boolean;
  /** Finishes such a change. Needs the lock, like everything below. */
  recover(): void;
  /** Replaces one file durably, without undo. Throws `io`. */
  write(path: string, content: string): void;
  /** Changes files atomically and durably. Throws `io`. */
  change(label: string, at: string, files: readonly ChangedFile[]): void;
  /** Records a change that the caller has just made, so that `undo` knows what came last. One that names nothing is permanent. */
  recordChange(label: string, at: string, made: MadeChange): void;
  /** Newest first. */
  changes(): Change[];
  /** When the newest of them was made, in ms; null if there is none. Needs no lock. */
  lastChange(): number | null;
  /**
   * Undoes a change. Throws `conflict`, with nothing changed, if a memory file has other text by now. `others` reverts documents: it
   * runs once it is certain that the files can be reverted, and may throw.
   */
  undo(number: number, at: string, others?: () => void): void;
  /** Logs that automatic compaction skips, because a person undid it. */
  uncompacted(): ReadonlySet<string>;
  /** Adds logs to skip, durably. Throws `io`. */
  leaveUncompacted(logs: readonly string[]): void;
  /** Makes a change permanent, so that it can't be undone. */
  dropChange(number: number): void;
  /** For erasing a text: drops the undo records that contain it. */
  dropChanges(holds: (record: string) => boolean): void;
}

/** Enough of an indexed document to detect that its file changed. */
export interface StampedDocument extends DocumentRef, FileStamp {
  /** When the content was read, to detect a change within the same clock tick. */
  readonly seenAt: number;
  /** The version of the indexing. */
  readonly format: number;
}

/** A document in the index. */
export interface IndexedDocument extends StampedDocument {
  readonly hash: string;
  /** The hash of Retain's last write; null if it never wrote it, or the index was lost since. */
  readonly writtenHash: string | null;
  readonly title: string;
  /** The frontmatter without its `version_history`. */
  readonly fields: Fields;
  /** Why the document or its frontmatter is unreadable, or null. */
  readonly problem: string | null;
}

/** Lets one process at a time write to a workspace. */
export interface WorkspaceLock {
  /** false if the workspace is read-only: nothing can be saved, and taking the lock throws `io`. */
  readonly writable: boolean;
  /**
   * Runs `work` as the only writer, then stores its row changes in one transaction. Files are the truth: rows that can't be
   * stored become a warning, and the next `list` repairs them. Throws `locked` on timeout. `work` has no `await`, so nothing else
   * in this process runs meanwhile.
   */
  exclusively<T>(work: () => T): Promise<T>;
  /** Like `exclusively`, without waiting: null if another process is writing. */
  tryExclusively<T>(work: () => T): { result: T } | null;
  /** For a read-only workspace: only this process sees the rows that `work` changes. */
  inMemory<T>(work: () => T): T;
  /**
   * Needs the lock. Stores all rows that `change` changes, or none. If they can't be stored because of their content, stores
   * those of `instead`; other changes under the lock are stored anyway.
   */
  savepoint(change: () => void, instead: (cause: unknown) => void): void;
}

/** The index of documents in `retain.db`, derived from the files. */
export interface DocumentIndex {
  /** In pages, so that other work can run in between. */
  all(): Iterable<IndexedDocument[]>;
  /** In pages. */
  stamps(): Iterable<StampedDocument[]>;
  /** Unreadable documents, wholly or in part, with the reason. */
  unread(): UnreadDocument[];
  /**
   * The last arguments of `settle` (a null fingerprint if the rows have changed since), and a number that grows with every
   * change.
   */
  settled(): { fingerprint: string | null; unread: number; generation: number };
  /** The documents whose rows changed since that generation; null if unknown. */
  changedSince(generation: number): DocumentRef[] | null;
  /** Records that the rows of this generation match files with this fingerprint, `unread` of them unreadable. Needs the lock. */
  settle(fingerprint: string, unread: number, generation: number): void;
  find(ref: DocumentRef): IndexedDocument | null;
  /** Like `find`, for each; faster for many. */
  findEach(refs: readonly DocumentRef[]): (IndexedDocument | null)[];
  /** `put` and `remove` need the lock, and take effect when it is released. */
  put(row: IndexedDocument): void;
  remove(ref: DocumentRef): void;
}

/** The facts and notes in `retain.db`, derived from the memory files. */
export interface FactIndex {
  /** Includes ended facts, in file order. Returns the same list until something changes. */
  all(): readonly Fact[];
  /** Recall counts by fact id; only facts that were recalled. */
  uses(): ReadonlyMap<string, number>;
  /** The last argument of `settle`; null if the index is empty. */
  settled(): MemoryStamps | null;
  /** Needs the lock, like everything below. Replaces all facts by these, in file order, including full text and vectors. */
  replace(facts: readonly Fact[]): void;
  /** Replaces the notes of one log. */
  replaceNotes(log: string, notes: readonly Memory[]): void;
  settle(stamps: MemoryStamps): void;
  readonly vectors: FactVectors;
}

/** Per memory file, a stamp that changes with it. */
export type MemoryStamps = Readonly<Record<string, string>>;

/** A document about to be replaced or removed, with its version number and time. */
export interface OutgoingState {
  readonly file: DocumentFile;
  readonly version: number;
  readonly time: string;
}

/** Saves earlier states of documents. */
export interface VersionStore {
  readonly kind: "git" | "numbered";
  /**
   * Called under the lock before files are replaced or removed. Saves the bytes of each, by default unless git's HEAD has them.
   * Returns the version number of each, or null. Durable on return.
   */
  keep(states: readonly OutgoingState[], evenIfSafe: boolean): (number | null)[];
  /** Drops the oldest saved versions, leaving `count`. */
  prune(ref: DocumentRef, count: number): void;
  /** The highest saved version number; 0 if there is none. */
  highest(ref: DocumentRef): number;
  /** Newest first. `current` is the current document, or null if it was deleted. */
  list(ref: DocumentRef, current: DocumentFile | null): Version[];
  /** The bytes of a version, which may be the current one. Throws `not_found`. */
  read(ref: DocumentRef, version: string, current: DocumentFile | null): Uint8Array;
  /**
   * The last state of a deleted document, or null. `kept` is its number among saved versions, `keptAt` the time it was saved
   * or committed, in ms.
   */
  lastState(ref: DocumentRef): { bytes: Uint8Array; kept: number | null; keptAt: number } | null;
  /** The collections in which a deleted document of this id can be restored. */
  holding(id: string): string[];
  /** Documents that have versions or had them when they were deleted, as far as that can be told quickly. */
  known(): DocumentRef[];
  /** Drops this saved version, because the document has that text again. */
  drop(ref: DocumentRef, number: number): void;
  /** Commits documents if versions are commits, else null. */
  readonly committer: Committer | null;
}

export interface Committer {
  /** Throws `git` if this document can't be committed. */
  require(ref: DocumentRef): void;
  /** Commits only this document; returns the commit's hash. */
  commit(file: DocumentFile, message: string): string;
}

export type Paused = (cause: Error, ms: number) => void;

/** Embeds texts with one embedding model. Loads lazily. */
export interface Embedder {
  /** Stored with every vector, since vectors of different embedding models are never compared. */
  readonly model: string;
  /**
   * One embedding per text, in order. Each depends only on its own text, so embedding is repeatable. Throws `embedding` if the
   * embedding model fails, which must never lose written data. `paused` is called on a temporary failure, with the delay before
   * the retry.
   */
  embed(texts: readonly string[], progress?: (done: number) => void, paused?: Paused): Promise<Embedding[]>;
  close(): void;
}

/** Scores how well texts answer a question. */
export interface Reranker {
  /** One score per text, in order, on any scale; higher is better. Throws `remote` on failure or timeout. */
  score(query: string, texts: readonly string[]): Promise<number[]>;
}

/** A language model. Its answers are untrusted data. */
export interface Model {
  /** The complete answer as text. Throws `model` on failure. */
  complete(prompt: string): Promise<string>;
}

/** Indexes memories in full text and, through the queue, as vectors. Needs the lock. */
export interface MemoryIndex {
  /** Replaces the memory's chunks; identical chunks keep their vectors. */
  put(memory: Memory): void;
  remove(ref: MemoryRef): void;
}
