/**
 * The home workspace's documents plus the folders it reads, each as a collection. The workspace's own come first: a folder can
 * neither hide a collection nor make an id ambiguous.
 */
import type { DocumentRef } from "../core/documents/document.ts";
import { isComponent, isPath } from "../core/documents/names.ts";
import { requireOwn } from "../core/documents/read-only.ts";
import type { DocumentFile, DocumentFiles, DocumentScan } from "../core/ports/documents.ts";
import type { FolderContents, FolderDocuments } from "./folder.ts";

export class DocumentsAndFolders implements DocumentFiles {
  #folders: ReadonlyMap<string, FolderDocuments> | null = null;
  #last: { readonly parts: readonly FolderContents[]; readonly scan: DocumentScan } | null = null;

  constructor(
    private readonly own: DocumentFiles,
    private readonly configured: readonly FolderDocuments[],
    /** The names of the folders in the config now; null if it is unreadable. */
    private readonly namesNow: () => readonly string[] | null,
    private readonly warn: (message: string) => void,
  ) {}

  get root(): string {
    return this.own.root;
  }

  folderOf(collection: string): string | null {
    return this.#byName.get(collection)?.path ?? null;
  }

  addedSince(collection: string): boolean {
    if (this.configured.some(({ name }) => name === collection)) return false;
    return this.namesNow()?.includes(collection) ?? true;
  }

  pathOf(ref: DocumentRef): string {
    return this.#byName.get(ref.collection)?.pathOf(ref.id) ?? this.own.pathOf(ref);
  }

  read(ref: DocumentRef): DocumentFile | null {
    const folder = this.#byName.get(ref.collection);
    if (folder !== undefined) return folder.read(ref.id);
    return isBeyondOwn(ref.id) ? null : this.own.read(ref);
  }

  has(ref: DocumentRef): boolean {
    const folder = this.#byName.get(ref.collection);
    if (folder !== undefined) return folder.has(ref.id);
    return this.own.has(ref);
  }

  holding(id: string): string[] {
    const own = this.own.holding(id);
    if (own.length > 0) return own;
    return [...this.#byName.values()].filter((folder) => folder.has(id)).map(({ name }) => name);
  }

  collections(): string[] {
    return [...this.own.collections(), ...this.#byName.keys()].sort();
  }

  scan(): DocumentScan {
    const own = this.own.scan();
    return this.#joined(
      own,
      [...this.#byName.values()].map((folder) => folder.scan()),
    );
  }

  async scanInSlices(): Promise<DocumentScan> {
    const folders: FolderContents[] = [];
    for (const folder of this.#byName.values()) folders.push(await folder.scanInSlices());
    return this.#joined(await this.own.scanInSlices(), folders);
  }

  #joined(own: DocumentScan, folders: readonly FolderContents[]): DocumentScan {
    if (folders.length === 0) return own;
    const parts = [own, ...folders];
    if (this.#last?.parts.every((part, at) => part === parts[at]) !== true) {
      const found = parts.flatMap((part) => part.found);
      const unreadable = parts.flatMap((part) => part.unreadable);
      this.#last = { parts, scan: { ...own, found, unreadable } };
    }
    return this.#last.scan;
  }

  write(ref: DocumentRef, bytes: Uint8Array, over: Uint8Array | null): DocumentFile {
    requireOwn(this, ref);
    return this.own.write(ref, bytes, over);
  }

  remove(ref: DocumentRef): void {
    requireOwn(this, ref);
    this.own.remove(ref);
  }

  removeLeftovers(paths: readonly string[]): void {
    this.own.removeLeftovers(paths);
  }

  flush(): void {
    this.own.flush();
  }

  get #byName(): ReadonlyMap<string, FolderDocuments> {
    this.#folders ??= this.#withoutNamesakes();
    return this.#folders;
  }

  /** `retain folders add` rejects such a name, but the collection may be created by hand later. */
  #withoutNamesakes(): ReadonlyMap<string, FolderDocuments> {
    if (this.configured.length === 0) return new Map();
    const taken = new Set(this.own.collections());
    for (const { name, path } of this.configured)
      if (taken.has(name))
        this.warn(`The folder ${path} is ignored: '${name}' is already a collection in the workspace.`);
    const free = this.configured.filter(({ name }) => !taken.has(name));
    return new Map(free.map((folder) => [folder.name, folder]));
  }
}

/** Whether only a folder can hold this id; the index may still have it after the folder is removed. */
function isBeyondOwn(id: string): boolean {
  return isPath(id) && !isComponent(id);
}
