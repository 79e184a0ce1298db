/** Hooks of agents that read them from files of their own, so that no file of the user's changes. */
import { existsSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { command, option } from "../../core/hint.ts";
import { changeTextFile, textIn } from "../../files/change-text.ts";
import { errorCode, isInside } from "../../util/fs.ts";
import { shellWord } from "../../util/shell-word.ts";
import { type Machine, xdgConfig } from "./machine.ts";
import OPENCODE_PLUGIN from "./opencode-plugin.txt" with { type: "text" };

/** How to start a hook, without its event. */
interface HookCommand {
  readonly launcher: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A hook's files by their path. The first one says that Retain wrote them. */
export type HookFiles = (run: HookCommand, machine: Machine) => Readonly<Record<string, string>>;

const WRITTEN_BY = "Long-term memory. Written by:";
const writtenBy = (client: string) => `${WRITTEN_BY} ${command("connect", client, option("hooks"))}`;

/** An extension: Gemini CLI loads each directory in `extensions`. */
export const GEMINI_HOOKS: HookFiles = ({ launcher, env }, machine) => {
  const directory = join(machine.env.GEMINI_CLI_HOME || machine.homeDirectory, ".gemini/extensions/retain");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)} `);
  // The time limit is in milliseconds.
  const hook = (event: string, timeout: number) => {
    const line = `${variables.join("")}${shellWord(launcher)} hook ${event}`;
    return [{ hooks: [{ type: "command", name: "retain", command: line, timeout }] }];
  };
  const manifest = { name: "retain", version: "1.0.0", description: writtenBy("gemini") };
  const hooks = {
    SessionStart: hook("session-start", 5_000),
    BeforeAgent: hook("before-agent", 3_000),
    AfterAgent: hook("after-agent", 15_000),
  };
  return {
    [join(directory, "gemini-extension.json")]: json(manifest),
    [join(directory, "hooks/hooks.json")]: json({ hooks }),
  };
};

/** A plugin, which opencode loads from its config directory. */
export const OPENCODE_HOOKS: HookFiles = ({ launcher, env }, machine) => ({
  [join(xdgConfig(machine), "opencode/plugin/retain.js")]: `// ${writtenBy("opencode")}
const LAUNCHER = ${JSON.stringify(launcher)};
const VARIABLES = ${JSON.stringify(env)};
${OPENCODE_PLUGIN}`,
});

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Whether any file changed. Throws `exists` for a file that Retain didn't write. */
export function writeHooks(files: Readonly<Record<string, string>>): boolean {
  const foreign = foreignIn(files);
  if (foreign !== null)
    throw new RetainError(
      "exists",
      `${foreign} exists, and Retain didn't write it. Nothing was changed.`,
      "Move it away and try again.",
    );
  let isChanged = false;
  for (const [path, content] of Object.entries(files))
    changeTextFile(path, 0o600, (text) => {
      isChanged ||= content !== text;
      return content;
    });
  return isChanged;
}

/** Whether there were any. Leaves files that Retain didn't write alone. `above` as in `removeEmptyDirectories`. */
export function removeHooks(files: Readonly<Record<string, string>>, above: string): boolean {
  const paths = Object.keys(files);
  if (foreignIn(files) !== null || !paths.some((path) => existsSync(path))) return false;
  for (const path of paths) changeTextFile(path, 0o600, () => null);
  for (const path of paths) removeEmptyDirectories(path, above);
  return true;
}

/** A file that Retain didn't write; null if there is none. */
function foreignIn(files: Readonly<Record<string, string>>): string | null {
  const [first = "", ...more] = Object.keys(files);
  const text = textIn(first);
  if (text === null) return more.find((path) => existsSync(path)) ?? null;
  return text.includes(WRITTEN_BY) ? null : first;
}

/**
 * Removes the directories of a removed file that are empty now, up to `above`, which stays: Retain created them, and a client counts
 * as installed if its directory exists.
 */
export function removeEmptyDirectories(file: string, above: string): void {
  for (let directory = dirname(file); isBelow(above, directory); directory = dirname(directory))
    try {
      rmdirSync(directory);
    } catch (error) {
      // Another file's directory may be gone already.
      if (errorCode(error) !== "ENOENT") return;
    }
}

function isBelow(above: string, directory: string): boolean {
  return directory !== above && isInside(above, directory);
}
