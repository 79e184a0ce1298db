/** Warns about unreadable documents: a search without them is incomplete. */
import type { DocumentRef } from "../core/documents/document.ts";
import { command } from "../core/hint.ts";
import type { UnreadDocument } from "../core/ports/documents.ts";
import { plural } from "../util/in-words.ts";
import { withoutPeriod } from "../util/text.ts";
import type { DocumentPorts, HiddenDocuments } from "./ports.ts";

const DOCTOR = String(command("doctor"));
/** More names would drown the results; `retain doctor` lists all. */
const NAMED = 2;

/** One warning for documents that aren't searched, and one for documents searched without their frontmatter. */
export function reportUnread(
  ports: Pick<DocumentPorts, "warnUnread" | "hidden">,
  unread: readonly UnreadDocument[],
): void {
  const { warnUnread } = ports;
  reportHidden(ports);
  const hidden = unread.filter(({ isSearched }) => !isSearched);
  const misread = unread.filter(({ isSearched }) => isSearched);
  if (hidden.length > 0) {
    const end = hidden.length === 1 ? "it is not searched." : `they are not searched. See: ${DOCTOR}`;
    warnUnread(`${plural(hidden.length, "document")} could not be read: ${namesOf(hidden)}; ${end}`);
  }
  if (misread.length > 0) {
    const end = misread.length === 1 ? "Its text is" : `See: ${DOCTOR}. Their text is`;
    warnUnread(
      `The frontmatter of ${plural(misread.length, "document")} could not be read: ${namesOf(misread)}. ${end} searched, without title, tags and other fields.`,
    );
  }
}

export function reportHidden({ warnUnread, hidden }: Pick<DocumentPorts, "warnUnread" | "hidden">): void {
  const found = hidden();
  if (found !== null) warnUnread(hiddenWarning(found));
}

export function hiddenWarning({ root, configFile, documents }: HiddenDocuments): string {
  const which = `${plural(documents.length, "document")} in ${root} (${namesOf(documents)})`;
  const are = documents.length === 1 ? "is" : "are";
  return `${which} ${are} not read, since ${configFile} takes precedence. Import with: ${command("migrate", root)}`;
}

function namesOf(documents: readonly (DocumentRef | UnreadDocument)[]): string {
  const named = documents.slice(0, NAMED).map(nameOf).join(", ");
  const others = documents.length - NAMED;
  return others > 0 ? `${named} and ${plural(others, "other")}` : named;
}

function nameOf(document: DocumentRef | UnreadDocument): string {
  const problem = "problem" in document ? ` (${withoutPeriod(document.problem)})` : "";
  return `${document.collection}/${document.id}${problem}`;
}
