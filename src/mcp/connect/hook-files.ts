/** Hooks of agents that read them from files of their own, so that no file of the user's changes. */
import { readdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { command, option } from "../../core/hint.ts";
import { changeTextFile, textIn } from "../../files/change-text.ts";
import { shellWord } from "../../util/text.ts";
import type { Machine } from "./machine.ts";

export interface HookFiles {
  /** Belongs to Retain alone. */
  directory(machine: Machine): string;
  /** By their path in the directory. `run` is the command line that starts a hook, without its event. */
  files(run: string): Readonly<Record<string, object>>;
}

/** An extension: Gemini CLI loads each directory in `extensions`. */
export const GEMINI_HOOKS: HookFiles = {
  directory: ({ env, homeDirectory }) =>
    join(env.GEMINI_CLI_HOME || homeDirectory, ".gemini/extensions/retain"),
  files: (run) => ({
    "gemini-extension.json": { name: "retain", version: "1.0.0", description: WRITTEN_BY },
    "hooks/hooks.json": {
      hooks: {
        SessionStart: hook(`${run} session-start`, 5_000),
        BeforeAgent: hook(`${run} before-agent`, 3_000),
        AfterAgent: hook(`${run} after-agent`, 15_000),
      },
    },
  }),
};

const WRITTEN_BY = `Long-term memory. Written by: ${command("connect", "gemini", option("hooks"))}`;

/** The time limit is in milliseconds. */
function hook(line: string, timeout: number) {
  return [{ hooks: [{ type: "command", name: "retain", command: line, timeout }] }];
}

/** The command line of a hook, for a shell. */
export function hookCommand(launcher: string, env: Readonly<Record<string, string>>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)} `);
  return `${variables.join("")}${shellWord(launcher)} hook`;
}

/** Writes files by their path, and says whether any changed. Throws `exists` if the directory has files that Retain didn't write. */
export function writeHooks(directory: string, files: Readonly<Record<string, object>>): boolean {
  if (!isOwn(directory, files))
    throw new RetainError(
      "exists",
      `${directory} has files that Retain didn't write. Nothing was changed.`,
      "Move that directory away and try again.",
    );
  let isChanged = false;
  for (const [name, content] of Object.entries(files))
    changeTextFile(name, 0o600, (text) => {
      const next = `${JSON.stringify(content, null, 2)}\n`;
      isChanged ||= next !== text;
      return next;
    });
  return isChanged;
}

/** Whether there were any. Leaves a directory with files that Retain didn't write alone. */
export function removeHooks(directory: string, files: Readonly<Record<string, object>>): boolean {
  if (filesIn(directory).length === 0 || !isOwn(directory, files)) return false;
  for (const name of Object.keys(files)) changeTextFile(name, 0o600, () => null);
  for (const name of Object.keys(files).reverse()) rmdirIfThere(dirname(name));
  return true;
}

function isOwn(directory: string, files: Readonly<Record<string, object>>): boolean {
  const [manifest = ""] = Object.keys(files);
  const text = textIn(manifest) ?? WRITTEN_BY;
  return text.includes(WRITTEN_BY) && filesIn(directory).every((name) => name in files);
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

function rmdirIfThere(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It is not empty, or gone.
  }
}
