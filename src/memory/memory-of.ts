/** A document as the index takes it: in chunks that follow its headings, with what its frontmatter says of it. */
import { chunkMarkdown } from "../core/chunk.ts";
import { type Document, fieldText } from "../core/document.ts";
import { documentSource, type Memory, TRUSTS, type Trust } from "../core/memory.ts";

/** Goes up when documents are cut or described in another way: those of an older format are read anew. */
export const INDEX_FORMAT = 1;

const IMPORTANCE: Readonly<Record<string, number>> = {
  critical: 1,
  urgent: 1,
  high: 0.8,
  low: 0.2,
};

/** `changedAt` is the file's own time, for a document that names none. */
export function memoryOf(document: Document, changedAt: number): Memory {
  const said = Date.parse(document.updated_at ?? document.created_at ?? "");
  return {
    kind: "document",
    source: documentSource(document),
    scope: "",
    tags: document.tags,
    session: null,
    speaker: null,
    at: Number.isNaN(said) ? changedAt : said,
    trust: trustOf(fieldText(document.metadata.trust)),
    importance: IMPORTANCE[document.priority?.toLowerCase() ?? ""] ?? 0.5,
    chunks: chunkMarkdown(document.content, document.title),
    neighbours: [document.id.replace(/[-_./]+/g, " "), document.context, document.category, document.project]
      .filter(Boolean)
      .join("\n"),
  };
}

function trustOf(said: string | null): Trust {
  return TRUSTS.find((trust) => trust === said) ?? "stated";
}
