/** Finds and reads one document from its file, without the index. */
import { type Document, type DocumentRef, documentOf, etagOf } from "../core/documents/document.ts";
import { type MarkdownFile, parseLoosely, parseMarkdown } from "../core/documents/frontmatter.ts";
import { isComponent, spelledAs, spellings } from "../core/documents/names.ts";
import { requireOwn } from "../core/documents/read-only.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { DocumentFile, DocumentFiles } from "../core/ports/documents.ts";
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

/** Throws `not_found`, or `ambiguous` if several collections have the id and none was named. */
export function getDocument(ports: DocumentPorts, id: string, options: GetOptions = {}): GotDocument {
  if (options.version !== undefined)
    return getVersion(ports, id, String(options.version), options.collection);
  const { file, document, markdown } = openDocument(ports.files, locate(ports.files, id, options.collection));
  if (markdown.problem !== null)
    ports.warnUnread(
      `The frontmatter of '${id}' cannot be read: line ${markdown.problem.line}: ${markdown.problem.message}`,
    );
  return { ...document, file_path: file.path, etag: etagOf(document.version, file.bytes) };
}

/** The file's whole text with frontmatter, for an editor. Throws like `getDocument`. */
export function getSource(
  ports: DocumentPorts,
  id: string,
  collection?: string,
): DocumentRef & { text: string; etag: string } {
  const { file, document } = openDocument(ports.files, locate(ports.files, id, collection));
  return { ...file.ref, text: textOf(file.bytes, file.path), etag: etagOf(document.version, file.bytes) };
}

function getVersion(ports: DocumentPorts, id: string, version: string, collection?: string): GotDocument {
  const ref = locateKept(ports, id, collection);
  const bytes = readVersion(ports, ref, version);
  const document = documentOf(ref, parseMarkdown(textOf(bytes, `Version '${version}' of '${id}'`)));
  return { ...document, file_path: ports.files.pathOf(ref), etag: etagOf(document.version, bytes) };
}

/** Names for the current text. */
const CURRENT = new Set(["current", "uncommitted"]);

/** The bytes of one version. Throws `not_found`. */
export function readVersion(
  { files, versions }: DocumentPorts,
  ref: DocumentRef,
  version: string,
): Uint8Array {
  const current = files.read(ref);
  if (!CURRENT.has(version)) return versions.read(ref, version, current);
  if (current !== null) return current.bytes;
  throw new RetainError(
    "not_found",
    `'${ref.id}' is deleted, so it has no current version.`,
    hint`Restore it: ${command("restore", ref.id)}`,
  );
}

/** The document's collection and id. Accepts the file name for the id. Throws like `getDocument`. */
export function locate(files: DocumentFiles, id: string, named?: string): DocumentRef {
  const collection = named === undefined ? undefined : collectionOf(files, named);
  for (const name of possibleIds(id)) {
    const ref = tryLocate(files, name, collection);
    if (ref !== null) return ref;
  }
  throw notFound(files, id, collection);
}

/** Like `locate`, for a document that will be changed. Also throws `read_only`. */
export function locateOwn(files: DocumentFiles, id: string, collection?: string): DocumentRef {
  const ref = locate(files, id, collection);
  requireOwn(files, ref);
  return ref;
}

/** Like `locateOwn`, but also finds deleted documents that can be restored. */
export function locateKept(
  { files, versions }: Pick<DocumentPorts, "files" | "versions">,
  id: string,
  named?: string,
): DocumentRef {
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
  throw notFound(files, id, collection);
}

function possibleIds(id: string): string[] {
  return [id, ...(id.endsWith(".md") ? [id.slice(0, -".md".length)] : [])].flatMap(spellings);
}

/** The collection's name as spelled on disk. */
function collectionOf(files: DocumentFiles, name: string): string {
  return spellings(name).length === 1 ? name : spelledAs(files.collections(), name);
}

/** Where a document with this name is stored: an existing file, whatever its Unicode form, or a new one. */
export function placeFor(files: DocumentFiles, { collection, id }: DocumentRef): DocumentRef {
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

/** Opens the document that `locate` found. The caller handles unreadable frontmatter. */
export function openDocument(files: DocumentFiles, ref: DocumentRef): OpenDocument {
  return parseFile(readFile(files, ref));
}

/** Throws `not_found`. */
export function readFile(files: DocumentFiles, ref: DocumentRef): DocumentFile {
  const file = files.read(ref);
  if (file === null) throw notFound(files, ref.id, ref.collection);
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

function notFound(files: DocumentFiles, id: string, collection?: string): RetainError {
  const where = collection === undefined ? "" : ` in collection '${collection}'`;
  const { found, unreadable } = files.scan();
  const ids = found.map((entry) => entry.ref.id);
  const hidden = unreadable.find((part) => part.collection === collection);
  const guess = ids.find((candidate) => candidate.endsWith(`/${id}`)) ?? nearest(id, ids);
  const advice =
    hidden?.reason ?? (guess === null ? hint`List all: ${command("list")}` : `Did you mean '${guess}'?`);
  return new RetainError("not_found", `Document not found: ${id}${where}.`, advice);
}
