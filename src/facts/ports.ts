/** The dependencies of use cases on facts, notes and working memory. */
import type { Settings } from "../config/schema.ts";
import type { RecordIncident } from "../core/incidents.ts";
import type { Audience, Origin } from "../core/memory.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import type {
  Clock,
  DocumentChange,
  Embedder,
  FactIndex,
  MemoryFiles,
  WorkspaceLock,
} from "../core/ports/documents.ts";
import type { MemorySearch } from "../core/ports/search.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { WorkspaceTraces } from "../core/ports/traces.ts";

/** Enough to write memory files and update the index. */
export interface FactPorts {
  readonly files: MemoryFiles;
  readonly facts: FactIndex;
  readonly lock: WorkspaceLock;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly record?: RecordIncident;
  /** Whether others get its memory files: it is a project's own workspace, inside a git repository. */
  readonly isShared: boolean;
}

export interface FactWorkspace extends FactPorts {
  readonly origin: "project" | "home";
  readonly sessions: SessionStore;
  readonly search: MemorySearch;
  readonly traces: WorkspaceTraces;
  readonly documents: WorkspaceDocuments;
  /** After a removal: leaves no trace of it in the database's file, or warns. */
  purge(): Promise<void>;
  /** Copies of the workspace from before it was emptied. */
  readonly backups?: () => readonly BackupWorkspace[];
}

/** The documents of the same workspace. */
interface WorkspaceDocuments {
  /** Updates the index from the files. */
  sync(): Promise<void>;
  /**
   * Reverts a change. Needs the lock. Throws `conflict`, with nothing changed, if that is no longer possible. If it changed the text
   * of one document, returns the lines that this removed ("- text") and brought back ("+ text").
   */
  undo(changes: readonly DocumentChange[]): readonly string[];
  /** Call it after `undo`, without the lock. */
  announce(changes: readonly DocumentChange[]): Promise<void>;
}

/** A copy of a workspace, with the same layout. */
export interface BackupWorkspace extends FactWorkspace {
  /** Its directory, relative to the original workspace. */
  readonly name: string;
}

export interface FactWorkspaces {
  /** Gets facts about the person and for all projects; the same as `nearest` outside a project. */
  readonly home: FactWorkspace;
  /** Gets all other facts: inside a project, the project's workspace or bank. */
  readonly nearest: FactWorkspace;
  /** The workspaces to read, nearest first. */
  readonly read: readonly FactWorkspace[];
  readonly audience: Audience;
  /** The default chat. */
  readonly chat: string;
  /** The first one embeds new texts; empty if embedding is off. */
  readonly embedders: readonly Embedder[];
  readonly settings: Settings;
  /** The backend that stores facts instead of these workspaces; null if they store them. */
  readonly remote: Required<Pick<MemoryBackend, "retain" | "forget" | "statement" | "edit">> | null;
  /** Memories that only other machines have, on a hosted index; null if there is no such index. */
  readonly shared: Required<Pick<MemoryBackend, "forget" | "statement">> | null;
  /** The facts and notes nearest to a query, best first. */
  recall(query: string): Promise<readonly { readonly origin: Origin; readonly id: string }[]>;
}
