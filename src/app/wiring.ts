/**
 * Joins the adapters to what the use cases need: the workspaces that are read and written, the models, and the ports of
 * each use case over them. Nothing is opened before it is needed.
 */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";
import { LocalWorkspace } from "../backends/local.ts";
import { cacheDirectory } from "../config/cache.ts";
import type { Config } from "../config/load.ts";
import type { Choice, Scope, Surroundings, Workspace } from "../config/workspace.ts";
import { documentSource } from "../core/memory.ts";
import type { Clock, Embedder } from "../core/ports.ts";
import { slugify } from "../core/slug.ts";
import { openEmbedder } from "../embed/open.ts";
import { syncIndex } from "../memory/index-sync.ts";
import { passingDocuments, reportMissing } from "../memory/list.ts";
import type { DocumentPorts } from "../memory/ports.ts";
import { reportUnread } from "../memory/unread.ts";
import type { MigrationPorts } from "../migrate/ports.ts";
import type { RecallPorts, RecallWorkspace } from "../recall/ports.ts";
import type { SearchOptions } from "../recall/search.ts";
import type { RetentionPlaces, RetentionWorkspace } from "../retention/ports.ts";
import type { SessionPlaces } from "../sessions/ports.ts";
import { hasEnded, processName } from "../util/process.ts";

export interface WiringOptions {
  readonly choice: Choice;
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** A choice that a person can look over. */
const MOST_NEAREST = 5;

export class Wiring {
  readonly local: LocalWorkspace;
  /** The home workspace beside a project's, once something has asked for it. */
  #home: LocalWorkspace | null = null;
  #embedders: Embedder[] | null = null;

  constructor(private readonly options: WiringOptions) {
    this.local = this.#open(options.choice.workspace);
  }

  #open(workspace: Workspace): LocalWorkspace {
    return new LocalWorkspace(workspace, {
      settings: this.options.config.settings,
      surroundings: this.options.surroundings,
      warn: this.options.warn,
    });
  }

  documentPorts({ files, lock, index, memories, versions }: LocalWorkspace): DocumentPorts {
    const { settings } = this.options.config;
    return {
      files,
      lock,
      index,
      memories,
      versions,
      settings,
      clock: this.options.clock,
      warn: this.options.warn,
    };
  }

  retention(local: LocalWorkspace): RetentionWorkspace {
    const { place, memoryFiles: files, facts, sessions, search, lock } = local;
    return {
      place,
      files,
      facts,
      sessions,
      search,
      lock,
      get traces() {
        return local.traces;
      },
      takeInDocuments: () => takeInAll(this.documentPorts(local)),
      clock: this.options.clock,
      warn: this.options.warn,
    };
  }

  /** Takes in what changed in the memory files. Loaded only where there are any: most commands start without. */
  async syncMemories(local: LocalWorkspace): Promise<void> {
    if (!existsSync(local.memoryFiles.root) && local.facts.settled() === null) return;
    const { syncMemories } = await import("../retention/take-in.ts");
    syncMemories(this.retention(local));
  }

  places(): RetentionPlaces {
    const read = this.readWorkspaces().map((workspace) => this.retention(workspace));
    const [nearest, second] = read as [RetentionWorkspace, RetentionWorkspace?];
    const home = second ?? (this.#workspace.kind === "home" ? nearest : this.retention(this.#openHome()));
    const { project } = this.#workspace;
    const chat = project === null ? "main" : slugify(basename(project)) || "main";
    const { settings } = this.options.config;
    const recall = (query: string) => this.#nearestMemories(query);
    return { nearest, home, read, chat, embedders: this.models(), settings, recall };
  }

  sessionPlaces(): SessionPlaces {
    const host = hostname();
    return {
      read: this.readWorkspaces().map(({ place, sessions, memoryFiles: files, lock }) => {
        return { place, sessions, files, lock };
      }),
      clock: this.options.clock,
      warn: this.options.warn,
      self: processName(host, process.pid),
      isGone: (holder) => hasEnded(holder, host),
    };
  }

  /** Where a chat's sessions go, and who has them open. */
  chatPlace() {
    const { self, isGone } = this.sessionPlaces();
    const { sessions: store, place } = this.local;
    return { store, place, chat: this.places().chat, self, isGone };
  }

  migrationPorts(): MigrationPorts {
    const { nearest, embedders, chat } = this.places();
    const { root, collections } = this.#workspace;
    const documents = this.documentPorts(this.local);
    const { cwd } = this.options.surroundings;
    const own = [root, collections];
    return { workspace: nearest, sessions: nearest.sessions, documents, embedders, chat, cwd, root, own };
  }

  async #nearestMemories(query: string) {
    const { search } = await import("../recall/search.ts");
    const options = { kinds: ["fact", "note"], limit: MOST_NEAREST } as const;
    return (await this.ask(options, (ports) => search(ports, query, options))).hits;
  }

