/** Describes what was forgotten, without the text. */
import { command, type Hint, hint, option } from "../../core/hint.ts";
import { isVectorId } from "../../core/ports/vector-index.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, withoutPeriod } from "../../util/text.ts";
import { type Forgotten, HOSTED_INDEX } from "./forget.ts";

export function forgetHeadline({ dry_run, forgotten, places, left }: Forgotten): string {
  const names =
    forgotten.map(({ id, kind }) => (isVectorId(id) ? id : `${kind} ${id}`)).join(", ") || "these words";
  const count = plural(places.length, "place");
  if (dry_run) return `Would forget ${names}, in ${count}; nothing was changed.`;
  return `${left.length > 0 ? "Forgotten, but not everywhere" : "✓ Forgotten"}: ${names}, in ${count}.`;
}

/** More wouldn't fit on a screen; --json lists all. */
const MOST_COMMITS = 10;

/** Further notices for the person. */
export function forgetRemarks({
  dry_run,
  forgotten,
  commits,
  left,
  elsewhere,
  places,
  short,
}: Forgotten): Hint[] {
  const lines: Hint[] = [];
  if (short) lines.push("It is too short to search for in other texts, so they were not changed.");
  for (const { id, text } of forgotten.flatMap(({ replaced = [] }) => replaced))
    lines.push(
      hint`It had replaced: ${oneLine(text)} (${id}). That fact stays ended. To save it again: ${command("remember", text)}`,
    );
  const backups = places.filter(({ what }) => what === "damaged database").length;
  if (backups > 0)
    lines.push(
      `${dry_run ? "Would also remove" : "Also removed"} ${plural(backups, "file")} of damaged databases.`,
    );
  if (places.some(({ what }) => what === HOSTED_INDEX))
    lines.push("The other machine that saved it keeps its own copy. Forget it there, too.");
  for (const { what, path, why } of left)
    lines.push(`${dry_run ? "Stays" : "Left"} in ${what} ${path}: ${withoutPeriod(why)}.`);
  if (commits.length > 0) {
    const named = commits
      .slice(0, MOST_COMMITS)
      .map(({ commit, at }) => [commit.slice(0, 12), at ?? "staged"].join(" "));
    const more = commits.length > MOST_COMMITS ? [`and ${commits.length - MOST_COMMITS} more`] : [];
    lines.push(
      "git still has it; these commits added it:",
      ...[...named, ...more].map((name) => `  ${name}`),
    );
    lines.push("To remove it there, rewrite the history (git filter-repo); others may have copies.");
  }
  for (const { workspace, id } of elsewhere) {
    const scope = option(workspace === "home" ? "global" : "local");
    const how = id === null ? "in documents or conversations; edit them there" : command("forget", scope, id);
    lines.push(hint`The ${workspace} workspace contains it too: ${how}`);
  }
  return lines;
}
