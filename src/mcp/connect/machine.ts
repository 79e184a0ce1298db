/** What decides where programs keep their configs. */
import { join } from "node:path";

export interface Machine {
  readonly platform: string;
  readonly homeDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function xdgConfig({ homeDirectory, env }: Machine): string {
  return env.XDG_CONFIG_HOME || join(homeDirectory, ".config");
}
