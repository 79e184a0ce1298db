/** Compares the index with the files: finds unreadable documents, and rows or chunks that differ from their file. */
import type { DocumentRef } from "../core/documents/document.ts";
import { RetainError } from "../core/errors.ts";
import { documentSource } from "../core/memory.ts";
import type { IndexedDocument, UnreadDocument } from "../core/ports/documents.ts";
import { sha256 } from "../util/hash.ts";
import { upToDate } from "./index-sync.ts";
import { memoryOf } from "./memory-of.ts";
import type { DocumentPorts, HiddenDocuments } from "./ports.ts";
import { parseFile } from "./read.ts";

export interface DocumentCheck {
  /** Documents that exist but aren't searched. */
  readonly unread: UnreadDocument[];
  /** Documents whose text is searched, but whose frontmatter can't be read. */
  readonly misread: UnreadDocument[];
  readonly hidden: HiddenDocuments | null;
  /** Documents whose row or chunks differ from the file. */
  readonly outOfStep: DocumentRef[];
}

/** A document's chunks in the index, in order. */
type PartsOf = (source: string) => { heading: string; text: string }[];

/** Updates the index, then reads every document. */
export async function checkDocuments(ports: DocumentPorts, partsOf: PartsOf): Promise<DocumentCheck> {
  const current = await upToDate(ports);
  const misread = current.unread.filter(({ isSearched }) => isSearched);
  const unread = current.unread.filter(({ isSearched }) => !isSearched);
  const hidden = new Set(unread.map(documentSource));
  const searched = current.documents.filter((document) => !hidden.has(documentSource(document)));
  const outOfStep = searched.filter((document) => !agrees(ports, document, partsOf));
  return { unread, misread, hidden: ports.hidden(), outOfStep };
}

/** A document that isn't stored yet, or is changing right now, counts as agreeing: the next search indexes it. */
function agrees({ files, index }: DocumentPorts, known: IndexedDocument, partsOf: PartsOf): boolean {
  if (index.find(known)?.hash !== known.hash) return true;
  try {
    const file = files.read(known);
    if (file === null || file.stamp.ctime !== known.ctime || file.stamp.inode !== known.inode) return true;
    if (sha256(file.bytes) !== known.hash) return false;
    const { chunks } = memoryOf(parseFile(file).document, file.stamp.mtime);
    const parts = partsOf(documentSource(known));
    return (
      parts.length === chunks.length &&
      chunks.every(({ heading, text }, at) => parts[at]?.heading === heading && parts[at]?.text === text)
    );
  } catch (error) {
    if (error instanceof RetainError) return true;
    throw error;
  }
}
