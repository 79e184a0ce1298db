/** The documents API. Methods throw RetainError for errors that a caller can fix. */

import type { DocumentRef, DocumentSummary } from "../core/documents/document.ts";
import { requireOwn } from "../core/documents/read-only.ts";
import { RetainError, requireText } from "../core/errors.ts";
import type { VersionStore } from "../core/ports/documents.ts";
import { type DiffOptions, diffVersions, listVersions } from "../documents/history.ts";
import { checkInput, type InputKind } from "../documents/input.ts";
import { described, type ListOptions, listCollections, listDocuments } from "../documents/list.ts";
import type { DocumentPorts } from "../documents/ports.ts";
import { checkPut, type PutInput, putDocument } from "../documents/put.ts";
import { type PutSource, putDocuments } from "../documents/put-many.ts";
import {
  findDocument,
  findKept,
  type GetOptions,
  type GotDocument,
  getDocument,
  getSource,
  getVersion,
  notFound,
} from "../documents/read.ts";
import { type DeleteResult, deleteDocuments } from "../documents/remove.ts";
import { type RestoreOptions, restoreDocument } from "../documents/restore.ts";
import { secretsOf, warnOfSecrets } from "../documents/secrets.ts";
import {
  type RewriteOptions,
  rewriteDocument,
  type UpdateInput,
  updateDocument,
} from "../documents/update.ts";

/** The collection, if several contain the id. */
export interface CollectionOption {
  collection?: string;
}

/** A document and the workspace that holds it. */
interface Located {
  readonly ports: DocumentPorts;
  readonly ref: DocumentRef;
}

/** null if the workspace doesn't have the document. */
type Finder = (ports: DocumentPorts, id: string, collection?: string) => DocumentRef | null;

export class Documents {
  constructor(
    /** The workspace that new documents go to. Throws `usage` where the memory is closed. */
    private readonly nearest: () => DocumentPorts,
    /** The workspaces that are read besides. */
    private readonly others: () => readonly DocumentPorts[],
    /** Called with each document of the nearest workspace that was stored, changed or removed. */
    private readonly changed: (ref: DocumentRef) => Promise<void>,
  ) {}

  /** The documents of one workspace. Throws `not_found` if it isn't read. */
  in(origin: DocumentPorts["origin"]): Documents {
    const own = () => {
      const ports = this.#workspaces.find((one) => one.origin === origin);
      if (ports === undefined)
        throw new RetainError("not_found", `The ${origin} workspace is not read here.`);
      return ports;
    };
    const changed = async (ref: DocumentRef) => {
      if (origin === this.nearest().origin) await this.changed(ref);
    };
    return new Documents(own, () => [], changed);
  }

  /** Who keeps the nearest workspace's versions. */
  get versioning(): VersionStore["kind"] {
    return this.nearest().versions.kind;
  }

  async put(input: PutInput) {
    const ports = this.nearest();
    return this.#announced(ports, () => putDocument(ports, input));
  }

  /** Throws what `put` would throw for this input, and changes nothing. */
  async checkPut(input: PutInput): Promise<void> {
    checkPut(this.nearest(), input);
  }

  async putMany(sources: readonly PutSource[], progress?: (done: number) => void) {
    const done = await putDocuments(this.nearest(), sources, progress);
    for (const written of done.stored) await this.changed(written);
    return done;
  }

