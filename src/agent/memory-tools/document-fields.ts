/** Fields shared by the document tools: the document's id, and its frontmatter. */
import { documentOfSource } from "../../core/memory.ts";
import { text } from "../tools/input.ts";
import { clearable, mayFlag, mayRecord, mayText, mayTexts } from "./fields.ts";
import type { ConversationPorts, DocumentVerbs, Entry } from "./ports.ts";

export const FILTERS = "Documents only: tags=a,b  priority!=low  created_at>=2026-01-01";

/** A document, or another memory. */
export const NAMING = { id: text("id, or collection/id of a document."), collection: mayText() };

/** null or an empty value removes a field. */
export const FIELDS = {
  title: clearable(mayText()),
  tags: clearable(mayTexts()),
  metadata: mayRecord("Other fields: category, context, status, ...; null removes one."),
};

export const ALLOW_SECRET = mayFlag("The user wants its key or password stored.");

/** Names the version with the previous content, for memory_get. */
export function keptAs(version: string | null): string {
  return version === null ? "" : ` The previous content is kept as ${version}.`;
}

export interface Naming {
  readonly id: string;
  readonly collection?: string | undefined;
}

/** Recall names a document "collection/id", but the id of a document in a folder may itself contain a slash. */
export async function documentNamed(documents: DocumentVerbs, { id, collection }: Naming): Promise<Naming> {
  if (collection !== undefined || !id.includes("/")) return { id, collection };
  return (await documents.find(id, {})) ?? documentOfSource(id);
}

/** The fact or note that an id names; null for a document. */
export async function entryNamed(
  { entry }: Pick<ConversationPorts, "entry">,
  { id, collection }: Naming,
): Promise<Entry | null> {
  return collection === undefined ? entry(id) : null;
}
