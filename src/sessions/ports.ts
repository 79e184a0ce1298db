/** Ports of the session use cases. */

import type { Clock, MemoryFiles, WorkspaceLock } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { SessionSummary } from "../core/sessions/conversation.ts";

export interface SessionWorkspace {
  readonly origin: "project" | "home";
  readonly sessions: SessionStore;
  /** Removes it from a backend that it was sent to. Throws `remote`, `io`. */
  readonly removeCopy: (session: string) => Promise<void>;
  /** For working memory, which is removed with its session. */
  readonly files: MemoryFiles;
  readonly lock: WorkspaceLock;
  /** Overwrites removed data in the index, so that no byte of it is left. */
  readonly purge: () => Promise<void>;
}

export interface SessionWorkspaces {
  /** Nearest first. */
  readonly read: readonly SessionWorkspace[];
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** This process's `processName`. */
  readonly self: string;
  /** Whether the process of this name has ended. */
  isGone(holder: string): boolean;
}

export interface OwnedSession extends SessionSummary {
  readonly origin: SessionWorkspace["origin"];
}
