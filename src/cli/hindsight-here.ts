/** The Hindsight bank in use, for commands that show it. */

import { surroundingsOf } from "../app/surroundings.ts";
import type { Retain } from "../app.ts";
import { type HindsightScope, hindsightScope, projectHere } from "../config/bank-scope.ts";
import type { Context } from "./command.ts";

/** null with another backend. */
export function hindsightHere({ scope }: Context, { config, choice }: Retain): HindsightScope | null {
  const { settings } = config;
  if (settings.memory_backend !== "hindsight") return null;
  return hindsightScope(settings, scope === "global" ? null : projectHere(surroundingsOf({}), choice));
}
