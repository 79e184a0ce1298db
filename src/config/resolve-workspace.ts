/**
 * Resolves the workspace and its settings. The workspace depends on the user setting `local_scoping`, and the settings depend
 * on the workspace, so that one setting is loaded first.
 */
import { chooseBank } from "./bank-scope.ts";
import { readConfigFile } from "./file.ts";
import { type Config, loadConfig, loadUserSetting } from "./load.ts";
import type { Settings } from "./schema.ts";
import { type Choice, chooseWorkspace, type Scope, type Surroundings } from "./workspace.ts";

/** Throws like `chooseWorkspace` and `loadConfig`. */
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
