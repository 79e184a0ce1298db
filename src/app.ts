/**
 * One Retain: what programs and faces call. Where the current directory, the environment, the home directory and the clock
 * come from unless a caller gives others.
 */
import { existsSync } from "node:fs";
import type { ChatOptions } from "./agent/chat.ts";
import type { ChatFace } from "./agent/events.ts";
import type { MemoryTool } from "./agent/memory-tool.ts";
import type { MemoryToolsOptions } from "./agent/memory-tools/ports.ts";
import { isProjects } from "./agent/mental-models/built-in.ts";
import type { Reflection } from "./agent/reflect/reflect.ts";
import type { DeepCheck, IndexCheck } from "./app/check-index.ts";
import type { ClearedWorkspace } from "./app/clear-workspace.ts";
import { Documents } from "./app/documents.ts";
import type { Identified } from "./app/find-by-id.ts";
import type { Learning, LearningStatus } from "./app/learning.ts";
import type { MemoryParts, ReflectRequest } from "./app/memory-ports.ts";
import { LazyMentalModels } from "./app/mental-models.ts";
import { surroundingsOf } from "./app/surroundings.ts";
import type { WaitingElsewhere } from "./app/waiting-elsewhere.ts";
import { Wiring } from "./app/wiring.ts";
import type { Config } from "./config/load.ts";
import { resolveWorkspace } from "./config/resolve-workspace.ts";
import type { Settings } from "./config/schema.ts";
import type { Choice, Scope, Surroundings, Workspace } from "./config/workspace.ts";
import type { ContextOptions } from "./context/assemble.ts";
import type { AssembledContext } from "./context/parts.ts";
import type { FirstShown } from "./context/ports.ts";
import { RetainError } from "./core/errors.ts";
import type { Incident } from "./core/incidents.ts";
import type { BackendStatus, Cleared, MemoryBackend } from "./core/ports/backend.ts";
import type { Clock } from "./core/ports/documents.ts";
import { rebuildIndex, type SyncCounts, syncIndex } from "./documents/index-sync.ts";
import { checkInput, type InputKind } from "./documents/input.ts";
import type { DocumentPorts } from "./documents/ports.ts";
import type { GetOptions } from "./documents/read.ts";
import { reportUnread } from "./documents/unread.ts";
import { Facts } from "./facts/facts.ts";
import { IncidentFile, type OpenIncidents } from "./files/incidents.ts";
import type { InputHistory } from "./files/input-history.ts";
import type { MigrateOptions } from "./migrate/migrate.ts";
import type { MigrationReport } from "./migrate/report.ts";
import type { EmbedCounts, EmbedWatch } from "./recall/embed-pending.ts";
import type { RecallOptions, ScopedOptions, SearchOptions } from "./recall/search.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { IndexCounts } from "./sqlite/database/care.ts";

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
  /** A place of the program's own that holds memory, instead of what `memory_backend` says. */
  backend?: MemoryBackend;
  /** Told what went on although something was amiss. By default nobody is. */
  onWarning?: (message: string) => void;
}

/** Opens the memory for a directory. Nothing is created before the first write. */
export function openRetain(options: RetainOptions = {}): Retain {
  const surroundings = surroundingsOf(options);
  const { choice, config } = resolveWorkspace(surroundings, options.scope ?? "auto", options.settings);
  return new Retain(choice, config, surroundings, options);
}

