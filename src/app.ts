/**
 * Joins the adapters into one Retain: the only file that names concrete adapters, and where the current directory, the
 * environment, the home directory and the clock come from unless a caller gives others.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CONFIG_FILE, writeSetting } from "./config/file.ts";
import { type Config, loadConfig } from "./config/load.ts";
import type { SettingKey, Settings } from "./config/schema.ts";
import { configTemplate, GITIGNORE } from "./config/template.ts";
import {
  type Choice,
  chooseWorkspace,
  ownProjectWorkspace,
  type Scope,
  type Surroundings,
  type Workspace,
} from "./config/workspace.ts";
import { repositoryRoot } from "./config/worktree.ts";
import { RetainError } from "./core/errors.ts";
import type { Clock, VersionStore } from "./core/ports.ts";
import { MarkdownDocuments } from "./files/documents.ts";
import { GitRepository } from "./files/git.ts";
import { GitVersions } from "./files/git-versions.ts";
import { NumberedVersions } from "./files/numbered-versions.ts";
import { createWorkspace } from "./files/workspace.ts";
import { type DiffOptions, diffVersions, listVersions } from "./memory/history.ts";
import { checkInput, type InputKind } from "./memory/input.ts";
import { type ListOptions, listCollections, listDocuments } from "./memory/list.ts";
import type { DocumentPorts } from "./memory/ports.ts";
import { type PutInput, putDocument } from "./memory/put.ts";
import { type PutSource, putDocuments } from "./memory/put-many.ts";
import { type GetOptions, getDocument, getSource, locate } from "./memory/read.ts";
import { deleteDocument } from "./memory/remove.ts";
import { type RestoreOptions, restoreDocument } from "./memory/restore.ts";
import { type RewriteOptions, rewriteDocument, type UpdateInput, updateDocument } from "./memory/update.ts";
import { WorkspaceDatabase } from "./sqlite/database.ts";
import { SqliteDocumentIndex } from "./sqlite/documents.ts";
import { isInside } from "./util/fs.ts";

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
  readonly #database: WorkspaceDatabase;
  #closed = false;

  constructor(
    /** Why this workspace was chosen, and what else there was. */
    readonly choice: Choice,
    readonly config: Config,
    surroundings: Surroundings,
    options: RetainOptions,
  ) {
    this.workspace = choice.workspace;
    const files = new MarkdownDocuments(this.workspace.collections, this.workspace.root);
    const warn = options.onWarning ?? (() => {});
    this.#database = workspaceDatabase(this.workspace, warn);
    this.#ports = {
      files,
      lock: this.#database,
      index: new SqliteDocumentIndex(this.#database),
      versions: versionStore(this.workspace, config.settings, files, surroundings, warn),
      settings: config.settings,
      clock: options.clock ?? (() => new Date()),
      warn,
    };
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

  /** Lets go of the database. Calls after this throw `usage`. */
  close(): void {
    this.#closed = true;
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
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

function checkCall(id: unknown, kind: InputKind, options: unknown): void {
  if (typeof id !== "string") throw new RetainError("usage", `A document's id is a text, not ${typeof id}.`);
  checkInput(kind, options);
}

/** Makes the directory's own project workspace; what is there already stays. Returns the files that are new. */
export function initProject(
  directory: string,
  surroundings: Surroundings,
): { workspace: Workspace; created: string[] } {
  const workspace = ownProjectWorkspace(directory);
  const { home } = chooseWorkspace(surroundings, "global");
  if (workspace.root === home.root)
    throw new RetainError(
      "usage",
      `${workspace.root} is your home workspace; a project cannot be there too.`,
      "Run 'retain init' inside a project's directory.",
    );
  if (!isInside(directory, workspace.root))
    throw new RetainError(
      "unsafe",
      `${workspace.root} is a link that leads out of the project.`,
      "Remove the link.",
    );
  return { workspace, created: createWorkspace(workspace.root, startingFiles(workspace)) };
}

/** Changes a setting in a workspace's config, beside other processes that do the same. undefined removes it. */
export async function changeSetting(workspace: Workspace, key: SettingKey, value: unknown): Promise<void> {
  const database = workspaceDatabase(workspace, () => {});
  try {
    await database.exclusively(() => writeSetting(workspace.configFile, key, value));
  } finally {
    database.close();
  }
}

/** Makes the workspace if it is missing; returns the files that are new. */
export function prepareWorkspace(workspace: Workspace): string[] {
  if (existsSync(workspace.database)) return [];
  return createWorkspace(workspace.root, startingFiles(workspace));
}

/** A project may have its config elsewhere: in an `.arcaneum` file, or beside the directory that it names. */
function startingFiles({ kind, root, configFile }: Workspace): Record<string, string> {
  const config = { [CONFIG_FILE]: configTemplate(kind === "home" ? "user" : "project") };
  return { ...(configFile === join(root, CONFIG_FILE) ? config : {}), ".gitignore": GITIGNORE };
}

function workspaceDatabase(workspace: Workspace, warn: (message: string) => void): WorkspaceDatabase {
  return new WorkspaceDatabase(workspace.database, () => prepareWorkspace(workspace), warn);
}

function versionStore(
  workspace: Workspace,
  settings: Settings,
  files: MarkdownDocuments,
  { env }: Surroundings,
  warn: (message: string) => void,
): VersionStore {
  const numbered = new NumberedVersions(workspace.collections, workspace.root);
  const directory = workspace.project ?? workspace.root;
  const byGit =
    settings.versioning === "git" ||
    (settings.versioning === "auto" &&
      workspace.project !== null &&
      repositoryRoot(workspace.project) !== null);
  return byGit ? new GitVersions(new GitRepository(directory, env), files, numbered, warn) : numbered;
}
