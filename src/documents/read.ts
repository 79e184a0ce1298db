/** Finds and reads one document from its file, without the index. */
import { type Document, type DocumentRef, documentOf, etagOf } from "../core/documents/document.ts";
import { type MarkdownFile, parseLoosely, parseMarkdown } from "../core/documents/frontmatter.ts";
import { checkName, checkPath, isComponent, spelledAs, spellings } from "../core/documents/names.ts";
import { requireOwn } from "../core/documents/read-only.ts";
import { deletedText, restoreCommand } from "../core/documents/versions.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { DocumentFile, DocumentFiles } from "../core/ports/documents.ts";
import { isoSeconds } from "../util/days.ts";
import { decodeUtf8, nearest } from "../util/text.ts";
import type { DocumentPorts } from "./ports.ts";

export interface OpenDocument {
  readonly file: DocumentFile;
  readonly markdown: MarkdownFile;
  readonly document: Document;
}

export interface GotDocument extends Document {
  readonly file_path: string;
  /** Identifies these exact bytes; `update --if-version` accepts it. */
  readonly etag: string;
}

export interface GetOptions {
  collection?: string;
  /** "v2" or "2" for numbered versions; any git revision if git keeps the versions. */
  version?: string | number;
}

/** Throws `not_found` if the document is gone by now. */
export function getDocument(ports: DocumentPorts, ref: DocumentRef): GotDocument {
  const { file, document, markdown } = openDocument(ports, ref);
  if (markdown.problem !== null)
    ports.warnUnread(
      `The frontmatter of '${ref.id}' cannot be read: line ${markdown.problem.line}: ${markdown.problem.message}`,
    );
  return { ...document, file_path: file.path, etag: etagOf(document.version, file.bytes) };
}

/** The file's whole text with frontmatter, for an editor. Throws like `getDocument`. */
export function getSource(
  ports: DocumentPorts,
  ref: DocumentRef,
): DocumentRef & { text: string; etag: string } {
  const { file, document } = openDocument(ports, ref);
  return { ...file.ref, text: textOf(file.bytes, file.path), etag: etagOf(document.version, file.bytes) };
}

/** Throws `not_found` if there is no such version. */
export function getVersion(ports: DocumentPorts, ref: DocumentRef, version: string): GotDocument {
  const bytes = readVersion(ports, ref, version);
  const document = documentOf(ref, parseMarkdown(textOf(bytes, `Version '${version}' of '${ref.id}'`)));
  return { ...document, file_path: ports.files.pathOf(ref), etag: etagOf(document.version, bytes) };
}

/** Names for the current text. */
const CURRENT = new Set(["current", "uncommitted"]);

/** The bytes of one version. Throws `not_found`. */
export function readVersion(ports: DocumentPorts, ref: DocumentRef, version: string): Uint8Array {
  const current = ports.files.read(ref);
  if (!CURRENT.has(version)) return ports.versions.read(ref, version, current);
  if (current === null) throw deleted(ports, ref);
  return current.bytes;
}

/** The document's collection and id, or null. Accepts the file name for the id. Throws `ambiguous` if several collections have it. */
export function findDocument({ files }: DocumentPorts, id: string, named?: string): DocumentRef | null {
  const collection = named === undefined ? undefined : collectionOf(files, named);
  for (const name of possibleIds(id)) {
    const ref = tryLocate(files, name, collection);
    if (ref !== null) return ref;
  }
  return null;
}

/** Like `findDocument`, but also finds deleted documents that can be restored. Throws `read_only` for a folder's document. */
export function findKept({ files, versions }: DocumentPorts, id: string, named?: string): DocumentRef | null {
  const collection = named === undefined ? undefined : collectionOf(files, named);
  for (const name of possibleIds(id)) {
    const ref = tryLocate(files, name, collection);
    if (ref !== null && files.folderOf(ref.collection) === null) return ref;
    const holding = (isComponent(name) ? versions.holding(name) : []).filter(
      (candidate) => collection === undefined || candidate === collection,
    );
    if (holding.length > 1) throw ambiguous(name, holding);
    if (holding[0] !== undefined) return { collection: holding[0], id: name };
    if (ref !== null) requireOwn(files, ref);
  }
  return null;
}

