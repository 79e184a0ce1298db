/** The interface to a workspace's database for modules that own a table. `WorkspaceDatabase` implements it. */
import type { Database } from "./driver.ts";

export interface WorkspaceRows {
  /** The result of `query`; `nothing` if there is no workspace. */
  read<T>(nothing: T, query: (database: Database) => T): T;
  /** Why nothing can be stored or created, or null. */
  readonly unwritable: string | null;
  /** Runs `change` as the only writer in one transaction. Throws `locked`. */
  transaction<T>(change: (database: Database) => T): Promise<T>;
  /** Runs `change` at the end of the work that holds the lock. */
  enqueue(change: (database: Database) => void): void;
}
