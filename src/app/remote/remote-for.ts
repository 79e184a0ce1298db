/** Chooses the remote backend, from the settings or the program's own. */
import { hostname } from "node:os";
import { join } from "node:path";
import { incidentRecorder } from "../../backends/workspaces.ts";
import { type HindsightScope, hindsightScope, projectHere } from "../../config/bank-scope.ts";
import type { Workspace } from "../../config/workspace.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import type { MemoryBackend } from "../../core/ports/backend.ts";
import { sha256 } from "../../util/hash.ts";
import { hasEnded, processName } from "../../util/process.ts";
import type { WiringOptions } from "../wiring-options.ts";
import { Remote } from "./remote.ts";

/** A program's own backend has the same time limits as a server. */
export function remoteFor(options: WiringOptions): Remote | null {
  const { backend, config, warn } = options;
  const { memory_backend, hindsight_recall_timeout_ms: recallTimeoutMs } = config.settings;
  if (backend !== undefined)
    return new Remote({ open: async () => backend, spool: () => null, isOwn: true, recallTimeoutMs, warn });
  if (memory_backend !== "hindsight") return null;
  const open = () => openHindsight(options);
  const spool = () => spoolOf(options, scopeHere(options));
  return new Remote({ open, spool, isOwn: false, recallTimeoutMs, warn });
}

/** Throws `invalid_config` if no server is set. */
async function openHindsight(options: WiringOptions): Promise<MemoryBackend> {
  const { choice, config, surroundings, clock, warn } = options;
  const { settings } = config;
  const { hindsight_url: url, hindsight_key_env } = settings;
  const scope = scopeHere(options);
  const spoolDirectory = spoolOf(options, scope);
  if (spoolDirectory === null)
    throw new RetainError(
      "invalid_config",
      "memory_backend is 'hindsight', but hindsight_url is not set.",
      hint`Set it: ${command("config set", option("global"), "hindsight_url", "http://localhost:8888")}`,
    );
  const { HindsightBackend } = await import("../../backends/hindsight/hindsight.ts");
  const host = hostname();
  return new HindsightBackend({
    ...{ url, ...scope, settings, clock, notice: warn, spoolDirectory },
    record: incidentRecorder(choice.home, choice.workspace, clock),
    key: surroundings.env[hindsight_key_env] ?? "",
    machine: sha256(`${host}\n${choice.home.root}`).slice(0, 8),
    self: processName(host, process.pid),
    isGone: (holder) => hasEnded(holder, host),
  });
}

export function scopeHere({ choice, config, surroundings, scope }: WiringOptions): HindsightScope {
  return hindsightScope(config.settings, scope === "global" ? null : projectHere(surroundings, choice));
}

/** The directory of pending data for banks. */
export function spoolsIn(home: Pick<Workspace, "root">): string {
  return join(home.root, "spool");
}

/**
 * The directory of pending data for this bank; null if no server is set. The bank's name makes it readable; the hash distinguishes
 * servers and banks, however the URL is written.
 */
function spoolOf({ choice, config }: WiringOptions, { bank }: HindsightScope): string | null {
  const url = URL.parse(config.settings.hindsight_url);
  if (url === null) return null;
  const readable = bank.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40);
  const server = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  return join(spoolsIn(choice.home), `${readable}-${sha256(`${server}\n${bank}`).slice(0, 8)}`);
}
