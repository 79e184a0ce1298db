/** What one Retain is joined from. */
import type { Config } from "../config/load.ts";
import type { Choice, Scope, Surroundings } from "../config/workspace.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import type { Clock } from "../core/ports/documents.ts";

export interface WiringOptions {
  readonly choice: Choice;
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** For a second look at workspaces that are open already: it records no incidents. */
  readonly isSecondLook?: boolean;
  /** A program's own, in the place of what the settings say. */
  readonly backend?: MemoryBackend | undefined;
}
