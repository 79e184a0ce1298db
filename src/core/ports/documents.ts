/** What the use cases need from the outside. Adapters implement these; `app.ts` joins them. */
import type { DocumentRef } from "../documents/document.ts";
import type { Fields } from "../documents/read-yaml.ts";
import type { Version } from "../documents/versions.ts";
import type { Fact } from "../facts/fact.ts";
import type { FactVectors } from "../facts/fact-vectors.ts";
import type { Memory, MemoryRef } from "../memory.ts";

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

/** A document's file, not opened. */
export interface FoundDocument {
  readonly ref: DocumentRef;
  readonly stamp: FileStamp;
}

export interface DocumentScan {
  readonly found: FoundDocument[];
  /** Unfinished writes of processes that died. */
  readonly leftovers: string[];
  /** Collections that could not be looked into. */
  readonly unreadable: { collection: string; reason: string }[];
  /** Named like documents, but no files of this workspace: links that lead out of it or nowhere, directories. */
  readonly strays: UnreadDocument[];
}

/** A document that cannot be read, or not all of it. */
export interface UnreadDocument extends DocumentRef {
  readonly problem: string;
  /** Whether its text is searched: then only its frontmatter could not be read. */
  readonly isSearched?: boolean;
}

/** The Markdown files of one workspace: the truth. */
export interface DocumentFiles {
  /** The directory that holds one directory for each collection. */
  readonly root: string;
  /** The folder outside the workspace that a read-only collection is; null for any other collection. */
  folderOf(collection: string): string | null;
  /** Whether the collection is a folder that was added after these files were opened: its rows are others' to keep. */
  addedSince(collection: string): boolean;
  pathOf(ref: DocumentRef): string;
  /** null when there is no such document. Throws `unsafe` for a link that leads out of the workspace. */
  read(ref: DocumentRef): DocumentFile | null;
  /** Whether there is such a file, readable or not. */
  has(ref: DocumentRef): boolean;
  /** The collections that hold a document with this id; read-only ones only where no other does. */
  holding(id: string): string[];
  collections(): string[];
  /** Every document with its stamp, without opening it. Where nothing changed, it may be the same object as before. */
  scan(): DocumentScan;
  /** Replaces the document as a whole; durable after `flush`. Throws `io` or `read_only` with nothing changed. */
  write(ref: DocumentRef, bytes: Uint8Array): DocumentFile;
  /** Removes the document; durable after `flush`. Throws as `write`. */
  remove(ref: DocumentRef): void;
  removeLeftovers(paths: readonly string[]): void;
  flush(): void;
}

/** A file below `memories/`, named by its path from there: "MEMORY.md", "chats/work/2026-11-15.md". */
export interface MemoryFile {
  readonly path: string;
  readonly content: string;
  readonly stamp: FileStamp;
  /** Where it is known: what it said before, and what was put behind that. To find this out, megabytes would be compared. */
  readonly grown?: Growth;
}

export interface Growth {
  readonly from: string;
  readonly by: string;
}

/** null stands for no file. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Where it is known that `after` is `before`, of so many bytes, with this behind it. */
  readonly added?: { readonly size: number; readonly text: string };
}

/** A change that was made, and can be taken back. */
export interface Change {
  readonly number: number;
  /** "remember", "ingest", "compact". */
  readonly label: string;
  readonly at: string;
  readonly files: readonly {
    readonly path: string;
    readonly removed: string;
    readonly inserted: string;
    readonly created: boolean;
    readonly deleted: boolean;
  }[];
}

/** The memory files of one workspace: facts, notes and working memory. Truth, as documents are. */
export interface MemoryFiles {
  /** The directory `memories`. */
  readonly root: string;
  /** Every Markdown file with its stamp, none of them opened: at the top, of each chat, and working memory. */
  scan(): { readonly path: string; readonly stamp: FileStamp }[];
  /** null when there is none. Throws `invalid_input` for what is no text, `unsafe` for a link out of the workspace. */
  read(path: string): MemoryFile | null;
  /** Whether a process died in the middle of a change, or of a write that the last `scan` met. */
  readonly unfinished: boolean;
  /** Finishes such a change. This and what follows works while the lock is held. */
  recover(): void;
  /** Replaces one file, durably; nothing that could be taken back. Throws `io`. */
  write(path: string, content: string): void;
  /** Changes files as one, durably: after a crash all of it is there or none. Throws `io`. */
  change(label: string, at: string, files: readonly ChangedFile[]): void;
  /** The newest first. */
  changes(): Change[];
  /** Takes a change back. Throws `conflict`, with nothing changed, where a file says something else by now. */
  undo(number: number, at: string): void;
  /** Logs that automatic compaction leaves alone, because a person undid it. */
  uncompacted(): ReadonlySet<string>;
  /** Adds logs to these, durably. Throws `io`. */
  leaveUncompacted(logs: readonly string[]): void;
  /** Makes a change one that cannot be taken back any more. */
  dropChange(number: number): void;
  /** For a text that nothing may hold any more: drops the changes that `holds` it. */
  dropChanges(holds: (record: string) => boolean): void;
}

