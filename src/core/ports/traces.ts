/** What adapters offer for a text that nothing may hold any more. They are joined in `app.ts`, as the other ports are. */

/** Bytes are searched in pieces that overlap by more than a fact or a note says. */
export const PIECE_BYTES = 4 * 1024 * 1024;
export const OVERLAP_BYTES = 256 * 1024;

/** Every file of a workspace, whatever it is. */
export interface WorkspaceTree {
  /** Below the workspace, in order; without git's own, and without links, which are not followed. Throws `io`. */
  paths(): string[];
  /** null where there is none. Throws `io`. */
  read(path: string): Uint8Array | null;
  /** Whether a piece of the file passes, if there is one; pieces overlap, so that some pages are whole in one. Throws `io`. */
  some(path: string, passes: (piece: Uint8Array) => boolean): boolean;
  /** Replaces one file, durably; null removes it. Works while the lock is held. Throws `io`. */
  write(path: string, content: string | null): void;
}

/** Rows of a table that hold a text. */
export interface HoldingRows {
  readonly table: string;
  readonly count: number;
  /** The documents among them, as "collection/id". */
  readonly documents: readonly string[];
}

/** Takes a text out of the database for good: out of its rows, then out of what deleted rows leave in the file. */
export interface DatabaseScrub {
  /**
   * The file's name. SQLite's own beside it, and those that were set aside as damaged, begin so too. Nobody else may open
   * them: closing any handle of such a file takes away the locks that SQLite has on it.
   */
  readonly name: string;
  /** What was begun and never ended, by id. */
  unfinished(): string[];
  /** Remembers, durably, that these are being forgotten. */
  begin(ids: readonly string[]): Promise<void>;
  rows(holds: (text: string) => boolean): HoldingRows[];
  /** Works while the lock is held: drops what is searched and holds it, and how often these ids were recalled. */
  drop(holds: (text: string) => boolean, ids: readonly string[]): void;
  /** Writes full text and file anew, without what was deleted. Why that cannot be done now; null when it is done. */
  clean(): Promise<string | null>;
  /** After a removal: leaves no byte of it in the database's file. Why that cannot be done now; null when it is done. */
  purge(): Promise<string | null>;
  /** As `WorkspaceTree.some`, for the database's own bytes; right after `clean` these are the file's. */
  some(passes: (piece: Uint8Array) => boolean): boolean;
  end(): Promise<void>;
}

export interface PastCommit {
  /** Its hash; "index" for what is staged. */
  readonly commit: string;
  readonly at: string | null;
}

/** What git keeps of a workspace's files. */
export interface GitPast {
  /**
   * The commits that brought in a text that `holds` passes, the newest first, stashed ones too; one of the words occurs
   * in every such text. Throws `git` where it cannot be found out.
   */
  holding(words: readonly string[], holds: (text: string) => boolean): PastCommit[];
}

export interface WorkspaceTraces {
  readonly tree: WorkspaceTree;
  readonly scrub: DatabaseScrub;
  /** null where no repository holds the workspace. */
  readonly past: GitPast | null;
}
