/**
 * The Retain class: the API for programs and for the CLI, chat and MCP server. The current directory, environment, home directory
 * and clock are the process's unless the caller passes others.
 */
import type { FileList } from "./agent/attachments/file-list.ts";
import type { ChatOptions } from "./agent/chat.ts";
import type { ChatFace } from "./agent/events.ts";
import type { MemoryTool } from "./agent/memory-tool.ts";
import type { MemoryToolsOptions } from "./agent/memory-tools/ports.ts";
import type { MentalModels } from "./agent/mental-models/models.ts";
import type { Reflection } from "./agent/reflect/reflect.ts";
import { openLearning } from "./app/agent/learning-service.ts";
import type { MemoryParts, ReflectRequest } from "./app/agent/memory-ports.ts";
import { ServerModels } from "./app/agent/server-models.ts";
import type { ClearedWorkspace } from "./app/clear-workspace.ts";
import { Documents } from "./app/documents.ts";
import type { Identified } from "./app/find-by-id.ts";
import type { Forgettable } from "./app/forget-found.ts";
import { Handle } from "./app/handle.ts";
import type { HostedVectors } from "./app/hosted/hosted-vectors.ts";
import { SearchIndex } from "./app/index/search-index.ts";
import type { MemoryList } from "./app/memory-list.ts";
import type { Overview } from "./app/overview.ts";
import { type ResolvedOptions, type RetainOptions, resolveOptions } from "./app/retain-options.ts";
import type { FoundSessions, SessionSearchOptions } from "./app/search-sessions.ts";
import type { MemoryStatus } from "./app/status.ts";
import { Uploads } from "./app/uploads.ts";
import { Wiring } from "./app/wiring.ts";
import type { Config } from "./config/load.ts";
import type { Choice, Workspace } from "./config/workspace.ts";
import type { ContextOptions } from "./context/assemble.ts";
import type { AssembledContext } from "./context/parts.ts";
import type { FirstShown } from "./context/ports.ts";
import { requireText } from "./core/errors.ts";
import type { Cleared, MemoryBackend } from "./core/ports/backend.ts";
import { checkInput } from "./documents/input.ts";
import type { GetOptions } from "./documents/read.ts";
import { Facts } from "./facts/facts.ts";
import type { Forgotten } from "./facts/forget/forget.ts";
import type { MigrateOptions } from "./migrate/migrate.ts";
import type { MigrationReport } from "./migrate/report.ts";
import type { RecallOptions, SearchOptions } from "./recall/search.ts";
import { Sessions } from "./sessions/sessions.ts";
import { lazily } from "./util/lazily.ts";

/** Opens the memory for a directory. Creates nothing before the first write. */
export function openRetain(options: RetainOptions = {}): Retain {
  return new Retain(resolveOptions(options));
}