  async get(id: string, options: GetOptions = {}) {
    const document = await this.getIfThere(id, options);
    if (document === null) throw notFound(this.#workspaces, id, options.collection);
    return document;
  }

  /** Like `get`, but null if there is no such document, or no document can have this id. */
  async getIfThere(id: string, options: GetOptions = {}): Promise<GotDocument | null> {
    checkCall(id, "get", options);
    const { collection, version } = options;
    const found = this.#find(version === undefined ? findDocument : findKept, id, collection);
    if (found === null) return null;
    const { ports, ref } = found;
    return version === undefined ? getDocument(ports, ref) : getVersion(ports, ref, String(version));
  }

  /** The documents as the last search or list found them, without reading their files; null if one isn't in the index. */
  async indexed(refs: readonly DocumentRef[]): Promise<(DocumentSummary | null)[]> {
    const rows = this.#workspaces.map(({ index }) => index.findEach(refs));
    return refs.map((_, at) => {
      const row = rows.map((found) => found[at] ?? null).find((one) => one !== null);
      return row === undefined ? null : described(row);
    });
  }

  /** Finds a document without reading it; null if there is none. Throws `ambiguous`. */
  async find(id: string, options: CollectionOption = {}): Promise<DocumentRef | null> {
    checkCall(id, "collection", options);
    return this.#find(findDocument, id, options.collection)?.ref ?? null;
  }

  /** Finds a document to change, without reading it. Throws like `get`, and `read_only`. */
  async locateOwn(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return this.#own(id, options.collection).ref;
  }

  /** The whole file, including frontmatter. */
  async source(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    const { ports, ref } = this.#located(findDocument, id, options.collection);
    return getSource(ports, ref);
  }

  async update(id: string, input: UpdateInput) {
    checkCall(id, "update", input);
    const { ports, ref } = this.#own(id, input.collection);
    return this.#announced(ports, () => updateDocument(ports, ref, input));
  }

  /** Replaces the whole file, including frontmatter. */
  async rewrite(id: string, text: string, options: RewriteOptions = {}) {
    checkCall(id, "rewrite", options);
    const { ports, ref } = this.#own(id, options.collection);
    return this.#announced(ports, () => rewriteDocument(ports, ref, text, options));
  }

  async delete(id: string, options: CollectionOption = {}): Promise<DeleteResult> {
    const [deleted] = await this.deleteMany([id], options);
    return deleted as DeleteResult;
  }

  /** Finds all of them before the first is deleted. One change for `undo` in each workspace. Throws like `locateOwn`. */
  async deleteMany(ids: readonly string[], options: CollectionOption = {}): Promise<DeleteResult[]> {
    for (const id of ids) checkCall(id, "collection", options);
    const found = ids.map((id) => this.#own(id, options.collection));
    const deleted: DeleteResult[] = [];
    for (const ports of this.#workspaces) {
      const refs = found.filter((one) => one.ports.origin === ports.origin).map(({ ref }) => ref);
      if (refs.length === 0) continue;
      const done = await deleteDocuments(ports, refs);
      if (ports.origin === this.nearest().origin) for (const one of done) await this.changed(one);
      deleted.push(...done);
    }
    return deleted;
  }

  async list(options: ListOptions = {}) {
    checkInput("list", options);
    return listDocuments(this.#workspaces, options);
  }

  async collections() {
    const all = [];
    for (const ports of this.#workspaces) all.push(...(await listCollections(ports)));
    return all;
  }

  /** Warns about each indexed document of the nearest workspace's collection that contains secrets, by name and line. */
  async warnOfSecrets(collection: string): Promise<void> {
    const ports = this.nearest();
    const documents = [...ports.index.all()].flat().filter((row) => row.collection === collection);
    warnOfSecrets(ports, secretsOf(ports, documents));
  }

  async versions(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    const { ports, ref } = this.#located(findKept, id, options.collection);
    return listVersions(ports, ref);
  }

  async diff(id: string, options: DiffOptions = {}) {
    checkCall(id, "diff", options);
    const { ports, ref } = this.#located(findKept, id, options.collection);
    return diffVersions(ports, ref, options);
  }

  async restore(id: string, options: RestoreOptions = {}) {
    checkCall(id, "restore", options);
    const { ports, ref } = this.#located(findKept, id, options.collection);
    return this.#announced(ports, () => restoreDocument(ports, ref, options));
  }

  /** The nearest first. */
  get #workspaces(): readonly DocumentPorts[] {
    return [this.nearest(), ...this.others()];
  }

  #find(find: Finder, id: string, collection?: string): Located | null {
    for (const ports of this.#workspaces) {
      const ref = find(ports, id, collection);
      if (ref !== null) return { ports, ref };
    }
    return null;
  }

  /** Throws `not_found`, `invalid_name`. */
  #located(find: Finder, id: string, collection?: string): Located {
    const found = this.#find(find, id, collection);
    if (found === null) throw notFound(this.#workspaces, id, collection);
    return found;
  }

  /** A document to change. Also throws `read_only`. */
  #own(id: string, collection?: string): Located {
    const found = this.#located(findDocument, id, collection);
    requireOwn(found.ports.files, found.ref);
    return found;
  }

  async #announced<R extends DocumentRef>(ports: DocumentPorts, write: () => Promise<R>): Promise<R> {
    const done = await write();
    if (ports.origin === this.nearest().origin) await this.changed(done);
    return done;
  }
}

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  requireText(id, "A document's id");
  checkInput(kind, options);
}
