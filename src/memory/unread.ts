/** Says which documents a search does not know, so that nobody takes a file that cannot be read for one that is not there. */
import type { UnreadDocument } from "../core/ports.ts";
import { plural } from "../util/text.ts";
import type { DocumentPorts } from "./ports.ts";

/** More names would drown what was asked for; `retain doctor` gives all. */
const NAMED = 2;

/** One warning for all of them; none where there are none. */
export function reportUnread({ warn }: Pick<DocumentPorts, "warn">, unread: readonly UnreadDocument[]): void {
  if (unread.length === 0) return;
  const named = unread.slice(0, NAMED).map(nameOf).join(", ");
  const others = unread.length - NAMED;
  const rest = others > 0 ? ` and ${plural(others, "other")}` : "";
  const which = `${plural(unread.length, "document")} could not be read: ${named}${rest}`;
  const end = unread.length === 1 ? "it is not searched." : "they are not searched. See: retain doctor";
  warn(`${which}; ${end}`);
}

function nameOf({ collection, id, problem }: UnreadDocument): string {
  return `${collection}/${id} (${problem.replace(/\.$/, "")})`;
}
