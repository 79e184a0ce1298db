/** Warns of documents that could not be read, so that a search without them isn't taken for a search of everything. */
import type { UnreadDocument } from "../core/ports.ts";
import { plural } from "../util/text.ts";
import type { DocumentPorts } from "./ports.ts";

/** More names would drown what was asked for; `retain doctor` gives all. */
const NAMED = 2;

/** One warning for those that are not searched, and one for those of which only the text is. */
export function reportUnread(
  { warnUnread }: Pick<DocumentPorts, "warnUnread">,
  unread: readonly UnreadDocument[],
): void {
  const hidden = unread.filter(({ isSearched }) => !isSearched);
  const misread = unread.filter(({ isSearched }) => isSearched);
  if (hidden.length > 0) {
    const end = hidden.length === 1 ? "it is not searched." : "they are not searched. See: retain doctor";
    warnUnread(`${plural(hidden.length, "document")} could not be read: ${namesOf(hidden)}; ${end}`);
  }
  if (misread.length > 0) {
    const end = misread.length === 1 ? "Its text is" : "See: retain doctor. Their text is";
    warnUnread(
      `The frontmatter of ${plural(misread.length, "document")} could not be read: ${namesOf(misread)}. ${end} searched, without title, tags and other fields.`,
    );
  }
}

function namesOf(unread: readonly UnreadDocument[]): string {
  const named = unread.slice(0, NAMED).map(nameOf).join(", ");
  const others = unread.length - NAMED;
  return others > 0 ? `${named} and ${plural(others, "other")}` : named;
}

function nameOf({ collection, id, problem }: UnreadDocument): string {
  return `${collection}/${id} (${problem.replace(/\.$/, "")})`;
}
