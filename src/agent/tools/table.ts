/** The chat's tools for files and commands. approval.ts decides whether a call runs. */
import { withoutKeys } from "../../config/key-variables.ts";
import type { Skill } from "../skills/skills.ts";
import { isUsable } from "../skills/skills.ts";
import type { Tool } from "../tool.ts";
import { loadSkillTool } from "./load-skill.ts";
import { readFileTool } from "./read-file.ts";
import { resolveRoots } from "./roots.ts";
import { runCommandTool } from "./run-command.ts";
import { realTimer, type Timer } from "./run-shell.ts";
import { writeFileTool } from "./write-file.ts";

export interface WorkspaceToolsOptions {
  /** Where commands run and relative paths start. */
  readonly cwd: string;
  /** The environment for commands; keys are removed from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Roots of Retain's workspaces; the home workspace comes first. */
  readonly roots: readonly string[];
  readonly skills: () => readonly Skill[];
  /** Variables that hold keys, in addition to the well-known ones. */
  readonly secrets?: readonly string[];
  /** For a command's time limit. */
  readonly timer?: Timer;
  /** Time between SIGTERM and SIGKILL for a stopped command. */
  readonly graceMs?: number;
}

const GRACE_MS = 2_000;

/** Nobody can answer a prompt or quit a pager. */
const UNATTENDED = { TERM: "dumb", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/** What Retain itself prints there goes to a model: see `writeOut` in the command line. */
const FOR_MODEL = { RETAIN_FOR_MODEL: "1" };

/** Includes load_skill only if a skill can be loaded. */
export function workspaceTools(options: WorkspaceToolsOptions): Tool[] {
  const { cwd, homeDirectory, skills, secrets = [], timer = realTimer, graceMs = GRACE_MS } = options;
  const roots = resolveRoots(cwd, homeDirectory, options.roots);
  const env = commandEnvironment(options.env, secrets);
  return [
    readFileTool(roots),
    writeFileTool(roots),
    runCommandTool({ roots, env, timer, graceMs }),
    ...(skills().some(isUsable) ? [loadSkillTool(skills)] : []),
  ];
}

/** The environment of a command: the user's, without API keys. `secrets` names further variables that hold keys. */
function commandEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(withoutKeys(env, secrets)))
    if (value !== undefined) kept[name] = value;
  return { ...kept, ...UNATTENDED, ...FOR_MODEL };
}
