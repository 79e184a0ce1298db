/** Starts another `retain` that outlives this process, for work that can happen later. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings } from "../config/workspace.ts";

/** Does nothing if the command is not found. `home` is the home workspace's directory. */
export function startInBackground(
  args: readonly string[],
  { env, homeDirectory }: Pick<Surroundings, "env" | "homeDirectory">,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): void {
  const program = ["../bin/retain", "../../bin/retain"]
    .map((path) => join(import.meta.dir, path))
    .find((path) => existsSync(path));
  if (program === undefined) return;
  const child = spawn(program, args, {
    ...{ cwd, detached: true, stdio: "ignore" },
    env: { ...env, HOME: homeDirectory, RETAIN_HOME: home },
  });
  child.on("error", () => {});
  child.unref();
}
