/** With memory switched off, the server offers only the context, which says that memory is off. */
import type { Retain } from "../app.ts";

export const SWITCHED_OFF =
  "Long-term memory is switched off (memory_backend: off), so there are no memory tools.";

export function isSwitchedOff({ config }: Retain): boolean {
  return config.settings.memory_backend === "off";
}
