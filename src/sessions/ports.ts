/** What the use cases of sessions need. */

import type { Clock, MemoryFiles, WorkspaceLock } from "../core/ports/documents.ts";
import type { SessionStore } from "../core/ports/sessions.ts";
import type { SessionSummary } from "../core/sessions/conversation.ts";

export interface SessionWorkspace {
  readonly origin: "project" | "home";
  readonly sessions: SessionStore;
  /** Working memory goes with its session. */
  readonly files: MemoryFiles;
  readonly lock: WorkspaceLock;
  /** Leaves no byte of what was removed in the index. */
  readonly purge: () => Promise<void>;
}

export interface SessionWorkspaces {
  /** The nearest first. */
  readonly read: readonly SessionWorkspace[];
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** This process, as `processName` has it. */
  readonly self: string;
  /** Whether the process of this name has ended. */
  isGone(holder: string): boolean;
}

export interface OwnedSession extends SessionSummary {
  readonly origin: SessionWorkspace["origin"];
}
