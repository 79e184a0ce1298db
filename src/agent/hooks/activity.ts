/** What tool calls did: files of the session's directory that they changed or removed, and commands. Never their contents or output. */
import { isAbsolute, relative, resolve } from "node:path";
import { redactSecrets } from "../../core/secrets/secrets.ts";
import { type Activity, NO_ACTIVITY, together } from "../../core/sessions/activity.ts";
import { shellActivity } from "./shell-activity.ts";
import type { Done } from "./transcript-line.ts";

export function activityOf(done: readonly Done[], cwd: string): Activity {
  return done.reduce((before, one) => together(before, activityOfCall(one, cwd)), NO_ACTIVITY);
}

function activityOfCall({ file, command }: Done, cwd: string): Activity {
  const { commands, removed } = shellActivity(command ?? "");
  return {
    files: file === undefined ? [] : pathInside(cwd, file),
    removed: removed.flatMap((path) => pathInside(cwd, path)),
    commands: commands.map((one) => redactSecrets(one)),
  };
}

/** Empty for a file elsewhere, such as a scratch file. */
function pathInside(cwd: string, file: string): string[] {
  const path = relative(cwd, resolve(cwd, file));
  return path === "" || path.startsWith("..") || isAbsolute(path) ? [] : [path];
}
