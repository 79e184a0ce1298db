/** The context for a program, a command or a chat. Loaded on first use. */
import { isProjects } from "../agent/mental-models/built-in.ts";
import type { Workspace } from "../config/workspace.ts";
import { assembleContext, type ContextOptions } from "../context/assemble.ts";
import type { AssembledContext } from "../context/parts.ts";
import type { FirstShown } from "../context/ports.ts";
import type { Clock } from "../core/ports/documents.ts";
import { recallFor } from "../recall/recall-for.ts";
import type { ServerModels } from "./agent/server-models.ts";
import type { Wiring } from "./wiring.ts";

interface ContextServices {
  readonly wiring: Wiring;
  readonly clock: Clock;
  readonly kind: Workspace["kind"];
  readonly models: ServerModels;
}

export async function contextIn(
  { wiring, clock, kind, models }: ContextServices,
  options: ContextOptions,
  firstShown: FirstShown | undefined,
): Promise<AssembledContext> {
  const hides = kind === "project" && { hidesFromHome: isProjects };
  // A chat fetches them itself, and keeps showing those that it began with.
  const isFetched = firstShown === undefined && !options.incognito;
  const spentMs = isFetched ? await models.ready() : 0;
  const parts = { ...wiring.factWorkspaces(), clock, isOff: wiring.isOff, firstShown, ...hides };
  return wiring.ask({}, (ports) => assembleContext({ ...parts, ...recallFor(ports) }, options), spentMs);
}
