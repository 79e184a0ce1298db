/** The options for opening a database. */
import type { RecordIncident } from "../../core/incidents.ts";
import type { StoreConversations } from "./migrations.ts";
import type { DatabaseOwner } from "./ownership.ts";

/** Where warnings go, who owns the database, and where conversations of an earlier version go. */
export interface Opening {
  readonly warn: (message: string) => void;
  readonly record: RecordIncident;
  /** null if it can't be a stranger's. */
  readonly owner: DatabaseOwner | null;
  readonly keep: StoreConversations;
}
