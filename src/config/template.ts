/** The files a new workspace starts with. */
import { stringify } from "yaml";
import { HISTORIES } from "../core/facts/memory-paths.ts";
import { command } from "../core/hint.ts";
import { SETTING_KEYS, SETTINGS } from "./schema.ts";

/** All settings this owner may set, with their defaults, commented out. */
export function configTemplate(owner: "user" | "project"): string {
  const keys = SETTING_KEYS.filter((key) => ["anyone", owner].includes(SETTINGS[key].setBy));
  const defaults = Object.fromEntries(keys.map((key) => [key, SETTINGS[key].default]));
  const printed = stringify(defaults, { lineWidth: 0 })
    .trimEnd()
    .split(/\n(?=\S)/);
  const settings = keys.map((key, index) => `# ${SETTINGS[key].description}\n# ${printed[index]}\n`);
  const whose = owner === "user" ? "Your settings" : "This project's settings";
  return [
    `# ${whose} for Retain. '${command("config")}' shows each value and its source.\n`,
    ...settings,
  ].join("\n");
}

/** Ignores derived and machine-specific files. Documents are committed. */
const GITIGNORE = [
  "retain.db*",
  ".lock",
  ".bank",
  ".versions/",
  "working/",
  ".tmp-*",
  "keys.yaml",
  "input-history.jsonl",
  "trusted-skills.yaml",
  "/backups/",
  "",
].join("\n");

/** Unconfirmed facts, and answers that may quote one person, must not reach everyone who clones the project. */
const PROJECT_ONLY = [
  "/memories/**/INFERRED.md",
  "/memories/INFERRED-HISTORY.md",
  "/memories/models/",
  "",
].join("\n");

/** Only the home workspace has database tokens; in a project, a collection may have that name. */
export function gitignore(owner: "user" | "project"): string {
  return owner === "user"
    ? `${GITIGNORE}/databases*\n/spool/\n/incidents.jsonl\n/hook.log\n/hooks.db*\n`
    : `${GITIGNORE}${PROJECT_ONLY}`;
}

/**
 * Two clones append to the same history, and each line is independent, so git keeps both lines. MEMORY.md is left to a person:
 * keeping both would bring back a bullet that one clone replaced.
 */
export const GITATTRIBUTES = HISTORIES.map((path) => `memories/${path} merge=union\n`).join("");

/** Appends the missing lines to a project's `.gitignore`. A line that a person commented out or negated counts as present. */
export function completedGitignore(content: string): string {
  const there = new Set(content.split("\n").map((line) => line.replace(/^[#!\s]+/, "").trim()));
  const missing = gitignore("project")
    .split("\n")
    .filter((line) => line !== "" && !there.has(line));
  if (missing.length === 0) return content;
  return `${content}${/[^\n]$/.test(content) ? "\n" : ""}${missing.map((line) => `${line}\n`).join("")}`;
}
