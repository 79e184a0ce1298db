/** Ports of a migration: the targets for facts, notes, sessions and documents. */
import type { Embedder } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { DocumentPorts } from "../documents/ports.ts";
import type { FactWorkspace } from "../facts/ports.ts";
import type { Outcomes } from "./report.ts";
import type { Source } from "./source.ts";

export interface MigrationPorts {
  readonly workspace: FactWorkspace;
  readonly sessions: Pick<SessionStore, "messages" | "chatOf" | "append">;
  readonly documents: DocumentPorts;
  readonly embedders: readonly Embedder[];
  /** The chat for sessions without one. */
  readonly chat: string;
  /** The base of relative paths. */
  readonly cwd: string;
  /** The workspace's directory. */
  readonly root: string;
  /** The workspace's own directories, which are never imported. */
  readonly own: readonly string[];
}

/** One running migration. */
export interface Migration extends MigrationPorts {
  readonly source: Source;
  readonly outcomes: Outcomes;
  /** Writes go to memory only. */
  readonly isDry: boolean;
  readonly overwrite: boolean;
  readonly progress: (kind: "sessions" | "documents", done: number, total: number) => void;
}
