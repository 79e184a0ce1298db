/** The options of `openRetain`. */
import type { Settings } from "../config/schema.ts";
import type { Scope } from "../config/workspace.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import type { Clock } from "../core/ports/documents.ts";
import type { Asker } from "../llm/spec.ts";

export interface RetainOptions {
  /** Where to look for a project. Default: the process's current directory. */
  cwd?: string;
  /** "auto" (default) uses the project's workspace inside a project, else the home workspace. */
  scope?: Scope;
  /** Opens the bank with this name in the home workspace, and only it, whatever `cwd`, `scope` and the memory backend. */
  bank?: string;
  /** Settings for this instance only. They override environment and config files. */
  settings?: Partial<Omit<Settings, "enabled" | "path">>;
  env?: Readonly<Record<string, string | undefined>>;
  homeDirectory?: string;
  clock?: Clock;
  /** The program's own memory backend, instead of `memory_backend`. */
  backend?: MemoryBackend;
  /** "person": if the settings name no model, `reflect` and mental models use the default one, with a warning. Default: "machine". */
  asker?: Asker;
  /** Called with warnings. Default: they are dropped. */
  onWarning?: (message: string) => void;
}
