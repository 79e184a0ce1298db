/** What taking over another system's memory needs: where facts, notes and sessions go, and where documents go. */
import type { Embedder } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { DocumentPorts } from "../documents/ports.ts";
import type { FactWorkspace } from "../facts/ports.ts";
import type { Telling } from "./report.ts";
import type { Source } from "./source.ts";

export interface MigrationPorts {
  readonly workspace: FactWorkspace;
  readonly sessions: Pick<SessionStore, "messages" | "chatOf" | "append">;
  readonly documents: DocumentPorts;
  readonly embedders: readonly Embedder[];
  /** The chat of sessions that name none. */
  readonly chat: string;
  /** Where a directory is named from. */
  readonly cwd: string;
  /** The workspace's directory. */
  readonly root: string;
  /** The workspace's own directories: nothing is taken over from these. */
  readonly own: readonly string[];
}

/** One directory on its way. */
export interface Migration extends MigrationPorts {
  readonly source: Source;
  readonly telling: Telling;
  /** Nothing is to be changed: what is written goes to memory alone. */
  readonly isDry: boolean;
  readonly overwrite: boolean;
  readonly progress: (kind: "sessions" | "documents", done: number, total: number) => void;
}