/** One workspace's memory. Methods throw RetainError for what a caller can mend. */
export class Retain {
  readonly workspace: Workspace;
  readonly documents = new Documents(
    () => this.#live,
    () => this.#wiring.otherDocuments(),
    async (ref) => this.#joined.documentCopies?.changed(ref),
  );
  /** Facts, notes and working memory. */
  readonly facts = new Facts(() => this.#wiring.factWorkspaces());
  /** Stored conversations. */
  readonly sessions = new Sessions(() => this.#wiring.sessionWorkspaces());
  /** Standing questions, and the answers that are put into every context. */
  readonly mentalModels = new LazyMentalModels(async () => {
    const { modelsOf } = await import("./app/agents.ts");
    return modelsOf(this.#memoryParts());
  });
  readonly #joined: Wiring;
  readonly #ports: DocumentPorts;
  readonly #clock: Clock;
  readonly #surroundings: Surroundings;
  /** Whose memory this is a handle on; null where it is its own. */
  readonly #parent: Retain | null;
  #closed = false;

  constructor(
    /** Why this workspace was chosen, and what else there was. */
    readonly choice: Choice,
    readonly config: Config,
    surroundings: Surroundings,
    options: RetainOptions,
    parent: Retain | null = null,
  ) {
    this.workspace = choice.workspace;
    const { onWarning: warn = () => {}, clock = () => new Date(), scope = "auto", backend } = options;
    this.#clock = clock;
    this.#surroundings = surroundings;
    this.#parent = parent;
    const own = () => new Wiring({ choice, config, surroundings, scope, clock, warn, backend });
    this.#joined = parent === null ? own() : parent.#wiring;
    this.#ports = this.#joined.documentPorts(this.#joined.local);
  }

  /** `memory_backend: off`: nothing is stored or recalled. */
  get isOff(): boolean {
    return this.#wiring.isOff;
  }

  /** By its clock. */
  now(): Date {
    return this.#clock();
  }

  /** Memories that answer, best first: of the project and of the home workspace, unless the scope names one. */
  async search(query: string, options: SearchOptions = {}) {
    checkQuery(query, "search", options);
    return this.#search(query, options);
  }

  async #search(query: string, options: ScopedOptions) {
    const { search } = await import("./recall/search.ts");
    return this.#wiring.ask(options, (ports, asked) => search(ports, query, asked));
  }

  /** What an id names, whatever command printed it. Throws `not_found`, `ambiguous`. */
  async find(id: string, options: GetOptions = {}): Promise<Identified> {
    const { findById } = await import("./app/find-by-id.ts");
    return findById(this, id, options);
  }

  /** What an agent gets: Markdown within a budget of tokens. Counts as a recall of each memory in it. */
  async recall(query: string, options: RecallOptions = {}) {
    checkQuery(query, "recall", options);
    const { recallContext } = await import("./recall/search.ts");
    return this.#wiring.ask(options, (ports, asked) => recallContext(ports, query, asked));
  }

  /** The system prompt for a model, with what went into it. Counts as a recall of each memory that the query brought in. */
  async context(options: ContextOptions = {}, firstShown?: FirstShown): Promise<AssembledContext> {
    checkInput("context", options);
    const { assembleContext } = await import("./context/assemble.ts");
    const { recallFor } = await import("./recall/recall-for.ts");
    const { isOff } = this.#wiring;
    const hides = this.workspace.kind === "project" && { hidesFromHome: isProjects };
    const places = { ...this.#wiring.factWorkspaces(), clock: this.#clock, isOff, firstShown, ...hides };
    return this.#wiring.ask({}, (ports) => assembleContext({ ...places, ...recallFor(ports) }, options));
  }

  /** A conversation with this memory. Throws `not_found`, `ambiguous` or `conflict` for a session, `usage` for a model. */
  async chat(options: ChatOptions): Promise<ChatFace> {
    const { Chat, chatModelsOf, chatPorts, Learning, memoryToolsOf } = await import("./app/agents.ts");
    const parts = this.#memoryParts();
    const { facts, context, clock, choice, config, surroundings } = parts;
    const ports = chatPorts({
      ...this.#wiring.chatWorkspace(),
      ...{ facts, context, clock, choice, config, surroundings },
      sessions: this.sessions,
      recall: async (query, wanted) => (this.#wiring.isOff ? [] : (await this.#search(query, wanted)).hits),
      memoryTools: memoryToolsOf(parts),
      mentalModels: chatModelsOf(parts),
      learning: new Learning(parts).ports(),
      keepEpisode: this.#wiring.remote?.keepEpisode ?? null,
      onUnread: (listener) => this.#wiring.onUnread(listener),
      incidents: () => this.incidents().incidents,
      turnEnded: () => void this.#wiring.remote?.flush(),
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

  /** Lets a model read finished conversations and note facts, as far as the settings allow it. */
  async learning(): Promise<Learning> {
    const { Learning } = await import("./app/agents.ts");
    return new Learning(this.#memoryParts());
  }

  /** Starts learning in the background where turns are due. The other process reads config files, not `RetainOptions.settings`. */
  async startLearning(): Promise<void> {
    if (this.config.settings.learning_model !== "") (await this.learning()).wake();
  }

  #memoryParts(): MemoryParts {
    const { facts, choice, config } = this;
    return {
      wiring: () => this.#wiring,
      documents: this.documents,
      facts,
      context: (wanted, firstShown) => this.context(wanted, firstShown),
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
      await this.#wiring.syncFacts(workspace);
      counts.changed += changed;
      counts.removed += removed;
    }
    return counts;
  }

  /** Whether there is nothing that a search could find; what a bank elsewhere holds is not known. */
  isEmpty(): boolean {
    if (this.#wiring.remote !== null) return false;
    return this.#wiring.readWorkspaces().every(({ care }) => {
      const { documents, chunks } = care.counts();
      return documents + chunks === 0;
    });
  }

  /** The directory that holds the workspace's conversations, a file each. */
  get conversations(): string {
    return this.#wiring.local.sessions.directory;
  }

  /** Where documents are read from, as far as it exists. */
  directories(): string[] {
    return this.#wiring
      .readWorkspaces()
      .flatMap(({ directories }) => directories)
      .filter((directory) => existsSync(directory));
  }

  /** The model that makes vectors, once it has made one; null where vectors are switched off. Throws `embedding`. */
  async probeEmbedder(): Promise<{ name: string; dimensions: number } | null> {
    const [embedder] = this.#wiring.embedders();
    if (embedder === undefined) return null;
    const [vector] = await embedder.embed(["memory"]);
    return { name: embedder.model, dimensions: vector?.length ?? 0 };
  }

  /** Takes in what changed on disk, and gives every memory that waits for them its vectors. */
  async embed(watch: EmbedWatch = {}): Promise<EmbedResult> {
    const taken = await this.sync();
    const { embedAll } = await import("./recall/embed-pending.ts");
    const queues = this.#wiring.readWorkspaces().map(({ queue }) => queue);
    return { ...taken, ...(await embedAll(queues, this.#wiring.embedders()[0] ?? null, this.#clock, watch)) };
  }

  /** Builds the index anew from the files. */
  async reindex(): Promise<IndexCounts> {
    const ports = this.#live;
    const { care, sessions } = this.#wiring.local;
    const { syncFacts } = await import("./facts/sync/sync-facts.ts");
    await rebuildIndex(ports, () => {
      care.clear();
      syncFacts(this.#wiring.factPorts(this.#wiring.local), true);
    });
    sessions.rebuild();
    await this.#wiring.purge(this.#wiring.local);
    return care.counts();
  }

  /** What is in the index, and what is wrong with it and with the memory files. */
  async checkIndex(): Promise<IndexCheck> {
    const { checkIndex } = await import("./app/check-index.ts");
    return checkIndex(this.#wiring);
  }

  /** Reads every file of the workspaces that are searched, and compares the index with them. */
  async checkDeep(): Promise<DeepCheck[]> {
    const { checkDeep } = await import("./app/check-index.ts");
    return checkDeep(this.#wiring);
  }

  /** What is held where, and what waits to be sent. */
  async status(): Promise<MemoryStatus> {
    const wiring = this.#wiring;
    const { spoolsIn } = await import("./app/remote-for.ts");
    const { waitingElsewhere } = await import("./app/waiting-elsewhere.ts");
    await wiring.syncFacts(wiring.local);
    const { kind, root } = this.workspace;
    const backend = await (await this.backend()).status();
    const elsewhere = waitingElsewhere(spoolsIn(this.choice.home), wiring.remote?.spool ?? null);
    const learning = (await this.learning()).status();
    const counts = wiring.local.care.counts();
    const { incidents } = this.incidents();
    return { workspace: { kind, root }, counts, backend, elsewhere, learning, incidents };
  }

  /** Damage, failed writes and the like, of all workspaces, that no person has acknowledged. */
  incidents(): OpenIncidents {
    return new IncidentFile(this.choice.home.root).open();
  }

  /** Who holds memory, as the settings or `RetainOptions.backend` say. */
  async backend(): Promise<MemoryBackend> {
    const { backendOf } = await import("./app/backend-of.ts");
    const own = new Documents(
      () => this.#live,
      () => [],
      async () => {},
    );
    return backendOf(this.#wiring, {
      facts: this.facts,
      documents: own,
      workspace: this.workspace,
      search: (query, options) => this.search(query, options),
      clearWorkspace: () => this.clearWorkspace(),
    });
  }

  /** As `flush`, with what was refused before. */
  async send(ms?: number): Promise<void> {
    await this.#wiring.remote?.send(ms);
  }

  /** Sends what waits for a bank elsewhere, for two seconds at most by default; what is left is sent later. */
  async flush(ms?: number): Promise<void> {
    await this.#joined.remote?.flush(ms);
  }

  /** Removes all memory of this workspace, once a backup of it is made. Whether that is meant, the caller has asked. */
  async clearWorkspace(): Promise<ClearedWorkspace> {
    const { clearWorkspace } = await import("./app/clear-workspace.ts");
    const wiring = this.#wiring;
    return clearWorkspace(this.workspace, wiring.local, wiring.sessionWorkspaces(), this.#clock());
  }

  /**
   * Has the backend empty itself as far as it can from here, its cached answers included; the one on this machine does as
   * `clearWorkspace`. Whether that is meant, the caller has asked.
   */
  async emptyBackend(): Promise<Cleared> {
    const { emptyBackend } = await import("./app/empty-backend.ts");
    return emptyBackend(await this.backend(), this.#wiring.factWorkspaces().read, this.#clock());
  }

  /** Another handle on this memory, for a sub-agent: closing it closes nothing else, and it ends with this one. */
  child(): Retain {
    return new Retain(this.choice, this.config, this.#surroundings, { clock: this.#clock }, this);
  }

  /** Lets go of the database. Calls after this throw `usage`. */
  close(): void {
    this.#closed = true;
    if (this.#parent === null) this.#joined.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get #live(): DocumentPorts {
    if (this.#isClosed)
      throw new RetainError("usage", "This Retain is closed.", "Open another one: openRetain()");
    return this.#ports;
  }

  get #isClosed(): boolean {
    const parent = this.#parent;
    return this.#closed || parent === null ? this.#closed : parent.#isClosed;
  }

  /** Throws `usage` where it is closed. */
  get #wiring(): Wiring {
    void this.#live;
    return this.#joined;
  }
}

export interface MemoryStatus {
  readonly workspace: Pick<Workspace, "kind" | "root">;
  /** What this machine's index holds. */
  readonly counts: IndexCounts;
  readonly backend: BackendStatus;
  /** What waits for banks that are not in use here. */
  readonly elsewhere: readonly WaitingElsewhere[];
  readonly learning: LearningStatus;
  /** Not acknowledged, oldest first. */
  readonly incidents: readonly Incident[];
}

export interface EmbedResult extends SyncCounts, EmbedCounts {}

function checkQuery(query: unknown, kind: InputKind, options: unknown): void {
  if (typeof query !== "string") throw new RetainError("usage", `A query is a text, not ${typeof query}.`);
  checkInput(kind, options);
}
