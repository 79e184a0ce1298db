/** Which bank of a Hindsight server is in use, for the commands that name it. */

import { surroundingsOf } from "../app/surroundings.ts";
import type { Retain } from "../app.ts";
import { type HindsightScope, hindsightScope, projectHere } from "../config/bank-scope.ts";
import type { Context } from "./command.ts";

/** null where memory is held by another backend. */
export function hindsightHere({ scope }: Context, { config, choice }: Retain): HindsightScope | null {
  const { settings } = config;
  if (settings.memory_backend !== "hindsight") return null;
  return hindsightScope(settings, scope === "global" ? null : projectHere(surroundingsOf({}), choice));
}
