/** The verbs on documents, as programs and faces call them. Methods throw RetainError for what a caller can mend. */

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

/** Which collection, where several hold an id. */
export interface Place {
  collection?: string;
}

export abstract class Documents {
  /** Throws `usage` where the memory is closed. */
  protected abstract get live(): DocumentPorts;
  /** Told of each document that was stored, changed or removed. */
  protected abstract changed(ref: DocumentRef): Promise<void>;

  /** Who keeps this workspace's versions. */
  get versioning(): VersionStore["kind"] {
    return this.live.versions.kind;
  }

  async put(input: PutInput) {
    return this.#told(putDocument(this.live, input));
  }

  async putMany(sources: readonly PutSource[], progress?: (done: number) => void) {
    const done = await putDocuments(this.live, sources, progress);
    for (const written of done.stored) await this.changed(written);
    return done;
  }

  async get(id: string, options: GetOptions = {}) {
    checkCall(id, "get", options);
    return getDocument(this.live, id, options);
  }

  /** Where a document is, without reading it. Throws as `get`. */
  async locate(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return locate(this.live.files, id, options.collection);
  }

  /** As `locate`, for a document that is to be changed. Throws `read_only` too. */
  async locateOwn(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return locateOwn(this.live.files, id, options.collection);
  }

  /** The whole file as text, frontmatter included. */
  async source(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return getSource(this.live, id, options.collection);
  }

  async update(id: string, input: UpdateInput) {
    checkCall(id, "update", input);
    return this.#told(updateDocument(this.live, id, input));
  }

  /** Replaces the whole file, frontmatter included. */
  async rewrite(id: string, text: string, options: RewriteOptions = {}) {
    checkCall(id, "rewrite", options);
    return this.#told(rewriteDocument(this.live, id, text, options));
  }

  async delete(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return this.#told(deleteDocument(this.live, id, options.collection));
  }

  async list(options: ListOptions = {}) {
    checkInput("list", options);
    return listDocuments(this.live, options);
  }

  async collections() {
    return listCollections(this.live);
  }

  async versions(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return listVersions(this.live, id, options.collection);
  }

  async diff(id: string, options: DiffOptions = {}) {
    checkCall(id, "diff", options);
    return diffVersions(this.live, id, options);
  }

  async restore(id: string, options: RestoreOptions = {}) {
    checkCall(id, "restore", options);
    return this.#told(restoreDocument(this.live, id, options));
  }

  async #told<R extends DocumentRef>(doing: Promise<R> | R): Promise<R> {
    const done = await doing;
    await this.changed(done);
    return done;
  }
}

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  if (typeof id !== "string") throw new RetainError("usage", `A document's id is a text, not ${typeof id}.`);
  checkInput(kind, options);
}
