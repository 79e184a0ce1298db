/**
 * What was done in a session, as the last paragraph of its summary, so that search, recall, `sessions show` and forgetting treat it
 * like the rest of the summary:
 *
 *   Done: changed `src/tax.ts`, `test/tax.test.ts`; ran `npm test`, `git commit "Round the tax per line"`
 */
import { truncate } from "../../util/text.ts";

export interface Activity {
  /** Paths relative to the directory of the session. */
  readonly files: string[];
  readonly commands: string[];
}

export const NO_ACTIVITY: Activity = { files: [], commands: [] };

const BEGINNING = "Done: ";
const PARAGRAPH = /(?:^|\n\n)Done: (?:changed (.+?))?(?:; )?(?:ran (.+))?$/;
const LONGEST_ITEM = 80;
/** In characters. */
const LONGEST = 600;

export function isActive({ files, commands }: Activity): boolean {
  return files.length + commands.length > 0;
}

export function together(before: Activity, after: Activity): Activity {
  return {
    files: newestLast([...before.files, ...after.files]),
    commands: newestLast([...before.commands, ...after.commands]),
  };
}

/** The summary with this activity added to the one it already has. The oldest items are dropped if there are too many. */
export function withActivity(summary: string | null, added: Activity): string {
  const { prose, activity } = parsed(summary ?? "");
  let { files, commands } = together(activity, {
    files: clean(added.files),
    commands: clean(added.commands),
  });
  while (paragraphOf({ files, commands }).length > LONGEST)
    if (files.length >= commands.length) files = files.slice(1);
    else commands = commands.slice(1);
  return [prose, paragraphOf({ files, commands })].filter((part) => part !== "").join("\n\n");
}

/** A new summary of a session, with the activity of the old one. */
export function withActivityOf(old: string | null, summary: string): string {
  return withActivity(summary, parsed(old ?? "").activity);
}

function parsed(summary: string): { readonly prose: string; readonly activity: Activity } {
  const found = PARAGRAPH.exec(summary);
  if (found === null) return { prose: summary.trim(), activity: NO_ACTIVITY };
  const items = (list = "") => [...list.matchAll(/`([^`]+)`/g)].map(([, item = ""]) => item);
  return {
    prose: summary.slice(0, found.index).trim(),
    activity: { files: items(found[1]), commands: items(found[2]) },
  };
}

function paragraphOf({ files, commands }: Activity): string {
  const list = (verb: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${verb} ${items.map((item) => `\`${item}\``).join(", ")}`];
  const parts = [...list("changed", files), ...list("ran", commands)];
  return parts.length === 0 ? "" : BEGINNING + parts.join("; ");
}

function clean(items: readonly string[]): string[] {
  return items
    .map((item) => truncate(item.replaceAll("`", "'").replaceAll(/\s+/g, " ").trim(), LONGEST_ITEM))
    .filter((item) => item !== "");
}

function newestLast(items: readonly string[]): string[] {
  return [...new Set(items.toReversed())].reverse();
}
