/** Fields shared by the document tools: the document's id, and its frontmatter. */
import { documentOfSource } from "../../core/memory.ts";
import { text } from "../tools/input.ts";
import { clearableText, clearableTexts, mayRecord, mayText } from "./fields.ts";
import { COUNT, MAY_STRING, type Schema, STRING } from "./output.ts";
import type { DocumentVerbs } from "./ports.ts";

export const NAMING = {
  id: text("The document's id, or collection/id."),
  collection: mayText("The collection, if several have this id."),
};

/** Named as in the frontmatter. null or "" removes a field. */
export const FIELDS = {
  title: clearableText("The title."),
  tags: clearableTexts("Tags."),
  category: clearableText("A category."),
  context: clearableText("Why this is kept."),
  related_to: clearableTexts("Related ids or issues."),
  project: clearableText("The project it is about."),
  priority: clearableText("Low, high or critical."),
  status: clearableText("Its status."),
  metadata: mayRecord("Any other frontmatter fields."),
};

export const WRITTEN: Readonly<Record<string, Schema>> = {
  id: STRING,
  collection: STRING,
  action: STRING,
  version: COUNT,
  kept_version: MAY_STRING,
  file_path: STRING,
};

/** Names the version with the previous content, for memory_get. */
export function keptAs(version: string | null): string {
  return version === null ? "" : ` The previous content is kept as ${version}.`;
}

/** Recall names a document "collection/id", but the id of a document in a folder may itself contain a slash. */
export async function documentNamed(
  documents: DocumentVerbs,
  { id, collection }: { readonly id: string; readonly collection?: string | undefined },
): Promise<{ id: string; collection?: string | undefined }> {
  if (collection !== undefined || !id.includes("/")) return { id, collection };
  return (await documents.find(id, {})) ?? documentOfSource(id);
}
