/** The documents API. Methods throw RetainError for errors that a caller can fix. */

import type { DocumentRef } from "../core/documents/document.ts";
import { RetainError } from "../core/errors.ts";
import type { VersionStore } from "../core/ports/documents.ts";
import { type DiffOptions, diffVersions, listVersions } from "../documents/history.ts";
import { checkInput, type InputKind } from "../documents/input.ts";
import { type ListOptions, listCollections, listDocuments } from "../documents/list.ts";
import type { DocumentPorts } from "../documents/ports.ts";
import { type PutInput, putDocument } from "../documents/put.ts";
import { type PutSource, putDocuments } from "../documents/put-many.ts";
import { type GetOptions, getDocument, getSource, locate, locateOwn } from "../documents/read.ts";
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
    /** Throws `usage` if the memory is closed. */
    private readonly ports: () => DocumentPorts,
    /** Called for each document stored, changed or removed. */
    private readonly changed: (ref: DocumentRef) => Promise<void>,
  ) {}

  /** How this workspace keeps versions. */
  get versioning(): VersionStore["kind"] {
    return this.ports().versions.kind;
  }

  async put(input: PutInput) {
    return this.#announced(putDocument(this.ports(), input));
  }

  async putMany(sources: readonly PutSource[], progress?: (done: number) => void) {
    const done = await putDocuments(this.ports(), sources, progress);
    for (const written of done.stored) await this.changed(written);
    return done;
  }

  async get(id: string, options: GetOptions = {}) {
    checkCall(id, "get", options);
    return getDocument(this.ports(), id, options);
  }

  /** Finds a document without reading it. Throws like `get`. */
  async locate(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return locate(this.ports().files, id, options.collection);
  }

  /** Like `locate`, for a document to change. Also throws `read_only`. */
  async locateOwn(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return locateOwn(this.ports().files, id, options.collection);
  }

  /** The whole file, including frontmatter. */
  async source(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return getSource(this.ports(), id, options.collection);
  }

  async update(id: string, input: UpdateInput) {
    checkCall(id, "update", input);
    return this.#announced(updateDocument(this.ports(), id, input));
  }

  /** Replaces the whole file, including frontmatter. */
  async rewrite(id: string, text: string, options: RewriteOptions = {}) {
    checkCall(id, "rewrite", options);
    return this.#announced(rewriteDocument(this.ports(), id, text, options));
  }

  async delete(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return this.#announced(deleteDocument(this.ports(), id, options.collection));
  }

  async list(options: ListOptions = {}) {
    checkInput("list", options);
    return listDocuments(this.ports(), options);
  }

  async collections() {
    return listCollections(this.ports());
  }

  async versions(id: string, options: CollectionOption = {}) {
    checkCall(id, "collection", options);
    return listVersions(this.ports(), id, options.collection);
  }

  async diff(id: string, options: DiffOptions = {}) {
    checkCall(id, "diff", options);
    return diffVersions(this.ports(), id, options);
  }

  async restore(id: string, options: RestoreOptions = {}) {
    checkCall(id, "restore", options);
    return this.#announced(restoreDocument(this.ports(), id, options));
  }

  async #announced<R extends DocumentRef>(doing: Promise<R> | R): Promise<R> {
    const done = await doing;
    await this.changed(done);
    return done;
  }
}

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  if (typeof id !== "string")
    throw new RetainError("usage", `A document's id must be a string, not ${typeof id}.`);
  checkInput(kind, options);
}
