/** The files a new workspace starts with. */
import { stringify } from "yaml";
import { SETTING_KEYS, SETTINGS } from "./schema.ts";

/** Every setting that this owner may make, with its default, commented out. */
export function configTemplate(owner: "user" | "project"): string {
  const keys = SETTING_KEYS.filter((key) => ["anyone", owner].includes(SETTINGS[key].setBy));
  const settings = keys.map((key) => {
    const { description, default: fallback } = SETTINGS[key];
    return `# ${description}\n# ${stringify({ [key]: fallback }, { lineWidth: 0 }).trimEnd()}\n`;
  });
  const whose = owner === "user" ? "Your settings" : "This project's settings";
  return [`# ${whose} for Retain. 'retain config' shows what is in force, and why.\n`, ...settings].join(
    "\n",
  );
}

/** Documents are to be committed; what is derived from them, or one machine's own, is not. */
const GITIGNORE = [
  "retain.db*",
  ".versions/",
  "working/",
  ".tmp-*",
  "keys.yaml",
  "input-history.jsonl",
  "trusted-skills.yaml",
  "/backups/",
  "",
].join("\n");

/** The tokens of databases are the home workspace's; elsewhere a collection may have that name. */
export function gitignore(owner: "user" | "project"): string {
  return owner === "user" ? `${GITIGNORE}/databases*\n/spool/\n` : GITIGNORE;
}
