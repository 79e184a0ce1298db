/** What was forgotten, in sentences. Nothing of it says what is gone. */
import { plural, shellWord } from "../../util/text.ts";
import type { Forgotten } from "./forget.ts";

export function forgetHeadline({ dry_run, forgotten, places, left }: Forgotten): string {
  const names = forgotten.map(({ id, kind }) => `${kind} ${id}`).join(", ") || "these words";
  const count = plural(places.length, "place");
  if (dry_run) return `Would forget ${names}, in ${count}; nothing was changed.`;
  return `${left.length > 0 ? "Forgotten, but not everywhere" : "✓ Forgotten"}: ${names}, in ${count}.`;
}

/** A screen holds no more; --json gives all. */
const MOST_COMMITS = 10;

/** What a person should know beside it. */
export function forgetRemarks({ dry_run, commits, left, elsewhere, places, short }: Forgotten): string[] {
  const lines: string[] = [];
  if (short)
    lines.push("It is too short to be looked for in other texts: where they hold its words, they stay.");
  const backups = places.filter(({ what }) => what === "damaged database").length;
  if (backups > 0)
    lines.push(
      `${plural(backups, "file")} of databases that were set aside as damaged ${dry_run ? "go" : "went"} too.`,
    );
  for (const { what, path, why } of left)
    lines.push(`${dry_run ? "Stays" : "Left"} in ${what} ${path}: ${why.replace(/\.$/, "")}.`);
  if (commits.length > 0) {
    const named = commits
      .slice(0, MOST_COMMITS)
      .map(({ commit, at }) => [commit.slice(0, 12), at ?? "staged"].join(" "));
    const more = commits.length > MOST_COMMITS ? [`and ${commits.length - MOST_COMMITS} more`] : [];
    lines.push(
      "git still holds it, in what these brought in:",
      ...[...named, ...more].map((name) => `  ${name}`),
    );
    lines.push("Only you can rewrite history (git filter-repo does it); others may have copies.");
  }
  for (const { workspace, id } of elsewhere) {
    const scope = workspace === "home" ? "--global" : "--local";
    const how =
      id === null
        ? "in documents or conversations; edit them there"
        : `retain forget ${scope} ${shellWord(id)}`;
    lines.push(`The ${workspace} workspace says the same: ${how}`);
  }
  return lines;
}
