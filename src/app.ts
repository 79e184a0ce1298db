/**
 * One Retain: what programs and faces call. Where the current directory, the environment, the home directory and the clock
 * come from unless a caller gives others.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import type { ChatOptions } from "./agent/chat.ts";
import type { ChatFace } from "./agent/events.ts";
import type { MemoryTool } from "./agent/memory-tool.ts";
import type { MemoryToolsOptions } from "./agent/memory-tools/ports.ts";
import type { Reflection } from "./agent/reflect/reflect.ts";
import type { MemoryParts, ReflectRequest } from "./app/memory-ports.ts";
import { Wiring } from "./app/wiring.ts";
import { type Config, loadConfig } from "./config/load.ts";
import type { Settings } from "./config/schema.ts";
import {
  type Choice,
  chooseWorkspace,
  type Scope,
  type Surroundings,
  type Workspace,
} from "./config/workspace.ts";
import type { ContextOptions } from "./context/assemble.ts";
import type { AssembledContext } from "./context/parts.ts";
import { RetainError } from "./core/errors.ts";
import type { Clock, VersionStore } from "./core/ports.ts";
import type { InputHistory } from "./files/input-history.ts";
import { checkDocuments, type DocumentCheck } from "./memory/check-index.ts";
import { type DiffOptions, diffVersions, listVersions } from "./memory/history.ts";
import { rebuildIndex, type SyncCounts, syncIndex } from "./memory/index-sync.ts";
import { checkInput, type InputKind } from "./memory/input.ts";
import { type ListOptions, listCollections, listDocuments } from "./memory/list.ts";
import type { DocumentPorts } from "./memory/ports.ts";
import { type PutInput, putDocument } from "./memory/put.ts";
import { type PutSource, putDocuments } from "./memory/put-many.ts";
import { type GetOptions, getDocument, getSource, locate, locateOwn } from "./memory/read.ts";
import { deleteDocument } from "./memory/remove.ts";
import { type RestoreOptions, restoreDocument } from "./memory/restore.ts";
import { reportUnread } from "./memory/unread.ts";
import { type RewriteOptions, rewriteDocument, type UpdateInput, updateDocument } from "./memory/update.ts";
import type { MigrateOptions } from "./migrate/migrate.ts";
import type { MigrationReport } from "./migrate/report.ts";
import type { EmbedCounts, EmbedWatch } from "./recall/embed-pending.ts";
import type { RecallOptions, ScopedOptions, SearchOptions } from "./recall/search.ts";
import { Memories } from "./retention/memories.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { DatabaseCheck, IndexCounts } from "./sqlite/care.ts";

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
  /** Facts, notes and working memory. */
  readonly memories = new Memories(() => this.#wiring.places());
  /** Stored conversations. */
  readonly sessions = new Sessions(() => this.#wiring.sessionPlaces());
  readonly #joined: Wiring;
  readonly #ports: DocumentPorts;
  readonly #clock: Clock;
  readonly #surroundings: Surroundings;
  #closed = false;

  constructor(
    /** Why this workspace was chosen, and what else there was. */
    readonly choice: Choice,
    readonly config: Config,
    surroundings: Surroundings,
    options: RetainOptions,
  ) {
    this.workspace = choice.workspace;
    const { onWarning: warn = () => {}, clock = () => new Date(), scope = "auto" } = options;
    this.#clock = clock;
    this.#surroundings = surroundings;
    this.#joined = new Wiring({ choice, config, surroundings, scope, clock, warn });
    this.#ports = this.#joined.documentPorts(this.#joined.local);
  }

  /** By its clock. */
  now(): Date {
    return this.#clock();
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
    return this.#search(query, options);
  }

  async #search(query: string, options: ScopedOptions) {
    const { search } = await import("./recall/search.ts");
    return this.#wiring.ask(options, (ports) => search(ports, query, options));
  }

  /** What an agent gets: Markdown within a budget of tokens. Counts as a recall of each memory in it. */
  async recall(query: string, options: RecallOptions = {}) {
    checkQuery(query, "recall", options);
    const { recallContext } = await import("./recall/search.ts");
    return this.#wiring.ask(options, (ports) => recallContext(ports, query, options));
  }

  /** The system prompt for a model, with what went into it. Counts as a recall of each memory that the query brought in. */
  async context(options: ContextOptions = {}): Promise<AssembledContext> {
    checkInput("context", options);
    const { assembleContext } = await import("./context/assemble.ts");
    const { recallFor } = await import("./recall/recall-for.ts");
    const places = { ...this.#wiring.places(), clock: this.#clock };
    return this.#wiring.ask({}, (ports) => assembleContext({ ...places, ...recallFor(ports) }, options));
  }

  /** A conversation with this memory. Throws `not_found`, `ambiguous` or `conflict` for a session, `usage` for a model. */
  async chat(options: ChatOptions): Promise<ChatFace> {
    const { Chat, chatPorts, memoryToolsOf } = await import("./app/agents.ts");
    const parts = this.#memoryParts();
    const { memories, context, clock, choice, config, surroundings } = parts;
    const ports = chatPorts({
      ...this.#wiring.chatPlace(),
      ...{ memories, context, clock, choice, config, surroundings },
      sessions: this.sessions,
      recall: async (query, wanted) => (await this.#search(query, wanted)).hits,
      memoryTools: memoryToolsOf(parts),
    });
    return Chat.open(ports, options);
  }

  /** The tools by which a model uses this memory, for an agent of the caller's own. */
  async memoryTools(options: MemoryToolsOptions = {}): Promise<readonly MemoryTool[]> {
    const { memoryToolsOf } = await import("./app/agents.ts");
    return memoryToolsOf(this.#memoryParts())(options);
  }

  /** An answer written from memory, with its sources. Throws `usage`, `interrupted`. */
  async reflect(query: string, options: ReflectRequest = {}): Promise<Reflection> {
    const { reflectOn } = await import("./app/agents.ts");
    return reflectOn(this.#memoryParts(), query, options);
  }

  #memoryParts(): MemoryParts {
    const { memories, choice, config } = this;
    return {
      wiring: () => this.#wiring,
      documents: this,
      memories,
      context: (wanted) => this.context(wanted),
      clock: this.#clock,
      ...{ choice, config, surroundings: this.#surroundings },
    };
  }

  /** What was typed in chats before. */
  async inputHistory(): Promise<InputHistory> {
    const { inputHistory } = await import("./files/input-history.ts");
    return inputHistory(this.choice.home.root);
  }

  /** Takes over another system's memory from a directory, which is only read. */
  async migrate(directory: string, options: MigrateOptions = {}): Promise<MigrationReport> {
    const { migrate } = await import("./migrate/migrate.ts");
    return migrate(this.#wiring.migrationPorts(), directory, options);
  }

  /** Takes in what changed on disk. */
  async sync(): Promise<SyncCounts> {
    const counts = { changed: 0, removed: 0 };
    for (const workspace of this.#wiring.readWorkspaces()) {
      const ports = this.#wiring.documentPorts(workspace);
      const { changed, removed, unread } = await syncIndex(ports);
      reportUnread(ports, unread);
      await this.#wiring.syncMemories(workspace);
      counts.changed += changed;
      counts.removed += removed;
    }
    return counts;
  }

  /** Whether there is nothing that a search could find. */
  isEmpty(): boolean {
    return this.#wiring.readWorkspaces().every(({ care }) => {
      const { documents, chunks } = care.counts();
      return documents + chunks === 0;
    });
  }

  /** Where documents are read from, as far as it exists. */
  directories(): string[] {
    return this.#wiring
      .readWorkspaces()
      .flatMap(({ directories }) => directories)
      .filter((directory) => existsSync(directory));
  }

  /** The model that makes vectors, once it has made one; null where vectors are switched off. Throws `embedding`. */
  async tryModel(): Promise<{ name: string; dimensions: number } | null> {
    const [embedder] = this.#wiring.models();
    if (embedder === undefined) return null;
    const [vector] = await embedder.embed(["memory"]);
    return { name: embedder.model, dimensions: vector?.length ?? 0 };
  }

  /** Takes in what changed on disk, and gives every memory that waits for them its vectors. */
  async embed(watch: EmbedWatch = {}): Promise<EmbedResult> {
    const taken = await this.sync();
    const { embedAll } = await import("./recall/embed-pending.ts");
    const queues = this.#wiring.readWorkspaces().map(({ queue }) => queue);
    return { ...taken, ...(await embedAll(queues, this.#wiring.models()[0] ?? null, this.#clock, watch)) };
  }

  /** Builds the index anew from the files; conversations, which live in the database, are indexed again too. */
  async reindex(): Promise<IndexCounts> {
    const ports = this.#live;
    const { care } = this.#wiring.local;
    const { takeIn } = await import("./retention/take-in.ts");
    await rebuildIndex(ports, () => {
      care.clear();
      takeIn(this.#wiring.retention(this.#wiring.local), true);
    });
    return care.counts();
  }

  /** What is in the index, and what is wrong with it. */
  async checkIndex(): Promise<IndexCheck> {
    const { care } = this.#wiring.local;
    const documents = await checkDocuments(this.#live, (source) => care.partsOf(source));
    await this.#wiring.syncMemories(this.#wiring.local);
    return { ...documents, ...care.check(), counts: care.counts() };
  }

  /** Lets go of the database. Calls after this throw `usage`. */
  close(): void {
    this.#closed = true;
    this.#joined.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #live(): DocumentPorts {
    if (this.#closed)
      throw new RetainError("usage", "This Retain is closed.", "Open another one: openRetain()");
    return this.#ports;
  }

  /** Throws `usage` where it is closed. */
  get #wiring(): Wiring {
    void this.#live;
    return this.#joined;
  }
}

/** Which collection, where several hold an id. */
export interface Place {
  collection?: string;
}

export interface EmbedResult extends SyncCounts, EmbedCounts {}

export interface IndexCheck extends DocumentCheck, DatabaseCheck {
  readonly counts: IndexCounts;
}

function checkQuery(query: unknown, kind: InputKind, options: unknown): void {
  if (typeof query !== "string") throw new RetainError("usage", `A query is a text, not ${typeof query}.`);
  checkInput(kind, options);
}

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  if (typeof id !== "string") throw new RetainError("usage", `A document's id is a text, not ${typeof id}.`);
  checkInput(kind, options);
}
