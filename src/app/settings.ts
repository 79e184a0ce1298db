/** The settings with their sources, and changes to config files. Each call reads the files again. */
import { existsSync } from "node:fs";
import { changeSetting, prepareWorkspace } from "../backends/workspaces.ts";
import { type ConfigOwner, checkName, readConfigFile } from "../config/file.ts";
import { parseSetting } from "../config/load.ts";
import { resolveWorkspace } from "../config/resolve-workspace.ts";
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings, variablesOf } from "../config/schema.ts";
import {
  chooseWorkspace,
  nearestConfigFile,
  noProject,
  type Scope,
  type Surroundings,
} from "../config/workspace.ts";
import { RetainError, requireText } from "../core/errors.ts";

export interface SettingsPorts {
  readonly surroundings: Surroundings;
  /** Chooses the config file to change as it chooses the workspace of a document to change. */
  readonly scope: Scope;
  /** Settings that override environment and files. */
  readonly flags?: Partial<Settings> | undefined;
}

/** Names may have any spelling that a config file accepts. An unknown name throws `usage`. */
export function openSettings({ surroundings, scope, flags }: SettingsPorts) {
  const loaded = () => resolveWorkspace(surroundings, scope, flags).config;

  /** `local_scoping` chooses the workspace too, unless the config is invalid. A bank in the home workspace uses the user's config. */
  const target = () => {
    const { workspace, home, project } = unlessInvalid(
      () => resolveWorkspace(surroundings, scope, flags).choice,
      () => chooseWorkspace(surroundings, scope),
    );
    if (scope === "local" && project === null) throw noProject(surroundings);
    const owner: ConfigOwner = project === null ? "user" : "project";
    return { workspace: project === null ? home : workspace, owner };
  };

  /** An invalid config can be edited too: the user may be about to fix it. */
  const fileToEdit = () =>
    unlessInvalid(
      () => {
        const { workspace } = target();
        prepareWorkspace(workspace);
        return workspace.configFile;
      },
      () => nearestConfigFile(surroundings, scope),
    );

  return {
    /** Every setting, with the environment variable that sets it, if any. Throws `invalid_config`. */
    async list() {
      const { settings, sources } = loaded();
      return SETTING_KEYS.map((key) => ({
        key,
        value: settings[key],
        source: sources[key],
        default: SETTINGS[key].default,
        description: SETTINGS[key].description,
        variable: variablesOf(key)[0] ?? null,
      }));
    },

    /** The source is "default", a variable, "flag", or "file:line". Throws `invalid_config`. */
    async get(name: string) {
      const key = settingKey(name);
      const { settings, sources } = loaded();
      return { key, value: settings[key], source: sources[key] };
    },

    /** Parses the value from text: "20", "true", "a,b". Durable on return. Throws `invalid_config`. */
    async set(name: string, text: string) {
      const key = settingKey(name);
      requireText(text, "A setting's value");
      const { workspace, owner } = target();
      const value = parseSetting(key, text, owner, null);
      await changeSetting(workspace, key, value, surroundings);
      return { key, value, file: workspace.configFile };
    },

    /** Removes the setting from the config file. Durable on return. */
    async unset(name: string) {
      const key = settingKey(name);
      const { workspace } = target();
      if (existsSync(workspace.configFile)) await changeSetting(workspace, key, undefined, surroundings);
      return { key, file: workspace.configFile };
    },

    /** The path of the config file that `set` changes. It may not exist yet. */
    async file(): Promise<string> {
      return target().workspace.configFile;
    },

    /**
     * Creates the config file if missing, lets `open` change it with the user's `editor` setting ("" if unset), then checks it.
     * Throws `invalid_config`.
     */
    async edit(open: (file: string, editor: string) => Promise<void>): Promise<string> {
      const file = fileToEdit();
      const user = nearestConfigFile(surroundings, "global");
      const home = unlessInvalid(
        () => readConfigFile(user, "user"),
        () => null,
      );
      await open(file, home?.values.editor ?? "");
      readConfigFile(file, target().owner);
      return file;
    },
  };
}

function settingKey(name: string): SettingKey {
  requireText(name, "A setting's name");
  return checkName(name, null, "usage");
}

function unlessInvalid<T>(read: () => T, otherwise: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return otherwise();
  }
}
