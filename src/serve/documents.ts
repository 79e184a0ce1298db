/**
 * Documents as Hindsight's clients name them. A client's id may be any text, so the file is named after it and its frontmatter has
 * the id itself; documents that others wrote have the id "collection/id".
 */
import type { Retain } from "../app.ts";
import { type DocumentRef, type DocumentSummary, fieldText } from "../core/documents/document.ts";
import { DEFAULT_COLLECTION, isNewName } from "../core/documents/names.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import { slugify } from "../core/documents/slug.ts";
import { RetainError } from "../core/errors.ts";
import { documentOfSource, documentSource } from "../core/memory.ts";
import { shareableFields } from "../core/secrets/shareable.ts";
import type { GotDocument } from "../documents/read.ts";
import { sha256 } from "../util/hash.ts";
import { isRecord } from "../util/json.ts";

/** The frontmatter keys for a client's id and its own metadata. */
const ID = "document_id";
const METADATA = "metadata";

/** The file that a client's id names. */
export function refOf(documentId: string): DocumentRef {
  const slug = slugify(documentId);
  const isPlain = slug === documentId && isNewName("id", slug);
  const id = isPlain ? slug : `${slug || "document"}-${sha256(documentId).slice(0, 12)}`;
  return { collection: DEFAULT_COLLECTION, id };
}

export function documentIdOf({ metadata, collection, id }: DocumentSummary): string {
  return fieldText(metadata[ID]) ?? documentSource({ collection, id });
}

/** Without secrets and private text. */
export function metadataIn({ metadata }: DocumentSummary): Record<string, string> {
  const own = metadata[METADATA];
  if (!isRecord(own)) return {};
  const shared = Object.entries(shareableFields(own as Fields));
  return Object.fromEntries(shared.map(([key, value]) => [key, fieldText(value) ?? ""]));
}

/** The frontmatter of a client's document. Fields that the client leaves out are removed. */
export function fieldsOf(
  documentId: string,
  metadata: Readonly<Record<string, string>>,
  date: string | null,
) {
  const trust = metadata.trust ?? null;
  return { [ID]: documentId, date, trust, [METADATA]: Object.keys(metadata).length === 0 ? null : metadata };
}

/** null if no document has this id. */
export async function findDocument({ documents }: Retain, documentId: string): Promise<GotDocument | null> {
  const own = refOf(documentId);
  const written = await documents.getIfThere(own.id, { collection: own.collection });
  if (written !== null && documentIdOf(written) === documentId) return written;
  if (!documentId.includes("/")) return null;
  const { collection, id } = documentOfSource(documentId);
  const other = await orNull(() => documents.getIfThere(id, { collection }));
  return other !== null && documentIdOf(other) === documentId ? other : null;
}

/** null instead of an error that says that no such thing exists, or can exist. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const isAbsent =
      error instanceof RetainError && ["not_found", "invalid_name", "ambiguous"].includes(error.code);
    if (isAbsent) return null;
    throw error;
  }
}
