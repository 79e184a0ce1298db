/** The tools by which a chat reaches the files and programs of this machine. Whether a call is run is for approval.ts. */
import type { Skill } from "../skills/skills.ts";
import { isUsable } from "../skills/skills.ts";
import type { Tool } from "../tool.ts";
import { commandEnvironment } from "./command-env.ts";
import { loadSkillTool } from "./load-skill.ts";
import { placesOf } from "./places.ts";
import { readFileTool } from "./read-file.ts";
import { runCommandTool } from "./run-command.ts";
import { realTimer, type Timer } from "./run-shell.ts";
import { writeFileTool } from "./write-file.ts";

export interface WorkspaceToolsOptions {
  /** Where commands run and relative paths start. */
  readonly cwd: string;
  /** What commands are given, without keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Of Retain's workspaces; the home workspace comes first. */
  readonly roots: readonly string[];
  readonly skills: () => readonly Skill[];
  /** More variables that hold keys, besides those that are known by their names. */
  readonly secrets?: readonly string[];
  /** For a command's time limit. */
  readonly timer?: Timer;
  /** How long a command that is stopped may take to end by itself. */
  readonly graceMs?: number;
}

const GRACE_MS = 2_000;

/** load_skill is among them where there is a skill to load. */
export function workspaceTools(options: WorkspaceToolsOptions): Tool[] {
  const { cwd, homeDirectory, roots, skills, secrets = [], timer = realTimer, graceMs = GRACE_MS } = options;
  const places = placesOf(cwd, homeDirectory, roots);
  const env = commandEnvironment(options.env, secrets);
  return [
    readFileTool(places),
    writeFileTool(places),
    runCommandTool({ places, env, timer, graceMs }),
    ...(skills().some(isUsable) ? [loadSkillTool(skills)] : []),
  ];
}
