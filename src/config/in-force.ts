/**
 * The workspace in use, with the settings in force there. Which workspace that is depends on a setting of the user's, and which
 * settings are in force depends on the workspace: so the user's own are read first.
 */
import { chooseBank } from "./bank-scope.ts";
import { readConfigFile } from "./file.ts";
import { type Config, loadConfig } from "./load.ts";
import type { Settings } from "./schema.ts";
import { type Choice, chooseWorkspace, type Scope, type Surroundings } from "./workspace.ts";

/** Throws as `chooseWorkspace` and `loadConfig`. */
export function inForce(
  surroundings: Surroundings,
  scope: Scope,
  flags?: Partial<Settings>,
): { readonly choice: Choice; readonly config: Config } {
  const home = chooseWorkspace(surroundings, "global");
  const file = readConfigFile(home.workspace.configFile, "user");
  const own = loadConfig(home, surroundings.env, flags, file);
  const choice = chooseBank(surroundings, scope, own.settings.local_scoping);
  const config = choice.project === null ? own : loadConfig(choice, surroundings.env, flags, file);
  return { choice, config };
}