function possibleIds(id: string): string[] {
  return [id, ...(id.endsWith(".md") ? [id.slice(0, -".md".length)] : [])].flatMap(spellings);
}

/** The collection's name as spelled on disk. */
function collectionOf(files: DocumentFiles, name: string): string {
  return spellings(name).length === 1 ? name : spelledAs(files.collections(), name);
}

/** Where a document with this name is stored: an existing file, whatever its Unicode form, or a new one. */
export function refFor(files: DocumentFiles, { collection, id }: DocumentRef): DocumentRef {
  const stored = collectionOf(files, collection);
  const known = spellings(id).find((name) => files.has({ collection: stored, id: name }));
  return { collection: stored, id: known ?? id };
}

function tryLocate(files: DocumentFiles, id: string, collection?: string): DocumentRef | null {
  if (collection !== undefined) {
    const ref = { collection, id };
    return files.has(ref) ? ref : null;
  }
  const holding = files.holding(id);
  if (holding.length > 1) throw ambiguous(id, holding);
  return holding[0] === undefined ? null : { collection: holding[0], id };
}

/** Opens a document. The caller handles unreadable frontmatter. Throws `not_found`. */
export function openDocument(ports: DocumentPorts, ref: DocumentRef): OpenDocument {
  return parseFile(readFile(ports, ref));
}

/** Throws `not_found`. */
export function readFile(ports: DocumentPorts, ref: DocumentRef): DocumentFile {
  const file = ports.files.read(ref);
  if (file === null) throw notFound([ports], ref.id, ref.collection);
  return file;
}

/** Throws `invalid_input` if the file isn't text. */
export function parseFile(file: DocumentFile): OpenDocument {
  const markdown = parseMarkdown(textOf(file.bytes, file.path));
  return { file, markdown, document: documentOf(file.ref, markdown) };
}

/** Like `parseFile`, but never throws. */
export function openLoosely(file: DocumentFile): OpenDocument {
  const markdown = parseLoosely(file.bytes);
  return { file, markdown, document: documentOf(file.ref, markdown) };
}

export function textOf(bytes: Uint8Array, what: string): string {
  const text = decodeUtf8(bytes);
  if (text !== null) return text;
  throw new RetainError("invalid_input", `${what} is not valid UTF-8 text.`, "Convert it to UTF-8 first.");
}

function ambiguous(id: string, collections: readonly string[]): RetainError {
  const choices = collections
    .map((collection) => hint`${option("collection", collection)}`)
    .reduce((all, choice) => hint`${all} or ${choice}`);
  return new RetainError(
    "ambiguous",
    `'${id}' is in ${collections.length} collections.`,
    hint`Pass ${choices}`,
  );
}

/**
 * The error for a document that none of these workspaces has: `not_found`, with the way to restore a deleted one or a
 * similar id. Throws `invalid_name` for a name that no document can have.
 */
export function notFound(workspaces: readonly DocumentPorts[], id: string, collection?: string): RetainError {
  checkPath(id);
  if (collection !== undefined) checkName("collection", collection);
  for (const ports of workspaces) {
    const ref = findKept(ports, id, collection);
    if (ref !== null) return deleted(ports, ref);
  }
  const scans = workspaces.map(({ files }) => files.scan());
  const ids = scans.flatMap(({ found }) => found.map(({ ref }) => ref.id));
  const hidden = scans.flatMap(({ unreadable }) => unreadable).find((part) => part.collection === collection);
  const guess = ids.find((candidate) => candidate.endsWith(`/${id}`)) ?? nearest(id, ids);
  const advice =
    hidden?.reason ?? (guess === null ? hint`List all: ${command("list")}` : `Did you mean '${guess}'?`);
  const where = collection === undefined ? "" : ` in collection '${collection}'`;
  return new RetainError("not_found", `Document not found: ${id}${where}.`, advice);
}

function deleted(ports: DocumentPorts, ref: DocumentRef): RetainError {
  const message = deletedText(ref, lastSaved(ports, ref));
  return new RetainError("not_found", message, hint`Restore it: ${restoreCommand(ref)}`);
}

/** When the last state of a deleted document was saved. */
export function lastSaved({ versions }: DocumentPorts, ref: DocumentRef): string | null {
  const last = versions.lastState(ref);
  return last === null ? null : isoSeconds(new Date(last.keptAt));
}
