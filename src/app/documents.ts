/** The documents API. Methods throw RetainError for errors that a caller can fix. */

import type { DocumentRef } from "../core/documents/document.ts";
import { type ErrorCode, RetainError, requireText } from "../core/errors.ts";
import type { VersionStore } from "../core/ports/documents.ts";
import { type DiffOptions, diffVersions, listVersions } from "../documents/history.ts";
import { checkInput, type InputKind } from "../documents/input.ts";
import { type ListOptions, listCollections, listDocuments } from "../documents/list.ts";
import type { DocumentPorts } from "../documents/ports.ts";
import { type PutInput, putDocument } from "../documents/put.ts";
import { type PutSource, putDocuments } from "../documents/put-many.ts";
import { type GetOptions, getDocument, getSource, locate, locateKept, locateOwn } from "../documents/read.ts";
import { deleteDocument } from "../documents/remove.ts";
import { type RestoreOptions, restoreDocument } from "../documents/restore.ts";
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

export class Documents {
  constructor(
    /** The workspace that new documents go to. Throws `usage` where the memory is closed. */
    private readonly nearest: () => DocumentPorts,
    /** The workspaces that are read besides. */
    private readonly others: () => readonly DocumentPorts[],
    /** Called with each document of the nearest workspace that was stored, changed or removed. */
    private readonly changed: (ref: DocumentRef) => Promise<void>,
  ) {}

  /** Who keeps the nearest workspace's versions. */
  get versioning(): VersionStore["kind"] {
    return this.nearest().versions.kind;
  }

  async put(input: PutInput) {
    return this.#announced(this.nearest(), (ports) => putDocument(ports, input));
  }

  async putMany(sources: readonly PutSource[], progress?: (done: number) => void) {
    const done = await putDocuments(this.nearest(), sources, progress);
    for (const written of done.stored) await this.changed(written);
    return done;
  }

  async get(id: string, options: GetOptions = {}) {
    checkCall(id, "get", options);
    const { collection, version } = options;
    return getDocument(
      version === undefined ? this.#at(id, collection) : this.#kept(id, collection),
      id,
      options,
    );
  }

  /** Finds a document without reading it. Throws like `get`. */
  async locate(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return locate(this.#at(id, options.collection).files, id, options.collection);
  }

  /** Like `locate`, for a document to change. Also throws `read_only`. */
  async locateOwn(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return locateOwn(this.#at(id, options.collection).files, id, options.collection);
  }

  /** The whole file, including frontmatter. */
  async source(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return getSource(this.#at(id, options.collection), id, options.collection);
  }

  async update(id: string, input: UpdateInput) {
    checkCall(id, "update", input);
    return this.#announced(this.#at(id, input.collection), (ports) => updateDocument(ports, id, input));
  }

  /** Replaces the whole file, including frontmatter. */
  async rewrite(id: string, text: string, options: RewriteOptions = {}) {
    checkCall(id, "rewrite", options);
    const holder = this.#at(id, options.collection);
    return this.#announced(holder, (ports) => rewriteDocument(ports, id, text, options));
  }

  async delete(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    const { collection } = options;
    return this.#announced(this.#at(id, collection), (ports) => deleteDocument(ports, id, collection));
  }

  async list(options: ListOptions = {}) {
    checkInput("list", options);
    return listDocuments([this.nearest(), ...this.others()], options);
  }

  async collections() {
    const all = [];
    for (const ports of [this.nearest(), ...this.others()]) all.push(...(await listCollections(ports)));
    return all;
  }

  async versions(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return listVersions(this.#kept(id, options.collection), id, options.collection);
  }

  async diff(id: string, options: DiffOptions = {}) {
    checkCall(id, "diff", options);
    return diffVersions(this.#kept(id, options.collection), id, options);
  }

  async restore(id: string, options: RestoreOptions = {}) {
    checkCall(id, "restore", options);
    const holder = this.#kept(id, options.collection);
    return this.#announced(holder, (ports) => restoreDocument(ports, id, options));
  }

  /** The workspace that holds a document. */
  #at(id: string, collection?: string): DocumentPorts {
    return this.#holder((ports) => locate(ports.files, id, collection));
  }

  /** The workspace that holds a document, or its versions if it was deleted. */
  #kept(id: string, collection?: string): DocumentPorts {
    return this.#holder((ports) => locateKept(ports, id, collection));
  }

  /** The nearest workspace in which `find` finds something. Throws what it throws in the nearest of all. */
  #holder(find: (ports: DocumentPorts) => unknown): DocumentPorts {
    const nearest = this.nearest();
    const problem = problemOf(() => find(nearest));
    if (problem === null) return nearest;
    for (const ports of ELSEWHERE.has(problem.code) ? this.others() : []) {
      const there = problemOf(() => find(ports));
      if (there === null) return ports;
      if (!ELSEWHERE.has(there.code)) throw there;
    }
    throw problem;
  }

  async #announced<R extends DocumentRef>(
    ports: DocumentPorts,
    write: (ports: DocumentPorts) => Promise<R> | R,
  ): Promise<R> {
    const done = await write(ports);
    if (ports.origin === this.nearest().origin) await this.changed(done);
    return done;
  }
}

/** Another workspace may have it: only the home workspace has folders, whose documents have slashes in their ids. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set(["not_found", "invalid_name"]);

function problemOf(find: () => unknown): RetainError | null {
  try {
    find();
    return null;
  } catch (error) {
    if (error instanceof RetainError) return error;
    throw error;
  }
}

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  requireText(id, "A document's id");
  checkInput(kind, options);
}