  #openHome(): LocalWorkspace {
    this.#home ??= this.#open(this.options.choice.home);
    return this.#home;
  }

  /** Search and recall read the project and the home workspace together. */
  readWorkspaces(): LocalWorkspace[] {
    if (this.#workspace.kind === "home" || this.options.scope !== "auto") return [this.local];
    return [this.local, this.#openHome()];
  }

  /** The configured model; MiniLM beside an endpoint, for vectors that it has not replaced yet. */
  models(): Embedder[] {
    const { settings } = this.options.config;
    if (this.#embedders !== null) return this.#embedders;
    const surroundings = {
      cacheDirectory: cacheDirectory(this.options.surroundings),
      warn: this.options.warn,
    };
    const { embedding, embedding_url, embedding_model } = settings;
    const embedding_key = this.options.surroundings.env[settings.embedding_key_env] ?? "";
    const kinds = embedding === "endpoint" ? (["endpoint", "minilm"] as const) : [embedding];
    this.#embedders = kinds.flatMap((kind) => {
      const wanted = { embedding: kind, embedding_url, embedding_model, embedding_key };
      return openEmbedder(wanted, surroundings) ?? [];
    });
    return this.#embedders;
  }

  /** Asks once more where a damaged database was set aside meanwhile: its rows are there by then. */
  async ask<T>(options: SearchOptions, ask: (ports: RecallPorts) => Promise<T>): Promise<T> {
    const rebuilds = () => this.readWorkspaces().reduce((sum, { lock }) => sum + lock.rebuilds, 0);
    const before = rebuilds();
    const answer = await ask(await this.recallPorts(options));
    return rebuilds() === before ? answer : ask(await this.recallPorts(options));
  }

  /** Brings what is read up to date, and says which documents of each workspace pass the filters. */
  async recallPorts({ filters = [], collection, mode }: SearchOptions): Promise<RecallPorts> {
    const workspaces: RecallWorkspace[] = [];
    for (const local of this.readWorkspaces()) {
      const ports = this.documentPorts(local);
      const passing = await (filters.length === 0 ? syncIndex(ports) : passingDocuments(ports, filters));
      reportUnread(ports, passing.unread);
      await this.syncMemories(local);
      const { place, search, queue, log } = local;
      const documents = "documents" in passing ? { documents: passing.documents.map(documentSource) } : {};
      workspaces.push({ place, search, queue, log, ...documents });
    }
    if (collection !== undefined)
      reportMissing(
        this.readWorkspaces().map((local) => this.documentPorts(local)),
        collection,
      );
    const embedders = mode === "text" ? [] : this.models();
    return { workspaces, embedders, clock: this.options.clock, warn: this.options.warn };
  }

  close(): void {
    this.local.close();
    this.#home?.close();
    for (const embedder of this.#embedders ?? []) embedder.close();
  }

  get #workspace(): Workspace {
    return this.options.choice.workspace;
  }
}

/** Where another process writes, a sync leaves things to the next one. */
async function takeInAll(ports: DocumentPorts): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const { changed, removed } = await syncIndex(ports);
    if (changed + removed === 0) return;
  }
}
