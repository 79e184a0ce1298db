/**
 * Resolves the workspace and its settings. The workspace depends on the user setting `local_scoping`, and the settings depend
 * on the workspace, so that one setting is loaded first.
 */
import { chooseBank, chooseNamedBank } from "./bank-scope.ts";
import { readConfigFile } from "./file.ts";
import { type Config, loadConfig, loadUserSetting } from "./load.ts";
import type { Settings } from "./schema.ts";
import { type Choice, chooseWorkspace, type Scope, type Surroundings } from "./workspace.ts";

/** `bank` is the name of a bank to use whatever the directory. Throws like `chooseWorkspace` and `loadConfig`, and `invalid_name`. */
export function resolveWorkspace(
  surroundings: Surroundings,
  scope: Scope,
  flags: Partial<Settings> = {},
  bank?: string,
): { readonly choice: Choice; readonly config: Config } {
  const { home } = chooseWorkspace(surroundings, "global");
  const { env } = surroundings;
  const user = readConfigFile(home.configFile, "user");
  const choice =
    bank === undefined
      ? chooseBank(surroundings, scope, loadUserSetting("local_scoping", user, env, flags))
      : chooseNamedBank(surroundings, bank);
  return { choice, config: loadConfig(choice, env, flags, user) };
}
