/**
 * Connects adapters to use cases: the workspaces to read and write, the models, and each use case's ports. Opens everything
 * lazily.
 */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";
import { backupWorkspaces } from "../backends/backups.ts";
import { LocalWorkspace } from "../backends/local.ts";
import { hiddenDocuments, incidentRecorder } from "../backends/workspaces.ts";
import { namedKeyVariables, withoutKeys } from "../config/key-variables.ts";
import { requireShortPath, type Workspace } from "../config/workspace.ts";
import type { DocumentRef } from "../core/documents/document.ts";
import { slugify } from "../core/documents/slug.ts";
import { command } from "../core/hint.ts";
import { type RecordIncident, recordNothing } from "../core/incidents.ts";
import { type Audience, documentSource } from "../core/memory.ts";
import type { BackendMentalModels } from "../core/ports/backend.ts";
import type { Embedder } from "../core/ports/documents.ts";
import { syncIndex } from "../documents/index-sync.ts";
import { collectionIn, DocumentFilter, passingDocuments } from "../documents/list.ts";
import type { DocumentPorts } from "../documents/ports.ts";
import { undoChanges } from "../documents/undo.ts";
import { reportUnread } from "../documents/unread.ts";
import type { BackupWorkspace, FactWorkspace, FactWorkspaces } from "../facts/ports.ts";
import type { MigrationPorts } from "../migrate/ports.ts";
import type { RecallPorts, RecallWorkspace } from "../recall/ports.ts";
import type { SearchOptions } from "../recall/search.ts";
import type { SessionWorkspaces } from "../sessions/ports.ts";
import { isoSeconds } from "../util/days.ts";
import { lazily } from "../util/lazily.ts";
import { hasEnded, processName } from "../util/process.ts";
import { audienceOf } from "./audience.ts";
import type { HostedVectors } from "./hosted/hosted-vectors.ts";
import { RankingModels } from "./ranking-models.ts";
import { copyDocument } from "./remote/document-copies.ts";
import { fetchOnce } from "./remote/fetch-hits.ts";
import type { Remote } from "./remote/remote.ts";
import { remoteFor } from "./remote/remote-for.ts";
import { userNameIn } from "./surroundings.ts";
import type { WiringOptions } from "./wiring-options.ts";

/** A list short enough to choose from. */
const MOST_NEAREST = 5;

export class Wiring {
  readonly local: LocalWorkspace;
  /** The home workspace of a project's Retain, once opened. */
  #home: LocalWorkspace | null = null;
  #homeRemote: Remote | null = null;
  readonly #backups: LocalWorkspace[] = [];
  #audience: Audience | null = null;
  readonly #models: RankingModels;
  #hosted: Promise<HostedVectors> | null = null;
  readonly #onUnread = new Set<(message: string) => void>();
  /** The remote backend; null if memory is local or off. */
  readonly remote: Remote | null;
  /** Nothing is recalled or saved automatically. */
  readonly isOff: boolean;

  constructor(private readonly options: WiringOptions) {
    this.#models = new RankingModels(options);
    this.local = this.#open(options.choice.workspace);
    this.remote = remoteFor(options);
    this.isOff = options.backend === undefined && options.config.settings.memory_backend === "off";
  }

