/**
 * What was done in a session, as the last paragraph of its summary, so that search, recall, `sessions show` and forgetting treat it
 * like the rest of the summary:
 *
 *   Done: changed `src/tax.ts`, `test/tax.test.ts`; removed `src/vat.ts`; ran `npm test`, `git commit "Round the tax per line"`
 */
import { truncate } from "../../util/text.ts";

export interface Activity {
  /** Paths relative to the directory of the session. */
  readonly files: string[];
  /** Also paths. A file that was changed and then removed is only here. */
  readonly removed: string[];
  readonly commands: string[];
}

export const NO_ACTIVITY: Activity = { files: [], removed: [], commands: [] };

const BEGINNING = "Done: ";
const PARAGRAPH = /(?:^|\n\n)Done: (?:changed (.+?))?(?:; )?(?:removed (.+?))?(?:; )?(?:ran (.+))?$/;
const LONGEST_ITEM = 80;
/** In characters. */
const LONGEST = 600;

export function isActive({ files, removed, commands }: Activity): boolean {
  return files.length + removed.length + commands.length > 0;
}

/** What is in `all` and not in `known`. */
export function activityBeyond(all: Activity, known: Activity): Activity {
  return {
    files: without(all.files, known.files),
    removed: without(all.removed, known.removed),
    commands: without(all.commands, known.commands),
  };
}

export function together(before: Activity, after: Activity): Activity {
  return {
    files: newestLast([...without(before.files, after.removed), ...after.files]),
    removed: newestLast([...without(before.removed, after.files), ...after.removed]),
    commands: newestLast([...before.commands, ...after.commands]),
  };
}

/** The summary with this activity added to the one it already has. The oldest items are dropped if there are too many. */
export function withActivity(summary: string | null, { files, removed, commands }: Activity): string {
  const { prose, activity } = parsed(summary ?? "");
  const added = { files: clean(files), removed: clean(removed), commands: clean(commands) };
  const all = together(activity, added);
  while (paragraphOf(all).length > LONGEST) {
    const lists = [all.files, all.commands, all.removed];
    lists.sort((a, b) => b.length - a.length)[0]?.shift();
  }
  return [prose, paragraphOf(all)].filter((part) => part !== "").join("\n\n");
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
    activity: { files: items(found[1]), removed: items(found[2]), commands: items(found[3]) },
  };
}

function paragraphOf({ files, removed, commands }: Activity): string {
  const list = (verb: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${verb} ${items.map((item) => `\`${item}\``).join(", ")}`];
  const parts = [...list("changed", files), ...list("removed", removed), ...list("ran", commands)];
  return parts.length === 0 ? "" : BEGINNING + parts.join("; ");
}

function clean(items: readonly string[]): string[] {
  return items
    .map((item) => truncate(item.replaceAll("`", "'").replaceAll(/\s+/g, " ").trim(), LONGEST_ITEM))
    .filter((item) => item !== "");
}

function without(items: readonly string[], others: readonly string[]): string[] {
  return items.filter((item) => !others.includes(item));
}

function newestLast(items: readonly string[]): string[] {
  return [...new Set(items.toReversed())].reverse();
}
