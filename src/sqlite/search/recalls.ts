/** How often each memory was recalled, and when last. */
import { RetainError } from "../../core/errors.ts";
import type { MemoryRef } from "../../core/memory.ts";
import type { RecallLog } from "../../core/ports/search.ts";
import type { WorkspaceDatabase } from "../database/database.ts";

const COUNT = `INSERT INTO recalls (kind, source, count, last_at) VALUES (?, ?, 1, ?)
  ON CONFLICT (kind, source) DO UPDATE SET count = count + 1, last_at = excluded.last_at`;

/** Facts and documents, which last; notes and messages are many and short-lived. */
const CURRENT = `
  SELECT 'fact' AS kind, id AS source, fact AS text, created_at AS at FROM facts WHERE ended_at IS NULL
  UNION ALL
  SELECT 'document', collection || '/' || id, title, strftime('%Y-%m-%dT%H:%M:%SZ', mtime / 1000, 'unixepoch') FROM documents`;
const MOST = `SELECT kind, source, text, current.at, recalls.count FROM recalls
  JOIN (${CURRENT}) AS current USING (kind, source)
  ORDER BY recalls.count DESC, recalls.last_at DESC LIMIT ?`;
/** Not with NOT IN, which compares pairs of columns one by one: minutes for 100,000 documents. */
const NEVER = `FROM (${CURRENT}) AS current WHERE NOT EXISTS
  (SELECT 1 FROM recalls WHERE recalls.kind = current.kind AND recalls.source = current.source)`;
const OLDEST_NEVER = `SELECT kind, source, text, at, 0 AS count ${NEVER} ORDER BY at LIMIT ?`;

/** A fact or document, and how often it was recalled. */
export interface RecalledMemory extends MemoryRef {
  /** A document's title. */
  readonly text: string;
  /** Since when it is known, or when its file last changed; ISO 8601. */
  readonly at: string;
  readonly count: number;
}

export interface RecallCounts {
  /** The most recalled first. */
  readonly most: readonly RecalledMemory[];
  /** How many were never recalled. */
  readonly never: number;
  /** Of those, the oldest. */
  readonly oldestNever: readonly RecalledMemory[];
}

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

  /** `limit` of each list. */
  counts(limit: number): RecallCounts {
    const nothing = { most: [], never: 0, oldestNever: [] };
    return this.workspace.read<RecallCounts>(nothing, (database) => ({
      most: database.query<RecalledMemory, [number]>(MOST).all(limit),
      never: (database.query(`SELECT count(*) ${NEVER}`).values() as [[number]])[0][0],
      oldestNever: database.query<RecalledMemory, [number]>(OLDEST_NEVER).all(limit),
    }));
  }
}
