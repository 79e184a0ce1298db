/** The embedded backend: one workspace's files and database, opened lazily. */

import { basename, join } from "node:path";
import { readConfigFile } from "../config/file.ts";
import { pathOfFolder } from "../config/folders.ts";
import type { Settings } from "../config/schema.ts";
import type { Surroundings, Workspace } from "../config/workspace.ts";
import { repositoryRoot } from "../config/worktree.ts";
import { RetainError } from "../core/errors.ts";
import type { RecordIncident } from "../core/incidents.ts";
import type { Clock, DocumentFiles, VersionStore } from "../core/ports/documents.ts";
import type { WorkspaceTraces } from "../core/ports/traces.ts";
import { MarkdownDocuments } from "../files/documents.ts";
import { DocumentsAndFolders } from "../files/documents-and-folders.ts";
import { FolderDocuments } from "../files/folder.ts";
import { GitRepository } from "../files/git/git.ts";
import { GitFilesPast } from "../files/git/past.ts";
import { GitVersions } from "../files/git/versions.ts";
import { MarkdownMemoryFiles } from "../files/memories.ts";
import { NumberedVersions } from "../files/numbered-versions.ts";
import { SessionFiles } from "../files/session-files.ts";
import { FileTree } from "../files/tree.ts";
import { SqliteMemoryIndex } from "../sqlite/chunks/chunks.ts";
import { SqliteCare } from "../sqlite/database/care.ts";
import type { WorkspaceDatabase } from "../sqlite/database/database.ts";
import { SqliteScrub } from "../sqlite/database/scrub.ts";
import { SqliteDocumentIndex } from "../sqlite/documents.ts";
import { SqliteFacts } from "../sqlite/facts/facts.ts";
import { SqliteMemoryListing } from "../sqlite/search/memory-listing.ts";
import { SqliteMemorySearch } from "../sqlite/search/memory-search.ts";
import { SqliteEmbeddingQueue } from "../sqlite/search/pending.ts";
import { SqliteRecallLog } from "../sqlite/search/recalls.ts";
import { isAlive } from "../util/process.ts";
import { markBank, sessionsDirectory } from "./sessions/directory.ts";
import { LocalSessions } from "./sessions/local-sessions.ts";
import { SessionsInStep } from "./sessions/sync.ts";
import { workspaceDatabase } from "./workspaces.ts";

interface LocalOptions {
  readonly settings: Settings;
  readonly surroundings: Surroundings;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  readonly record: RecordIncident;
}

export class LocalWorkspace {
  readonly workspace: Workspace;
  readonly origin: Workspace["kind"];
  /** The directories that documents are read from. */
  readonly directories: readonly string[];
  readonly files: DocumentFiles;
  readonly versions: VersionStore;
  readonly lock: WorkspaceDatabase;
  readonly index: SqliteDocumentIndex;
  readonly chunkIndex: SqliteMemoryIndex;
  readonly memoryFiles: MarkdownMemoryFiles;
  readonly facts: SqliteFacts;
  readonly search: SqliteMemorySearch;
  readonly listing: SqliteMemoryListing;
  readonly queue: SqliteEmbeddingQueue;
  readonly log: SqliteRecallLog;
  readonly care: SqliteCare;
  readonly #own: MarkdownDocuments;
  readonly #openSessions: () => LocalSessions;
  #sessions: LocalSessions | null = null;
  readonly #traces: () => WorkspaceTraces;

  constructor(workspace: Workspace, { settings, surroundings, clock, warn, record }: LocalOptions) {
    const own = new MarkdownDocuments(workspace.collections, workspace.root, clock);
    const database = workspaceDatabase(workspace, { warn, record }, surroundings);
    this.workspace = workspace;
    this.origin = workspace.kind;
    this.directories = [
      workspace.collections,
      join(workspace.root, "memories"),
      ...foldersOf(workspace, settings, surroundings),
    ];
    this.files = withFolders(own, workspace, settings, surroundings, warn);
    this.versions = versionStore(workspace, settings, own, surroundings, warn);
    this.lock = database;
    this.index = new SqliteDocumentIndex(database);
    this.chunkIndex = new SqliteMemoryIndex(database);
    this.memoryFiles = new MarkdownMemoryFiles(workspace.root, warn, record);
    this.facts = new SqliteFacts(database);
    this.search = new SqliteMemorySearch(database);
    this.listing = new SqliteMemoryListing(database);
    this.queue = new SqliteEmbeddingQueue(database, { id: process.pid, isAlive });
    this.log = new SqliteRecallLog(database);
    this.care = new SqliteCare(database);
    this.#own = own;
    this.#openSessions = () => {
      const directory = sessionsDirectory(workspace, surroundings);
      const mark = () => markBank(workspace, directory);
      return new LocalSessions(new SessionsInStep(new SessionFiles(directory), database, warn, mark, record));
    };
    this.#traces = () => ({
      tree: new FileTree(workspace.root),
      scrub: new SqliteScrub(database, basename(workspace.database)),
      past: pastOf(workspace, surroundings),
    });
  }

  get sessions(): LocalSessions {
    this.#sessions ??= this.#openSessions();
    return this.#sessions;
  }

  /** Whether others get its memory files with a git repository. */
  get isShared(): boolean {
    const { project } = this.workspace;
    return project !== null && repositoryRoot(project) !== null;
  }

  /** All places where a text to forget may be. */
  get traces(): WorkspaceTraces {
    return this.#traces();
  }

  close(): void {
    this.#own.close();
    this.#sessions?.close();
    this.lock.close();
  }
}

function foldersOf({ kind }: Workspace, { folders }: Settings, { homeDirectory }: Surroundings): string[] {
  return kind === "project" ? [] : folders.map((folder) => pathOfFolder(folder, homeDirectory));
}

/** Folders belong to the home workspace: the user chooses them, and every project finds them. */
function withFolders(
  own: MarkdownDocuments,
  { kind, root, configFile }: Workspace,
  { folders, max_document_bytes: maxBytes }: Settings,
  { homeDirectory }: Surroundings,
  warn: (message: string) => void,
): DocumentFiles {
  if (kind === "project") return own;
  const read = folders.map(
    (folder) =>
      new FolderDocuments({
        ...folder,
        path: pathOfFolder(folder, homeDirectory),
        maxBytes,
        except: root,
        warn,
      }),
  );
  return new DocumentsAndFolders(own, read, () => folderNames(configFile), warn);
}

function folderNames(configFile: string): string[] | null {
  try {
    return (readConfigFile(configFile, "user")?.values.folders ?? []).map(({ name }) => name);
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
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

function pastOf({ project, root }: Workspace, { env }: Surroundings): GitFilesPast | null {
  const directory = project ?? root;
  return repositoryRoot(directory) === null
    ? null
    : new GitFilesPast(new GitRepository(directory, env), root);
}
