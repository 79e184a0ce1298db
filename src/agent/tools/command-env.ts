/** The environment of a command: the user's, without API keys. */

import { withoutKeys } from "../../config/key-variables.ts";

/** Nobody can answer a prompt or quit a pager. */
const UNATTENDED = { TERM: "dumb", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/** What Retain itself prints there goes to a model: see `writeOut` in the command line. */
const FOR_MODEL = { RETAIN_FOR_MODEL: "1" };

/** `secrets` names further variables that hold keys, from the settings. */
export function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(withoutKeys(env, secrets)))
    if (value !== undefined) kept[name] = value;
  return { ...kept, ...UNATTENDED, ...FOR_MODEL };
}
