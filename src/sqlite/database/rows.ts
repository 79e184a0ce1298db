/** What a table's own file needs of its workspace's database. `WorkspaceDatabase` opens it; this knows nothing of that. */
import type { Database } from "bun:sqlite";

export interface WorkspaceRows {
  /** What `query` finds; `nothing` where there is no workspace. */
  read<T>(nothing: T, query: (database: Database) => T): T;
  /** Why nothing can be stored, and a workspace that is not there not be made; null where it can. */
  readonly unwritable: string | null;
  /** Runs `change` as the only writer, in one transaction: all of it is stored, or it throws. Throws `locked`. */
  transaction<T>(change: (database: Database) => T): Promise<T>;
  /** Has `change` made at the end of the work that holds the lock. */
  enqueue(change: (database: Database) => void): void;
}
