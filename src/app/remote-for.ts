/** Which backend elsewhere holds memory, by the settings or by a program's own choice. */
import { hostname } from "node:os";
import { join } from "node:path";
import { hindsightScope, projectHere } from "../config/bank-scope.ts";
import type { MemoryBackend } from "../core/backend.ts";
import { RetainError } from "../core/errors.ts";
import { sha256 } from "../util/hash.ts";
import { hasEnded, processName } from "../util/process.ts";
import { Remote } from "./remote.ts";
import type { WiringOptions } from "./wiring-options.ts";

/** A program's own backend has as much time as a server has. */
export function remoteFor(options: WiringOptions): Remote | null {
  const { backend, config, warn } = options;
  const { memory_backend, hindsight_recall_timeout_ms: recallTimeoutMs } = config.settings;
  if (backend !== undefined) return new Remote({ open: async () => backend, recallTimeoutMs, warn });
  if (memory_backend !== "hindsight") return null;
  return new Remote({ open: () => openHindsight(options), recallTimeoutMs, warn });
}

/** Throws `invalid_config` where no server is named. */
async function openHindsight(options: WiringOptions): Promise<MemoryBackend> {
  const { choice, config, surroundings, scope, clock, warn } = options;
  const { settings } = config;
  const { hindsight_url: url, hindsight_key_env } = settings;
  if (url === "")
    throw new RetainError(
      "invalid_config",
      "memory_backend is 'hindsight', but no server is named.",
      "Name it: retain config set --global hindsight_url http://localhost:8888",
    );
  const { HindsightBackend } = await import("../backends/hindsight/hindsight.ts");
  const project = scope === "global" ? null : projectHere(surroundings, choice);
  const { bank, tags } = hindsightScope(settings, project);
  const host = hostname();
  return new HindsightBackend({
    ...{ url, bank, tags, settings, clock, notice: warn },
    key: surroundings.env[hindsight_key_env] ?? "",
    spoolDirectory: join(choice.home.root, "spool", spoolName(url, bank)),
    machine: sha256(`${host}\n${choice.home.root}`).slice(0, 8),
    self: processName(host, process.pid),
    isGone: (holder) => hasEnded(holder, host),
  });
}

/** For a person who looks there; the rest of it tells servers and banks apart. */
function spoolName(url: string, bank: string): string {
  const readable = bank.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40);
  return `${readable}-${sha256(`${url}\n${bank}`).slice(0, 8)}`;
}
