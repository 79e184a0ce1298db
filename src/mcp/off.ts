/** Where memory is switched off, nothing of it is given out: of all that is offered only the context is left, which says so. */
import type { Retain } from "../app.ts";

export const SWITCHED_OFF =
  "Long-term memory is switched off (memory_backend: off), so there are no memory tools.";

export function isSwitchedOff({ config }: Retain): boolean {
  return config.settings.memory_backend === "off";
}
