/** Starts another `retain` that outlives this process, for work that can happen later. */
import { spawn } from "node:child_process";
import type { Surroundings } from "../../config/workspace.ts";
import { ownFile } from "../../util/own-files.ts";

/** Does nothing if the command is not found. `home` is the home workspace's directory. */
export function startInBackground(
  args: readonly string[],
  { env, homeDirectory }: Pick<Surroundings, "env" | "homeDirectory">,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): void {
  const program = ownFile("../bin/retain", "../../bin/retain");
  if (program === null) return;
  const child = spawn(program, args, {
    ...{ cwd, detached: true, stdio: "ignore" },
    env: { ...env, HOME: homeDirectory, RETAIN_HOME: home },
  });
  child.on("error", () => {});
  child.unref();
}