/** Enough of an indexed document to tell whether its file says something else by now. */
export interface StampedDocument extends DocumentRef, FileStamp {
  /** When the content was read, to tell a change within the clock tick of that read. */
  readonly seenAt: number;
  /** The way in which it was taken into the index. */
  readonly format: number;
}

/** What the index knows of a document. */
export interface IndexedDocument extends StampedDocument {
  readonly hash: string;
  /** The hash of what Retain itself wrote last; null where it never did, or the index was lost since. */
  readonly writtenHash: string | null;
  readonly title: string;
  /** The frontmatter, less its `version_history`. */
  readonly fields: Fields;
  /** Why the document, or its frontmatter, could not be read; null normally. */
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
  /** For a workspace that is not writable: the rows that `work` changes are known to this process alone. */
  inMemory<T>(work: () => T): T;
  /**
   * Works while the lock is held: stores the rows that `change` changes, all of them or none. Where they cannot be stored,
   * for a reason that lies in them, stores the rows that `instead` changes; what else the lock's holder changed is stored.
   */
  savepoint(change: () => void, instead: (cause: unknown) => void): void;
}

/** The index of documents in `retain.db`, derived from the files. */
export interface DocumentIndex {
  all(): IndexedDocument[];
  stamps(): StampedDocument[];
  /** Those that could not be read, or not wholly, with the reason. */
  unread(): UnreadDocument[];
  /**
   * What `settle` was told last (a null fingerprint where the rows have changed since), and a number that grows with
   * every change.
   */
  settled(): { fingerprint: string | null; unread: number; generation: number };
  /** The documents whose rows changed, came or went since that generation; null where that is not known. */
  changedSince(generation: number): DocumentRef[] | null;
  /**
   * Says that the rows of this generation agree with files of this fingerprint, of which so many are unread. Works
   * while the lock is held.
   */
  settle(fingerprint: string, unread: number, generation: number): void;
  find(ref: DocumentRef): IndexedDocument | null;
  /** `put` and `remove` work while the lock is held, and take effect when it is given up. */
  put(row: IndexedDocument): void;
  remove(ref: DocumentRef): void;
}

/** The facts and notes of the memory files, as `retain.db` has them: derived. */
export interface FactIndex {
  /** Those that have ended included, in the order of their places. As long as nobody changes them it is the same list. */
  all(): readonly Fact[];
  /** How often each fact was recalled, by id; those that never were are not in it. */
  uses(): ReadonlyMap<string, number>;
  /** What `settle` was told last; null where the index is empty. */
  settled(): MemoryStamps | null;
  /**
   * This and what follows works while the lock is held. Puts these, in the order of their places, in the place of all, in full
   * text and vectors too.
   */
  replace(facts: readonly Fact[]): void;
  /** Puts these in the place of the notes of one log. */
  replaceNotes(log: string, notes: readonly Memory[]): void;
  settle(stamps: MemoryStamps): void;
  readonly vectors: FactVectors;
}

/** Of each memory file what tells whether it has changed. */
export type MemoryStamps = Readonly<Record<string, string>>;

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

export type Paused = (cause: Error, ms: number) => void;

/** Turns texts into vectors of one model. Nothing is loaded before the first text. */
export interface Embedder {
  /** Kept with every vector: vectors of two models are never compared. */
  readonly model: string;
  /**
   * A unit vector for each text, in order; each depends on its own text alone, so that embedding again gives the same.
   * Throws `embedding` where the model cannot be used: a missing capability, never a reason to lose what was written.
   * `paused` is told what went wrong when something did that may pass, and for how long it waits before it tries again.
   */
  embed(
    texts: readonly string[],
    progress?: (done: number) => void,
    paused?: Paused,
  ): Promise<Float32Array[]>;
  close(): void;
}

/** Scores how well texts answer a question. */
export interface Reranker {
  /** One score for each text, in order, on any scale; a higher one answers better. Throws `remote` on failure or timeout. */
  score(query: string, texts: readonly string[]): Promise<number[]>;
}

/** A language model. What it answers is data, never to be trusted. */
export interface Model {
  /** The model's whole answer as text. Throws `model` where it cannot be asked. */
  complete(prompt: string): Promise<string>;
}

/** Takes memories into full text and, by way of the queue, into the vectors. Works while the lock is held. */
export interface MemoryIndex {
  /** Puts the memory's chunks in the place of those it had; chunks that say the same keep their vectors. */
  put(memory: Memory): void;
  remove(ref: MemoryRef): void;
}
