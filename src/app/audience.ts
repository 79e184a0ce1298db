/** Who can read what is saved here. */
import type { Workspace } from "../config/workspace.ts";
import type { Audience } from "../core/memory.ts";
import { scopeHere } from "./remote/remote-for.ts";
import type { WiringOptions } from "./wiring-options.ts";

/** `readsHome`, besides the project, opens the home workspace, so it is asked last. */
export function audienceOf(
  options: WiringOptions,
  { kind, bank }: Workspace,
  readsHome: () => boolean,
): Audience {
  const { backend, config } = options;
  if (backend === undefined && config.settings.memory_backend === "hindsight") {
    const server = scopeHere(options);
    if (server.tags.length > 0) return "bank";
    return server.bank === config.settings.hindsight_bank ? "home" : "alone";
  }
  if (kind === "home") return "home";
  if (!readsHome()) return "alone";
  return bank === null ? "project" : "bank";
}
