/** What opening a database needs to know of the workspace around it. */
import type { RecordIncident } from "../../core/incidents.ts";
import type { StoreConversations } from "./migrations.ts";
import type { DatabaseOwner } from "./ownership.ts";

/** Who is told what happened, whose the database is to be, and where conversations of an earlier version go. */
export interface Opening {
  readonly warn: (message: string) => void;
  readonly record: RecordIncident;
  /** null where nobody else's can be in its place. */
  readonly owner: DatabaseOwner | null;
  readonly keep: StoreConversations;
}
