/**
 * The workspace in use, with the settings in force there. Which workspace that is depends on a setting of the user's, and which
 * settings are in force depends on the workspace: so that one setting is read first.
 */
import { chooseBank } from "./bank-scope.ts";
import { readConfigFile } from "./file.ts";
import { type Config, loadConfig, loadUserSetting } from "./load.ts";
import type { Settings } from "./schema.ts";
import { type Choice, chooseWorkspace, type Scope, type Surroundings } from "./workspace.ts";

/** Throws as `chooseWorkspace` and `loadConfig`. */
export function resolveWorkspace(
  surroundings: Surroundings,
  scope: Scope,
  flags?: Partial<Settings>,
): { readonly choice: Choice; readonly config: Config } {
  const { home } = chooseWorkspace(surroundings, "global");
  const { env } = surroundings;
  const user = readConfigFile(home.configFile, "user");
  const choice = chooseBank(surroundings, scope, loadUserSetting("local_scoping", user, env, flags));
  return { choice, config: loadConfig(choice, env, flags, user) };
}
