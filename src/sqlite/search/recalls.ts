/** How often each memory was recalled, and when last. */
import { RetainError } from "../../core/errors.ts";
import type { MemoryRef } from "../../core/memory.ts";
import type { RecallLog } from "../../core/ports/search.ts";
import type { WorkspaceDatabase } from "../database/database.ts";

const COUNT = `INSERT INTO recalls (kind, source, count, last_at) VALUES (?, ?, 1, ?)
  ON CONFLICT (kind, source) DO UPDATE SET count = count + 1, last_at = excluded.last_at`;

export class SqliteRecallLog implements RecallLog {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  async record(refs: readonly MemoryRef[], at: Date): Promise<void> {
    if (refs.length === 0) return;
    // Counting must neither delay an answer nor prevent it on a full disk.
    try {
      this.workspace.tryDerive((database) => {
        for (const { kind, source } of refs) database.query(COUNT).run(kind, source, at.getTime());
      });
    } catch (error) {
      if (!(error instanceof RetainError && error.code === "io")) throw error;
    }
  }
}
