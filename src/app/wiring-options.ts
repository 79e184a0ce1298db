/** The options of `Wiring`. */
import type { Config } from "../config/load.ts";
import type { Choice, Scope, Surroundings } from "../config/workspace.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import type { Clock, Embedder } from "../core/ports/documents.ts";

export interface WiringOptions {
  readonly choice: Choice;
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Set for a second, checking pass over open workspaces: it records no incidents. */
  readonly isSecondLook?: boolean;
  /** Whether to embed in another process. */
  readonly responsive?: boolean | undefined;
  /** The program's own backend, instead of the settings'. */
  readonly backend?: MemoryBackend | undefined;
  /** The embedding models of another memory, which closes them: each takes tens of megabytes. */
  readonly embedders?: (() => Embedder[]) | undefined;
}
