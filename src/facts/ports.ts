/** What the use cases of facts, notes and working memory need. */
import type { Settings } from "../config/schema.ts";
import type { RecordIncident } from "../core/incidents.ts";
import type { Origin } from "../core/memory.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import type { Clock, Embedder, FactIndex, MemoryFiles, WorkspaceLock } from "../core/ports/documents.ts";
import type { MemorySearch } from "../core/ports/search.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { WorkspaceTraces } from "../core/ports/traces.ts";

/** Enough to write memory files and keep the index in step. */
export interface FactPorts {
  readonly files: MemoryFiles;
  readonly facts: FactIndex;
  readonly lock: WorkspaceLock;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly record?: RecordIncident;
}

export interface FactWorkspace extends FactPorts {
  readonly origin: "project" | "home";
  readonly sessions: SessionStore;
  readonly search: MemorySearch;
  readonly traces: WorkspaceTraces;
  /** Brings the index in step with the documents. */
  syncDocuments(): Promise<void>;
  /** What was kept of it before it was emptied; none where it is left out. */
  readonly backups?: () => readonly BackupWorkspace[];
}

/** A copy of a workspace, laid out as one. */
export interface BackupWorkspace extends FactWorkspace {
  /** Its directory, below the workspace that it is of. */
  readonly name: string;
}

export interface FactWorkspaces {
  /** Where things are kept: the project's workspace inside a project. */
  readonly nearest: FactWorkspace;
  /** Where what is marked global is kept; the same one where there is no project. */
  readonly home: FactWorkspace;
  /** What is read, the nearest first. */
  readonly read: readonly FactWorkspace[];
  /** The chat that is meant where none is named. */
  readonly chat: string;
  /** The first makes new vectors; none where vectors are switched off. */
  readonly embedders: readonly Embedder[];
  readonly settings: Settings;
  /** Who holds facts in the place of these workspaces; null where they do. */
  readonly remote: Pick<MemoryBackend, "retain"> | null;
  /** The facts and notes that are nearest to a query, best first. */
  recall(query: string): Promise<readonly { readonly origin: Origin; readonly id: string }[]>;
}