  #open(workspace: Workspace): LocalWorkspace {
    requireShortPath(workspace);
    const { surroundings, config } = this.options;
    const { settings } = config;
    return new LocalWorkspace(workspace, {
      settings,
      surroundings: { ...surroundings, env: withoutKeys(surroundings.env, namedKeyVariables(settings)) },
      clock: this.options.clock,
      warn: this.options.warn,
      record: this.#recorder(workspace),
    });
  }

  #recorder(workspace: Workspace): RecordIncident {
    const { choice, clock, isSecondLook = false } = this.options;
    return isSecondLook ? recordNothing : incidentRecorder(choice.home, workspace, clock);
  }

  /** The same workspaces with empty indexes to rebuild, on copies, so that nothing is stored. */
  withoutIndex(): Wiring {
    const { choice } = this.options;
    const unbuilt = (workspace: Workspace) => ({ ...workspace, database: `${workspace.database}.check` });
    const [workspace, home] = [unbuilt(choice.workspace), unbuilt(choice.home)];
    const quiet = { warn: () => {}, isSecondLook: true };
    return new Wiring({ ...this.options, ...quiet, choice: { ...choice, workspace, home } });
  }

  get audience(): Audience {
    this.#audience ??= audienceOf(this.options, this.#workspace, () => this.readWorkspaces().length > 1);
    return this.#audience;
  }

  /** The directories that facts about the person, conversations and everything else are saved to, and those that are read. */
  get routes() {
    const { workspace, home } = this.options.choice;
    const reads = this.readWorkspaces().map((local) => local.workspace.root);
    const person = reads.includes(home.root) ? home.root : workspace.root;
    return { person, conversations: this.local.sessions.directory, rest: workspace.root, reads };
  }

  /** The server that answers mental models; null if they are answered here. */
  get remoteModels(): BackendMentalModels | null {
    const { backend } = this.options;
    return backend !== undefined && backend.models === undefined ? null : (this.remote?.models ?? null);
  }

  /** Brings the bank's copy of a document up to date, unless documents stay on this machine. */
  async copyDocument(ref: DocumentRef): Promise<void> {
    const { backend, config } = this.options;
    if (this.remote === null || (backend === undefined && !config.settings.hindsight_documents)) return;
    await copyDocument(this.remote, this.documentPorts(this.local), ref);
  }

  /** Calls `listener` with warnings about unreadable documents, until the returned function is called. */
  onUnread(listener: (message: string) => void): () => void {
    this.#onUnread.add(listener);
    return () => this.#onUnread.delete(listener);
  }

  documentPorts(local: LocalWorkspace, memoryFiles = local.memoryFiles): DocumentPorts {
    const { origin, files, lock, index, chunkIndex, versions, workspace } = local;
    const { settings } = this.options.config;
    return {
      origin,
      purge: () => this.purge(local),
      files,
      lock,
      index,
      chunkIndex,
      versions,
      settings,
      userName: () => userNameIn(this.options.surroundings.env),
      clock: this.options.clock,
      recordChange: (label, documents) =>
        memoryFiles.recordChange(label, isoSeconds(this.options.clock()), { documents }),
      hidden: () => hiddenDocuments(workspace),
      warn: this.options.warn,
      warnUnread: (message) => {
        for (const listener of [this.options.warn, ...this.#onUnread]) listener(message);
      },
    };
  }

  /** The documents that are read besides this workspace's own. */
  otherDocuments(): DocumentPorts[] {
    return this.readWorkspaces()
      .filter((local) => local !== this.local)
      .map((local) => this.documentPorts(local));
  }

  factPorts(local: LocalWorkspace, files = local.memoryFiles): FactWorkspace {
    const { origin, facts, sessions, search, lock } = local;
    return {
      origin,
      files,
      facts,
      sessions,
      search,
      lock,
      get traces() {
        return local.traces;
      },
      get isShared() {
        return local.isShared;
      },
      documents: {
        sync: () => syncUntilDone(this.documentPorts(local)),
        undo: (changes) => undoChanges(this.documentPorts(local), changes),
        announce: async (changes) => {
          if (local === this.local) for (const change of changes) await this.copyDocument(change);
        },
      },
      purge: () => this.purge(local),
      backups: () => this.#openBackups(local),
      clock: this.options.clock,
      warn: this.options.warn,
      record: this.#recorder(local.workspace),
    };
  }

  #openBackups(local: LocalWorkspace): BackupWorkspace[] {
    const { workspace, home } = this.options.choice;
    return backupWorkspaces(local === this.local ? workspace : home, local.sessions.root).map((backup) => {
      const opened = this.#open(backup);
      this.#backups.push(opened);
      return { ...this.factPorts(opened), backups: () => [], name: backup.name };
    });
  }

  /** Syncs facts from changed memory files. Loaded only if there are any, to keep start-up fast. */
  async syncFacts(local: LocalWorkspace): Promise<void> {
    local.sessions.sync();
    if (!existsSync(local.memoryFiles.root) && local.facts.settled() === null) return;
    const { syncMemories } = await import("../facts/sync/sync-facts.ts");
    syncMemories(this.factPorts(local));
  }

  factWorkspaces(): FactWorkspaces {
    const read = this.readWorkspaces().map((workspace) => this.factPorts(workspace));
    const [nearest, second] = read as [FactWorkspace, FactWorkspace?];
    const home = second ?? (this.#workspace.kind === "home" ? nearest : this.factPorts(this.#openHome()));
    const { project, bank } = this.#workspace;
    const chat = bank?.name ?? (project === null ? "main" : slugify(basename(project)) || "main");
    const { settings } = this.options.config;
    const recall = (query: string) => this.#nearestMemories(query);
    const { remote } = this;
    const { audience } = this;
    const embedders = this.embedders();
    const shared = this.#isHosted
      ? lazily<Pick<HostedVectors, "forget" | "statement">>(this.#loadHosted)
      : null;
    return { nearest, home, read, audience, chat, embedders, settings, recall, remote, shared };
  }

  sessionWorkspaces(): SessionWorkspaces {
    const host = hostname();
    return {
      read: this.readWorkspaces().map((local) => {
        const { origin, sessions, memoryFiles: files, lock } = local;
        const removeCopy = async (session: string) => this.#remoteOf(local)?.removeSession(session);
        return { origin, sessions, removeCopy, files, lock, purge: () => this.purge(local) };
      }),
      clock: this.options.clock,
      warn: this.options.warn,
      self: processName(host, process.pid),
      isGone: (holder) => hasEnded(holder, host),
    };
  }

  /** The home workspace's conversations may be in another bank than the project's. */
  #remoteOf(local: LocalWorkspace): Remote | null {
    if (local === this.local || this.options.backend !== undefined) return this.remote;
    this.#homeRemote ??= remoteFor({ ...this.options, scope: "global" });
    return this.#homeRemote;
  }

  /** Sends pending memories, for up to `ms` to each server. */
  async flush(ms?: number): Promise<void> {
    await this.remote?.flush(ms);
    await this.#homeRemote?.flush(ms);
    await (await this.hosted())?.flush(ms);
  }

  async purge({ traces, workspace }: LocalWorkspace): Promise<void> {
    const problem = await traces.scrub.purge();
    if (problem !== null)
      this.options.warn(
        `Removed text may still be in ${workspace.database} (${problem}). To remove it: ${command("reindex")}`,
      );
  }

  migrationPorts(): MigrationPorts {
    const { embedders, chat } = this.factWorkspaces();
    const { root, collections } = this.#workspace;
    const files = this.local.memoryFiles.inOneChange("migrate");
    const workspace = this.factPorts(this.local, files);
    const documents = this.documentPorts(this.local, files);
    const { cwd } = this.options.surroundings;
    const own = [root, collections];
    return { workspace, sessions: workspace.sessions, documents, embedders, chat, cwd, root, own };
  }

  async #nearestMemories(query: string) {
    const { search } = await import("../recall/search.ts");
    const options = { kinds: ["fact", "note"], limit: MOST_NEAREST } as const;
    // Only memories of this machine are wanted, so the words to forget don't leave it.
    return (await this.ask(options, ({ hosted: _, ...ports }) => search(ports, query, options))).hits;
  }

  #openHome(): LocalWorkspace {
    this.#home ??= this.#open(this.options.choice.home);
    return this.#home;
  }

  /** Search and recall read project and home together, unless projects are isolated. */
  readWorkspaces(): LocalWorkspace[] {
    const isAlone = this.options.config.settings.local_scoping === "per-project";
    if (this.#workspace.kind === "home" || this.options.scope !== "auto" || isAlone) return [this.local];
    return [this.local, this.#openHome()];
  }

  embedders(): Embedder[] {
    return this.#models.embedders();
  }

  /**
   * Retries once if a damaged database was just set aside: the new one has its rows by then. `spentMs` of a server's time limit have
   * already passed.
   */
  async ask<T, O extends SearchOptions>(
    asked: O,
    ask: (ports: RecallPorts, options: O) => Promise<T>,
    spentMs = 0,
  ): Promise<T> {
    const options = this.#withKnownCollection(asked);
    const rebuilds = () => this.readWorkspaces().reduce((sum, { lock }) => sum + lock.rebuilds, 0);
    const before = rebuilds();
    const answer = await ask(await this.recallPorts(options, spentMs), options);
    return rebuilds() === before ? answer : ask(await this.recallPorts(options, spentMs), options);
  }

  #withKnownCollection<O extends SearchOptions>(options: O): O {
    if (options.collection === undefined) return options;
    const workspaces = this.readWorkspaces().map((local) => this.documentPorts(local));
    return { ...options, collection: collectionIn(workspaces, options.collection) };
  }

  /** The hosted vector index; null if vectors are only on this machine. Loaded on first use. */
  hosted(): Promise<HostedVectors> | null {
    return this.#isHosted ? this.#loadHosted() : null;
  }

  get #isHosted(): boolean {
    return this.options.config.settings.vectors !== "local" && !this.isOff;
  }

  readonly #loadHosted = (): Promise<HostedVectors> => {
    this.#hosted ??= this.#openHosted();
    return this.#hosted;
  };

  async #openHosted(): Promise<HostedVectors> {
    const { HostedVectors } = await import("./hosted/hosted-vectors.ts");
    return new HostedVectors({
      options: this.options,
      workspaces: () => this.readWorkspaces(),
      embedder: () => this.embedders()[0] ?? null,
      sync: async (local) => {
        await this.syncFacts(local);
        return (
          local.sessions.sync() && (local.facts.settled() !== null || local.memoryFiles.scan().length === 0)
        );
      },
    });
  }

  /** Syncs the workspaces, and returns which documents of each pass the filters. */
  async recallPorts({ filters = [], mode }: SearchOptions, spentMs = 0): Promise<RecallPorts> {
    const workspaces: RecallWorkspace[] = [];
    const filter = new DocumentFilter(filters);
    for (const local of this.readWorkspaces()) {
      const ports = this.documentPorts(local);
      const passing = await (filters.length === 0 ? syncIndex(ports) : passingDocuments(ports, filter));
      reportUnread(ports, passing.unread);
      await this.syncFacts(local);
      const { origin, search, queue, log } = local;
      const documents = "documents" in passing ? { documents: passing.documents.map(documentSource) } : {};
      workspaces.push({ origin, search, queue, log, ...documents });
    }
    filter.warnOfUnknown(this.options);
    const hosted = mode === "text" ? null : await this.hosted();
    const embedders = mode === "text" ? [] : this.embedders();
    const { clock, warn } = this.options;
    const { remote } = this;
    const reranker = this.#models.reranker();
    return {
      ...{ workspaces, embedders, clock, warn },
      ...(reranker !== null && { reranker }),
      ...(remote !== null && { fetch: fetchOnce(remote, this.readWorkspaces(), spentMs) }),
      ...(hosted !== null && { hosted: hosted.near }),
    };
  }

  close(): void {
    this.remote?.close();
    this.#homeRemote?.close();
    this.local.close();
    this.#home?.close();
    for (const backup of this.#backups) backup.close();
    this.#models.close();
  }

  get #workspace(): Workspace {
    return this.options.choice.workspace;
  }
}

/** If another process is writing, a sync leaves the rest to the next one. */
async function syncUntilDone(ports: DocumentPorts): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const { changed, removed } = await syncIndex(ports);
    if (changed + removed === 0) return;
  }
}
