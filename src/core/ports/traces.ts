/** Ports for erasing a text everywhere. `app.ts` connects them, like the other ports. */

/** Files are searched in pieces that overlap by more than the length of a fact or note. */
export const PIECE_BYTES = 4 * 1024 * 1024;
export const OVERLAP_BYTES = 256 * 1024;

/** All files of a workspace. */
export interface WorkspaceTree {
  /** Paths below the workspace, sorted, without git's files and links. Throws `io`. */
  paths(): string[];
  /** null if missing. Throws `io`. */
  read(path: string): Uint8Array | null;
  /** Whether any piece of the file passes; pieces overlap, so that pages are whole in one. Throws `io`. */
  some(path: string, passes: (piece: Uint8Array) => boolean): boolean;
  /**
   * Replaces one file durably; null removes it. With `over`, returns false and changes nothing if the file has other bytes by
   * now. Needs the lock. Throws `io`.
   */
  write(path: string, content: string | null, over?: Uint8Array): boolean;
}

/** Rows that contain a text. */
export interface HoldingRows {
  readonly table: string;
  readonly count: number;
  /** The documents among them, as "collection/id". */
  readonly documents: readonly string[];
}

/** Erases a text from the database: from its rows, then from the remains of deleted rows in the file. */
export interface DatabaseScrub {
  /**
   * The file's name. SQLite's companion files and damaged files moved aside share this prefix. Nobody else may open them: closing
   * any handle releases SQLite's locks on the file.
   */
  readonly name: string;
  /** Unfinished erasures, by id. */
  unfinished(): string[];
  /** Records durably that these are being erased. */
  begin(ids: readonly string[]): Promise<void>;
  rows(holds: (text: string) => boolean): HoldingRows[];
  /** Needs the lock. Drops index entries that contain the text, and the recall counts of these ids. */
  drop(holds: (text: string) => boolean, ids: readonly string[]): void;
  /** Rewrites full text and file without deleted data. Returns why that is not possible now, or null. */
  clean(): Promise<string | null>;
  /** After a removal: leaves no trace of it in the database's file. Returns why that is not possible now, or null. */
  purge(): Promise<string | null>;
  /** Like `WorkspaceTree.some`, for the database's bytes; right after `clean` these are the file's. */
  some(passes: (piece: Uint8Array) => boolean): boolean;
  end(): Promise<void>;
}

export interface PastCommit {
  /** Its hash; "index" for staged changes. */
  readonly commit: string;
  readonly at: string | null;
}

/** The git history of a workspace's files. */
export interface GitPast {
  /**
   * Commits that added a text passing `holds`, newest first, including stashes; every such text contains one of the words. Throws
   * `git` on failure.
   */
  holding(words: readonly string[], holds: (text: string) => boolean): PastCommit[];
}

export interface WorkspaceTraces {
  readonly tree: WorkspaceTree;
  readonly scrub: DatabaseScrub;
  /** null if the workspace is in no repository. */
  readonly past: GitPast | null;
}