/** One workspace's memory. Methods throw RetainError for errors that a caller can fix. */
export class Retain {
  readonly workspace: Workspace;
  /** The chosen workspace, with the reasons and the alternatives. */
  readonly choice: Choice;
  readonly config: Config;
  readonly documents = new Documents(
    () => this.#wiring.documentPorts(this.#wiring.local),
    () => this.#wiring.otherDocuments(),
    (ref) => this.#handle.shared.copyDocument(ref),
  );
  /** Facts, notes and working memory. */
  readonly facts = new Facts(() => this.#wiring.factWorkspaces());
  /** Stored conversations. */
  readonly sessions = new Sessions(() => this.#wiring.sessionWorkspaces());
  /** The search data that is derived from the files. */
  readonly index = new SearchIndex(
    () => this.#wiring,
    () => this.#resolved.clock(),
  );
  /** Pending uploads to a server and a hosted index. */
  readonly uploads = new Uploads(() => this.#handle);
  /** Documents, facts and notes as one list. */
  readonly memories = lazily<Pick<MemoryList, "page" | "filters">>(async () => {
    const { MemoryList } = await import("./app/memory-list.ts");
    this.#memoryList ??= new MemoryList(() => this.#wiring, this.#resolved.clock);
    return this.#memoryList;
  });
  /** A model reads finished conversations and proposes facts, if the settings allow it. */
  readonly learning = openLearning(() => this.#memoryParts());
  /** Standing questions, whose answers go into every context. */
  readonly mentalModels = lazily<Omit<MentalModels, "refreshInBackground">>(async () => {
    const { modelsOf } = await import("./app/agent/agents.ts");
    return modelsOf(this.#memoryParts());
  });
  /** Settings with their sources, and changes to config files. This Retain keeps the settings that it was opened with. */
  readonly settings = lazily(async () => {
    const { openSettings } = await import("./app/settings.ts");
    return openSettings(this.#servicePorts);
  });
  /** The user's language model, its providers, keys and endpoints. */
  readonly models = lazily(async () => {
    const { ModelConfig } = await import("./app/agent/model-config.ts");
    return new ModelConfig(this.#servicePorts);
  });
  /** Skills of the user and the project. */
  readonly skills = lazily(async () => {
    const { openSkills } = await import("./agent/skills/manage.ts");
    return openSkills(this.#servicePorts);
  });
  /** Vectors on a hosted index. Methods throw `invalid_config` if `vectors` is local. */
  readonly vectors = lazily<Pick<HostedVectors, "backfill" | "check">>(async () => {
    const { requireHosted } = await import("./app/hosted/hosted-vectors.ts");
    return requireHosted(await this.#wiring.hosted());
  });
  /** Folders outside the workspace that every search includes. */
  readonly folders = lazily(async () => {
    const { openFolders } = await import("./app/folders.ts");
    const { surroundings } = this.#servicePorts;
    return openFolders(surroundings, async (use) => {
      using home = openRetain({ ...this.#resolved.options, ...surroundings, scope: "global" });
      return await use(home);
    });
  });
  /** Banks in the home workspace, by name. */
  readonly banks = lazily(async () => {
    const { openBanks } = await import("./app/banks.ts");
    const { surroundings } = this.#servicePorts;
    const embedders = () => this.#wiring.embedders();
    const { options } = this.#resolved;
    return openBanks(
      this.choice.home,
      (bank) => new Retain(resolveOptions({ ...options, ...surroundings, bank, embedders })),
    );
  });
  readonly #resolved: ResolvedOptions;
  readonly #handle: Handle;
  readonly #serverModels = new ServerModels(() => this.#memoryParts());
  #memoryList: MemoryList | null = null;

  constructor(resolved: ResolvedOptions, handle = new Handle(new Wiring(resolved))) {
    this.#resolved = resolved;
    this.#handle = handle;
    this.choice = resolved.choice;
    this.config = resolved.config;
    this.workspace = resolved.choice.workspace;
  }

  /** `memory_backend: off`: nothing is stored or recalled. */
  get isOff(): boolean {
    return this.#wiring.isOff;
  }

  /** Who can read what is saved here. */
  get audience() {
    return this.#wiring.audience;
  }

  /** The directories that facts about the person, conversations and everything else are saved to, and those that are read. */
  get routes() {
    return this.#wiring.routes;
  }

  /** The current time, by the `clock` option. */
  now(): Date {
    return this.#resolved.clock();
  }

  /** Searches the project and the home workspace, or the one that the scope names. Best hits first. */
  async search(query: string, options: SearchOptions = {}) {
    requireText(query, "A query");
    checkInput("search", options);
    const { search } = await import("./recall/search.ts");
    return this.#wiring.ask(options, (ports, asked) => search(ports, query, asked));
  }

  /** Searches conversations. The sessions with the best hits first, each with its hits. */
  async searchSessions(query: string, options: SessionSearchOptions = {}): Promise<FoundSessions> {
    const { searchSessions } = await import("./app/search-sessions.ts");
    return searchSessions(this, query, options);
  }

  /** What an id names, whatever command printed it. Throws `not_found`, `ambiguous`. */
  async find(id: string, options: GetOptions = {}): Promise<Identified> {
    const { findById } = await import("./app/find-by-id.ts");
    return findById(this, id, options);
  }

  /** Permanently removes what `find` found; a dry run only says where it is. Throws `not_found`, `read_only`. */
  async forget(found: Forgettable, { dryRun = false } = {}): Promise<Forgotten> {
    const { forgetFound } = await import("./app/forget-found.ts");
    return forgetFound(this, found, dryRun);
  }

  /** Markdown for an agent within a token budget. Counts as a recall of each memory in it. */
  async recall(query: string, options: RecallOptions = {}) {
    requireText(query, "A query");
    checkInput("recall", options);
    const { recallContext } = await import("./recall/search.ts");
    return this.#wiring.ask(options, (ports, asked) => recallContext(ports, query, asked));
  }

  /** The system prompt for a model, with its parts. Counts as a recall of each memory that the query found. */
  async context(options: ContextOptions = {}, firstShown?: FirstShown): Promise<AssembledContext> {
    checkInput("context", options);
    const { contextIn } = await import("./app/context.ts");
    const { kind } = this.workspace;
    const services = { wiring: this.#wiring, clock: this.#resolved.clock, kind, models: this.#serverModels };
    return contextIn(services, options, firstShown);
  }

  /** Opens a conversation. Throws `not_found`, `ambiguous` or `conflict` for a session, `usage` for a model. */
  async chat(options: ChatOptions): Promise<ChatFace> {
    const { openChat } = await import("./app/agent/agents.ts");
    return openChat(this.#memoryParts(), options);
  }

  /** Memory tools for the caller's own agent. */
  async memoryTools(options: MemoryToolsOptions = {}): Promise<readonly MemoryTool[]> {
    const { memoryToolsOf } = await import("./app/agent/memory-ports.ts");
    if (options.incognito) (await this.#wiring.hosted())?.disableQueries();
    return memoryToolsOf(this.#memoryParts())(options);
  }

  /** Answers a question from memory, with sources. Throws `usage`, `interrupted`. */
  async reflect(query: string, options: ReflectRequest = {}): Promise<Reflection> {
    const { reflectOn } = await import("./app/agent/memory-ports.ts");
    return reflectOn(this.#memoryParts(), query, options);
  }

  #memoryParts(): MemoryParts {
    const { documents, facts, sessions } = this;
    return {
      ...this.#resolved,
      ...{ documents, facts, sessions },
      wiring: () => this.#wiring,
      find: (id) => this.find(id),
      context: this.context.bind(this),
    };
  }

  /** The files that a message can attach, for completion. */
  async fileList(): Promise<FileList> {
    const { fileListOf } = await import("./app/agent/agents.ts");
    return fileListOf(this.choice, this.#resolved.surroundings);
  }

  /** Imports another system's memory from a directory, which is only read. */
  async migrate(directory: string, options: MigrateOptions = {}): Promise<MigrationReport> {
    const { migrate } = await import("./migrate/migrate.ts");
    return migrate(this.#wiring.migrationPorts(), directory, options);
  }

  /** Where memory is stored, and what is pending. */
  async status(): Promise<MemoryStatus> {
    const { statusOf } = await import("./app/status.ts");
    return statusOf(this, this.#wiring, this.#resolved.surroundings);
  }

  /** What is stored, what was learned when, and what is recalled. */
  async overview(): Promise<Overview> {
    const { overviewOf } = await import("./app/overview.ts");
    return overviewOf(this, this.#wiring);
  }

  /** The server or the program's own store that holds memory; null if memory is on this machine only, or off. */
  async backend(): Promise<MemoryBackend | null> {
    return this.#wiring.remote?.backend() ?? null;
  }

  /** Backs up and then removes all memory of this workspace. The caller must have asked the user. */
  async clearWorkspace(): Promise<ClearedWorkspace> {
    const { clearWorkspace } = await import("./app/clear-workspace.ts");
    const wiring = this.#wiring;
    return clearWorkspace(this.workspace, wiring.local, wiring.sessionWorkspaces(), this.#resolved.clock());
  }

  /**
   * Empties the backend as far as possible from here, including its cached answers. Without one, this is `clearWorkspace`. The caller
   * must have asked the user.
   */
  async emptyBackend(): Promise<Cleared> {
    const backend = await this.backend();
    if (backend === null) return this.clearWorkspace();
    const { emptyBackend } = await import("./app/remote/empty-backend.ts");
    return emptyBackend(backend, this.#wiring.factWorkspaces().read, this.#resolved.clock());
  }

  /** A second handle on this memory, for a sub-agent. Closing it leaves this one open; closing this one closes it. */
  child(): Retain {
    return new Retain(this.#resolved, this.#handle.child());
  }

  /** Closes the database. Later calls throw `usage`. */
  close(): void {
    this.#serverModels.close();
    this.#handle.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Throws `usage` if closed. */
  get #wiring(): Wiring {
    return this.#handle.wiring;
  }

  /** Throws `usage` if closed. */
  get #servicePorts() {
    void this.#wiring;
    const { choice, surroundings, scope, options, clock } = this.#resolved;
    return { choice, surroundings, scope, flags: options.settings, clock };
  }
}
