/**
 * Joins the adapters into one Retain: the only file that names concrete adapters, and where the current directory, the
 * environment, the home directory and the clock come from unless a caller gives others.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { LocalWorkspace } from "./backends/local.ts";
import { cacheDirectory } from "./config/cache.ts";
import { type Config, loadConfig } from "./config/load.ts";
import type { Settings } from "./config/schema.ts";
import {
  type Choice,
  chooseWorkspace,
  type Scope,
  type Surroundings,
  type Workspace,
} from "./config/workspace.ts";
import { RetainError } from "./core/errors.ts";
import { documentSource } from "./core/memory.ts";
import type { Clock, Embedder, VersionStore } from "./core/ports.ts";
import { openEmbedder } from "./embed/open.ts";
import { type DiffOptions, diffVersions, listVersions } from "./memory/history.ts";
import { rebuildIndex, type SyncCounts, syncIndex } from "./memory/index-sync.ts";
import { checkInput, type InputKind } from "./memory/input.ts";
import { type ListOptions, listCollections, listDocuments, reportMissing } from "./memory/list.ts";
import type { DocumentPorts } from "./memory/ports.ts";
import { type PutInput, putDocument } from "./memory/put.ts";
import { type PutSource, putDocuments } from "./memory/put-many.ts";
import { type GetOptions, getDocument, getSource, locate, locateOwn } from "./memory/read.ts";
import { deleteDocument } from "./memory/remove.ts";
import { type RestoreOptions, restoreDocument } from "./memory/restore.ts";
import { type RewriteOptions, rewriteDocument, type UpdateInput, updateDocument } from "./memory/update.ts";
import type { RecallPorts, RecallWorkspace } from "./recall/ports.ts";
import type { RecallOptions, SearchOptions } from "./recall/search.ts";
import type { IndexCounts } from "./sqlite/care.ts";

export interface RetainOptions {
  /** Where to look for a project. By default the process's current directory. */
  cwd?: string;
  /** "auto" (default) takes the project's workspace inside a project, else the home workspace. */
  scope?: Scope;
  /** Settings for this Retain alone, over environment and config files. */
  settings?: Partial<Omit<Settings, "enabled" | "path">>;
  env?: Readonly<Record<string, string | undefined>>;
  homeDirectory?: string;
  clock?: Clock;
  /** Told what went on although something was amiss. By default nobody is. */
  onWarning?: (message: string) => void;
}

/** Opens the memory for a directory. Nothing is created before the first write. */
export function openRetain(options: RetainOptions = {}): Retain {
  const surroundings = surroundingsOf(options);
  const choice = chooseWorkspace(surroundings, options.scope ?? "auto");
  return new Retain(choice, loadConfig(choice, surroundings.env, options.settings), surroundings, options);
}

export function surroundingsOf(options: RetainOptions): Surroundings {
  return {
    cwd: options.cwd ?? currentDirectory(),
    env: options.env ?? process.env,
    homeDirectory: options.homeDirectory ?? homedir(),
    userId: process.getuid?.() ?? null,
  };
}

function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new RetainError(
      "io",
      "The current directory does not exist any more.",
      "Go to one that does: cd ~",
    );
  }
}

/** One workspace's memory. Methods throw RetainError for what a caller can mend. */
export class Retain {
  readonly workspace: Workspace;
  readonly #ports: DocumentPorts;
  readonly #local: LocalWorkspace;
  readonly #warn: (message: string) => void;
  readonly #clock: Clock;
  readonly #surroundings: Surroundings;
  readonly #scope: Scope;
  /** The home workspace beside a project's, once a search has read it. */
  #home: LocalWorkspace | null = null;
  #embedders: Embedder[] | null = null;
  #closed = false;

  constructor(
    /** Why this workspace was chosen, and what else there was. */
    readonly choice: Choice,
    readonly config: Config,
    surroundings: Surroundings,
    options: RetainOptions,
  ) {
    this.workspace = choice.workspace;
    this.#warn = options.onWarning ?? (() => {});
    this.#clock = options.clock ?? (() => new Date());
    this.#surroundings = surroundings;
    this.#scope = options.scope ?? "auto";
    this.#local = this.#open(this.workspace);
    this.#ports = this.#documentPorts(this.#local);
  }

  /** Who keeps this workspace's versions. */
  get versioning(): VersionStore["kind"] {
    return this.#ports.versions.kind;
  }

