/** The options for opening a database. */
import type { RecordIncident } from "../../core/incidents.ts";
import type { StoreConversations } from "./migrations.ts";
import type { DatabaseOwner } from "./ownership.ts";

export interface Opening {
  readonly warn: (message: string) => void;
  readonly record: RecordIncident;
  /** Recognises a stranger's database; null if it can't be one. */
  readonly owner: DatabaseOwner | null;
  /** Receives conversations that an earlier version kept in the database. */
  readonly keep: StoreConversations;
}
