/** A shareable document as the index takes it: in chunks that follow its headings, with what its frontmatter says of it. */

import { type Document, fieldText } from "../core/documents/document.ts";
import { documentSource, type Memory, TRUSTS, type Trust } from "../core/memory.ts";
import { shareableDocument } from "../core/secrets/shareable.ts";
import { chunkMarkdown } from "../core/text/chunk.ts";

/** Goes up when documents are cut or described in another way: those of an older format are read anew. */
export const INDEX_FORMAT = 4;

const IMPORTANCE: ReadonlyMap<string, number> = new Map([
  ["critical", 1],
  ["urgent", 1],
  ["high", 0.8],
  ["low", 0.2],
]);

/** `changedAt` is the file's own time, for a document that names none. */
export function memoryOf(own: Document, changedAt: number): Memory {
  const document = shareableDocument(own);
  return {
    kind: "document",
    source: documentSource(document),
    scope: "",
    tags: document.tags,
    session: null,
    speaker: null,
    at: ownDate(document) ?? momentOf(document.updated_at) ?? momentOf(document.created_at) ?? changedAt,
    trust: trustOf(fieldText(document.metadata.trust)),
    importance: IMPORTANCE.get(document.priority?.toLowerCase() ?? "") ?? 0.5,
    chunks: chunkMarkdown(document.content, document.title),
    neighbours: [document.id.replace(/[-_./]+/g, " "), document.context, document.category, document.project]
      .filter(Boolean)
      .join("\n"),
  };
}

/** The day that its writer gave it: in the frontmatter, as other tools call it, or as the name of its file. */
function ownDate({ id, metadata }: Document): number | null {
  const [, day = null] = /(?:^|\/)(\d{4}-\d\d-\d\d)$/.exec(id) ?? [];
  return momentOf(fieldText(metadata.date)) ?? momentOf(fieldText(metadata.created)) ?? momentOf(day);
}

/** A plain date is a day where the reader is, taken at noon; null for what is no date. */
function momentOf(said: string | null): number | null {
  if (said === null) return null;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(said) ?? [];
  const moment =
    year === undefined ? Date.parse(said) : new Date(+year, Number(month) - 1, Number(day), 12).getTime();
  return Number.isNaN(moment) ? null : moment;
}

function trustOf(said: string | null): Trust {
  return TRUSTS.find((trust) => trust === said) ?? "stated";
}