  async put(input: PutInput) {
    return putDocument(this.#live, input);
  }

  async putMany(sources: readonly PutSource[], progress?: (done: number) => void) {
    return putDocuments(this.#live, sources, progress);
  }

  async get(id: string, options: GetOptions = {}) {
    checkCall(id, "get", options);
    return getDocument(this.#live, id, options);
  }

  /** Where a document is, without reading it. Throws as `get`. */
  async locate(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return locate(this.#live.files, id, options.collection);
  }

  /** As `locate`, for a document that is to be changed. Throws `read_only` too. */
  async locateOwn(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return locateOwn(this.#live.files, id, options.collection);
  }

  /** The whole file as text, frontmatter included. */
  async source(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return getSource(this.#live, id, options.collection);
  }

  async update(id: string, input: UpdateInput) {
    checkCall(id, "update", input);
    return updateDocument(this.#live, id, input);
  }

  /** Replaces the whole file, frontmatter included. */
  async rewrite(id: string, text: string, options: RewriteOptions = {}) {
    checkCall(id, "rewrite", options);
    return rewriteDocument(this.#live, id, text, options);
  }

  async delete(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return deleteDocument(this.#live, id, options.collection);
  }

  async list(options: ListOptions = {}) {
    checkInput("list", options);
    return listDocuments(this.#live, options);
  }

  async collections() {
    return listCollections(this.#live);
  }

  async versions(id: string, options: Place = {}) {
    checkCall(id, "place", options);
    return listVersions(this.#live, id, options.collection);
  }

  async diff(id: string, options: DiffOptions = {}) {
    checkCall(id, "diff", options);
    return diffVersions(this.#live, id, options);
  }

  async restore(id: string, options: RestoreOptions = {}) {
    checkCall(id, "restore", options);
    return restoreDocument(this.#live, id, options);
  }

  /** Memories that answer, best first: of the project and of the home workspace, unless the scope names one. */
  async search(query: string, options: SearchOptions = {}) {
    checkQuery(query, "search", options);
    const { search } = await import("./recall/search.ts");
    return this.#ask(options, (ports) => search(ports, query, options));
  }

  /** What an agent gets: Markdown within a budget of tokens. Counts as a recall of each memory in it. */
  async recall(query: string, options: RecallOptions = {}) {
    checkQuery(query, "recall", options);
    const { recallContext } = await import("./recall/search.ts");
    return this.#ask(options, (ports) => recallContext(ports, query, options));
  }

  /** Takes in what changed on disk. */
  async sync(): Promise<SyncCounts> {
    const counts = { changed: 0, removed: 0 };
    for (const workspace of this.#readWorkspaces()) {
      const { changed, removed } = await syncIndex(this.#documentPorts(workspace));
      counts.changed += changed;
      counts.removed += removed;
    }
    return counts;
  }

  /** Where documents are read from, as far as it exists. */
  directories(): string[] {
    return this.#readWorkspaces()
      .flatMap(({ directories }) => directories)
      .filter((directory) => existsSync(directory));
  }

  /** The model that makes vectors, once it has made one; null where vectors are switched off. Throws `embedding`. */
  async tryModel(): Promise<{ name: string; dimensions: number } | null> {
    const [embedder] = this.#live && this.#models();
    if (embedder === undefined) return null;
    const [vector] = await embedder.embed(["memory"]);
    return { name: embedder.model, dimensions: vector?.length ?? 0 };
  }

  /** Gives every memory that waits for them its vectors. */
  async embed(watch: EmbedWatch = {}): Promise<EmbedResult> {
    await this.sync();
    const { embedPending } = await import("./recall/embed-pending.ts");
    const [embedder] = this.#models();
    const workspaces = this.#readWorkspaces();
    const count = () => workspaces.reduce((sum, { queue }) => sum + queue.count(), 0);
    if (embedder === undefined) return { embedded: 0, waiting: count(), model: null };
    for (const { queue } of workspaces) await queue.useModel(embedder.model);
    watch.begin?.(count());
    let embedded = 0;
    for (const { queue } of workspaces) {
      const before = embedded;
      const progress = (done: number) => watch.progress?.(before + done);
      embedded += (await embedPending(queue, embedder, this.#clock, { progress })).done;
    }
    return { embedded, waiting: count(), model: embedder.model };
  }

  /** Builds the index anew from the files; conversations, which live in the database, are indexed again too. */
  async reindex(): Promise<IndexCounts> {
    const ports = this.#live;
    const { care } = this.#local;
    await rebuildIndex(ports, () => care.clear());
    return care.counts();
  }

  /** What is in the index, and what is wrong with it. */
  async checkIndex(): Promise<{ counts: IndexCounts; problems: string[] }> {
    await syncIndex(this.#live);
    return { counts: this.#local.care.counts(), problems: await this.#local.care.problems() };
  }

  /** Lets go of the database. Calls after this throw `usage`. */
  close(): void {
    this.#closed = true;
    this.#local.close();
    this.#home?.close();
    for (const embedder of this.#embedders ?? []) embedder.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #open(workspace: Workspace): LocalWorkspace {
    return new LocalWorkspace(workspace, {
      settings: this.config.settings,
      surroundings: this.#surroundings,
      warn: this.#warn,
    });
  }

  #documentPorts({ files, lock, index, memories, versions }: LocalWorkspace): DocumentPorts {
    const { settings } = this.config;
    return { files, lock, index, memories, versions, settings, clock: this.#clock, warn: this.#warn };
  }

  /** Search and recall read the project and the home workspace together. */
  #readWorkspaces(): LocalWorkspace[] {
    if (this.#live && (this.workspace.kind === "home" || this.#scope !== "auto")) return [this.#local];
    this.#home ??= this.#open(this.choice.home);
    return [this.#local, this.#home];
  }

  /** The configured model; MiniLM beside an endpoint, for vectors that it has not replaced yet. */
  #models(): Embedder[] {
    const { settings } = this.config;
    if (this.#embedders !== null) return this.#embedders;
    const surroundings = { cacheDirectory: cacheDirectory(this.#surroundings), warn: this.#warn };
    const { embedding, embedding_url, embedding_model } = settings;
    const embedding_key = this.#surroundings.env[settings.embedding_key_env] ?? "";
    const kinds = embedding === "endpoint" ? (["endpoint", "minilm"] as const) : [embedding];
    this.#embedders = kinds.flatMap((kind) => {
      const wanted = { embedding: kind, embedding_url, embedding_model, embedding_key };
      return openEmbedder(wanted, surroundings) ?? [];
    });
    return this.#embedders;
  }

  /** Asks once more where a damaged database was set aside meanwhile: its rows are there by then. */
  async #ask<T>(options: SearchOptions, ask: (ports: RecallPorts) => Promise<T>): Promise<T> {
    const rebuilds = () => this.#readWorkspaces().reduce((sum, { lock }) => sum + lock.rebuilds, 0);
    const before = rebuilds();
    const answer = await ask(await this.#recallPorts(options));
    return rebuilds() === before ? answer : ask(await this.#recallPorts(options));
  }

  /** Brings what is read up to date, and says which documents of each workspace pass the filters. */
  async #recallPorts({ filters = [], collection, mode }: SearchOptions): Promise<RecallPorts> {
    const workspaces: RecallWorkspace[] = [];
    for (const local of this.#readWorkspaces()) {
      const ports = this.#documentPorts(local);
      const passing = filters.length === 0 ? await syncIndex(ports) : await listDocuments(ports, { filters });
      const { place, search, queue, log } = local;
      const documents = "documents" in passing ? { documents: passing.documents.map(documentSource) } : {};
      workspaces.push({ place, search, queue, log, ...documents });
    }
    if (collection !== undefined)
      reportMissing(
        this.#readWorkspaces().map((local) => this.#documentPorts(local)),
        collection,
      );
    const embedders = mode === "text" ? [] : this.#models();
    return { workspaces, embedders, clock: this.#clock, warn: this.#warn };
  }

  get #live(): DocumentPorts {
    if (this.#closed)
      throw new RetainError("usage", "This Retain is closed.", "Open another one: openRetain()");
    return this.#ports;
  }
}

/** Which collection, where several hold an id. */
export interface Place {
  collection?: string;
}

export interface EmbedWatch {
  /** Told once, how many wait. */
  begin?(waiting: number): void;
  progress?(done: number): void;
}

export interface EmbedResult {
  readonly embedded: number;
  /** Still waiting: another process works on these. */
  readonly waiting: number;
  /** null where vectors are switched off. */
  readonly model: string | null;
}

function checkQuery(query: unknown, kind: InputKind, options: unknown): void {
  if (typeof query !== "string") throw new RetainError("usage", `A query is a text, not ${typeof query}.`);
  checkInput(kind, options);
}

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  if (typeof id !== "string") throw new RetainError("usage", `A document's id is a text, not ${typeof id}.`);
  checkInput(kind, options);
}
