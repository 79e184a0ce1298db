/** What tool calls changed: files of the session's directory, and commands. Never their contents or output. */
import { isAbsolute, relative, resolve } from "node:path";
import { redactSecrets } from "../../core/secrets/secrets.ts";
import type { Activity } from "../../core/sessions/activity.ts";
import { commandsThatMatter } from "./shell-activity.ts";
import type { Done } from "./transcript-line.ts";

export function activityOf(done: readonly Done[], cwd: string): Activity {
  return {
    files: done.flatMap(({ file }) => (file === undefined ? [] : pathInside(cwd, file))),
    commands: done.flatMap(({ command }) =>
      command === undefined ? [] : commandsThatMatter(command).map((one) => redactSecrets(one)),
    ),
  };
}

/** Empty for a file elsewhere, such as a scratch file. */
function pathInside(cwd: string, file: string): string[] {
  const path = relative(cwd, resolve(cwd, file));
  return path === "" || path.startsWith("..") || isAbsolute(path) ? [] : [path];
}
