/** The options of `openRetain`, and the workspace, settings and defaults that they choose. */
import { resolveWorkspace } from "../config/resolve-workspace.ts";
import type { Settings } from "../config/schema.ts";
import type { Scope } from "../config/workspace.ts";
import type { MemoryBackend } from "../core/ports/backend.ts";
import type { Clock, Embedder } from "../core/ports/documents.ts";
import type { Asker } from "../llm/spec.ts";
import { surroundingsOf } from "./surroundings.ts";
import type { WiringOptions } from "./wiring-options.ts";

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
  /**
   * For servers: embeds in another process, so that this thread can answer other requests meanwhile. A single search takes slightly
   * longer. Default: false.
   */
  responsive?: boolean;
  /** Called with warnings. Default: they are dropped. */
  onWarning?: (message: string) => void;
}

interface OpenOptions extends RetainOptions {
  /** The embedding models of another Retain, which closes them. */
  readonly embedders?: () => Embedder[];
}

export interface ResolvedOptions extends WiringOptions {
  readonly asker: Asker;
  /** Reads the config files again, which change while a long-lived process has the memory open. Throws `invalid_config`. */
  readonly settingsNow: () => Settings;
  /** For opening another workspace in the same way. */
  readonly options: RetainOptions;
}

/** Throws like `resolveWorkspace`. */
export function resolveOptions(given: OpenOptions): ResolvedOptions {
  const options = given.bank === undefined ? given : onlyLocal(given);
  const { scope = "auto", settings, bank, backend, embedders } = options;
  const { clock = () => new Date(), asker = "machine", onWarning: warn = () => {}, responsive } = options;
  const surroundings = surroundingsOf(options);
  const resolve = () => resolveWorkspace(surroundings, scope, settings, bank);
  const { choice, config } = resolve();
  const settingsNow = () => resolve().config.settings;
  return {
    ...{ choice, config, settingsNow, surroundings, scope, clock, warn, asker, backend },
    ...{ embedders, responsive, options },
  };
}

/** A bank in the home workspace has no other backend. */
function onlyLocal({ backend: _, ...options }: OpenOptions): OpenOptions {
  return { ...options, scope: "local", settings: { ...options.settings, memory_backend: "local" } };
}
