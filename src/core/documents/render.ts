/** Output formats of a document: text for a model's context, or a nested object. */
import type { Document, DocumentSummary } from "./document.ts";

/** Ready to paste into a conversation: the main fields, then the whole content. */
export function toContextText(document: Document): string {
  const lines = [`# ${document.title}`, `ID: ${document.id}`, ...fieldLines(document)];
  return [...lines, "", document.content].join("\n");
}

/** The main fields, without title and id. */
export function fieldLines(document: Document): string[] {
  const lines = [`Created: ${document.created_at ?? "unknown"} by ${document.created_by ?? "unknown"}`];
  if (document.context !== null) lines.push(`Context: ${document.context}`);
  if (document.tags.length > 0) lines.push(`Tags: ${document.tags.join(", ")}`);
  if (document.category !== null) lines.push(`Category: ${document.category}`);
  if (document.related_to.length > 0) lines.push(`Related: ${document.related_to.join(", ")}`);
  return lines;
}

/** id, title and content, with everything else under `metadata`. */
export function toNestedObject(document: Document): Record<string, unknown> {
  const { id, title, content, ...rest } = document;
  return { id, title, content, metadata: flattenMetadata(rest) };
}

/** One row of `list`: fields and free metadata on one level. */
export function toListRow(document: DocumentSummary): Record<string, unknown> {
  return flattenMetadata(document);
}

/** Free metadata may not hide a field of the same name. */
function flattenMetadata<T extends { metadata: object }>({
  metadata,
  ...fields
}: T): Record<string, unknown> {
  return { ...fields, ...metadata, ...fields };
}
