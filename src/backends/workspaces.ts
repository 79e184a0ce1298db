/** Creates workspaces and changes their config, safely alongside other processes. */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CONFIG_FILE, readConfigFile, writeSetting } from "../config/file.ts";
import type { SettingKey, Settings } from "../config/schema.ts";
import { completedGitignore, configTemplate, GITATTRIBUTES, gitignore } from "../config/template.ts";
import {
  arcaneumAt,
  chooseWorkspace,
  ownProjectWorkspace,
  requireShortPath,
  type Surroundings,
  type Workspace,
} from "../config/workspace.ts";
import { inMainWorktree, linkedWorktree, repositoryRoot } from "../config/worktree.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import type { RecordIncident, Reports } from "../core/incidents.ts";
import type { Clock } from "../core/ports/documents.ts";
import { copyFiles } from "../files/backups.ts";
import { bankFiles, removeBankFiles } from "../files/bank-files.ts";
import { MarkdownDocuments } from "../files/documents.ts";
import { IncidentFile } from "../files/incidents.ts";
import { COMPANIONS } from "../sqlite/database/damaged-copy.ts";
import { WorkspaceDatabase } from "../sqlite/database/database.ts";
import type { StoreConversations } from "../sqlite/database/migrations.ts";
import {
  ensureDirectory,
  fsyncDirectory,
  isInside,
  lstatIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../util/fs.ts";
import { databaseOwner } from "./database-owner.ts";
import { keepInFiles, markBank, sessionsDirectory } from "./sessions/directory.ts";

/**
 * Creates the current directory's own project workspace; in a linked worktree, the main worktree's. Existing files stay, and so does
 * a project defined by an `.arcaneum` file. Returns the new files. A new workspace of a whole repository gets the memory of its
 * bank, if one is passed: `hasMoved` says so.
 */
export async function initProject(
  surroundings: Surroundings,
  bank: Workspace | null,
): Promise<{ workspace: Workspace; created: string[]; hasMoved: boolean }> {
  const { cwd } = surroundings;
  const linked = linkedWorktree(cwd);
  const directory = (linked === null ? null : inMainWorktree(linked, cwd)) ?? cwd;
  const workspace = ownProjectWorkspace(directory);
  const { home } = chooseWorkspace(surroundings, "global");
  if (workspace.root === home.root)
    throw new RetainError(
      "usage",
      `${workspace.root} is your home workspace, so it cannot be a project as well.`,
      hint`In a project directory: ${command("init")}`,
    );
  requireShortPath(workspace);
  if (!isInside(directory, workspace.root))
    throw new RetainError(
      "unsafe",
      `${workspace.root} is a symlink that points outside the project.`,
      "Remove the link.",
    );
  const there = existsSync(workspace.configFile) ? null : arcaneumAt(directory, surroundings.userId);
  if (there !== null) return { workspace: there, created: [], hasMoved: false };
  const isNew = lstatIfThere(workspace.root) === null && repositoryRoot(directory) === directory;
  if (bank !== null && isNew) return { workspace, created: await moveBank(bank, workspace), hasMoved: true };
  const created = createWorkspace(workspace.root, startingFiles(workspace));
  completeGitignore(workspace);
  return { workspace, created, hasMoved: false };
}

/**
 * Moves a bank's documents, memory files and undo records into a new workspace, and returns the workspace's own new files. The
 * workspace appears complete, by a rename; then the bank's files are removed. Its conversations stay: they are the project's.
 */
async function moveBank(bank: Workspace, workspace: Workspace): Promise<string[]> {
  const { root } = workspace;
  const prepared = join(dirname(root), `.tmp-${basename(root)}`);
  const created = await exclusively(bank, () => {
    try {
      rmSync(prepared, { recursive: true, force: true });
      const { leftovers, strange: _, ...files } = bankFiles(bank.root, bank.collections);
      const moved = Object.values(files).flat();
      const made = createWorkspace(prepared, startingFiles(workspace));
      copyFiles(bank.root, moved, prepared);
      renameSync(prepared, root);
      fsyncDirectory(dirname(root));
      removeBankFiles(bank.root, [...moved, ...leftovers]);
      return made.map((path) => join(root, basename(path)));
    } catch (error) {
      throw ioError(error, `Cannot move ${bank.root} to ${root}`);
    }
  });
  // It still has the words of what was moved.
  for (const suffix of ["", ...COMPANIONS]) removeIfThere(bank.database + suffix);
  return created;
}

/** Documents of an `.arcaneum` project in the same directory, except those this project has too; null if there are none. */
export function hiddenDocuments({ hides, collections, root, configFile }: Workspace) {
  if (hides === null) return null;
  const own = new MarkdownDocuments(collections, root);
  try {
    const { found } = new MarkdownDocuments(hides.collections, hides.root).scan();
    const documents = found.map(({ ref }) => ref).filter((ref) => !own.has(ref));
    return documents.length === 0 ? null : { root: hides.root, configFile, documents };
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
}

/**
 * Changes files of a workspace while no other process does; creates the workspace if missing. For a project, pass the surroundings:
 * its database may come from a stranger's repository.
 */
export async function exclusively<T>(
  workspace: Workspace,
  change: () => T,
  surroundings?: Surroundings,
): Promise<T> {
  const home = surroundings === undefined ? workspace : chooseWorkspace(surroundings, "global").home;
  const record = incidentRecorder(home, workspace, () => new Date());
  const database = workspaceDatabase(workspace, { warn: () => {}, record }, surroundings);
  try {
    return await database.exclusively(change);
  } finally {
    database.close();
  }
}

/** undefined removes the setting. */
export async function changeSetting(
  workspace: Workspace,
  key: SettingKey,
  value: unknown,
  surroundings?: Surroundings,
): Promise<void> {
  await exclusively(workspace, () => writeSetting(workspace.configFile, key, value), surroundings);
}

/** Changes a list in the home config to the one that `change` returns under its name. */
export function changeList<
  K extends "folders" | "model_endpoints",
  T extends { readonly [key in K]: readonly unknown[] },
>(home: Workspace, key: K, change: (current: Settings[K]) => T): Promise<T> {
  return exclusively(home, () => {
    const current = readConfigFile(home.configFile, "user")?.values[key] ?? ([] as Settings[K]);
    const result = change(current);
    const list = result[key];
    if (list !== current) writeSetting(home.configFile, key, list.length === 0 ? undefined : list);
    return result;
  });
}

/** Creates the workspace if missing; returns the new files. */
export function prepareWorkspace(workspace: Workspace): string[] {
  if (existsSync(workspace.database)) return [];
  return createWorkspace(workspace.root, startingFiles(workspace));
}

/** A project's config may be outside the workspace: in an `.arcaneum` file, or next to the directory that file names. */
function startingFiles({ kind, root, configFile }: Workspace): Record<string, string> {
  const owner = kind === "home" ? "user" : "project";
  const config = { [CONFIG_FILE]: configTemplate(owner) };
  const forGit = { ".gitignore": gitignore(owner), ".gitattributes": GITATTRIBUTES };
  return { ...(configFile === join(root, CONFIG_FILE) ? config : {}), ...forGit };
}

/** Adds lines missing in an older version's file. Skips a missing, linked or read-only file. */
function completeGitignore({ kind, root }: Workspace): void {
  const path = join(root, ".gitignore");
  if (kind === "home" || !lstatIfThere(path)?.isFile()) return;
  try {
    const content = readFileSync(path, "utf8");
    const completed = completedGitignore(content);
    if (completed !== content) writeFileAtomic(path, completed);
  } catch {
    // The next write reports the problem with the directory.
  }
}

/** Records incidents of a workspace in the home workspace. */
export function incidentRecorder(
  home: Pick<Workspace, "root">,
  workspace: Pick<Workspace, "root">,
  clock: Clock,
): RecordIncident {
  const file = new IncidentFile(home.root);
  return (incident) => file.record(workspace.root, incident, clock());
}

/** The workspace's lock and database; creates the workspace before the first write. */
export function workspaceDatabase(
  workspace: Workspace,
  { warn, record }: Reports,
  surroundings?: Surroundings,
): WorkspaceDatabase {
  const owner = surroundings === undefined ? null : databaseOwner(workspace, surroundings);
  let isComplete = false;
  const prepare = () => {
    prepareWorkspace(workspace);
    if (!isComplete) completeGitignore(workspace);
    isComplete = true;
  };
  const keep: StoreConversations = (sessions, given) => {
    const directory = sessionsDirectory(workspace, surroundings);
    markBank(workspace, directory);
    keepInFiles(directory)(sessions, given);
  };
  return new WorkspaceDatabase(workspace.database, prepare, warn, { owner, keep, record });
}

/** Creates the directory and missing starting files; returns the new paths. */
function createWorkspace(root: string, startingFiles: Readonly<Record<string, string>>): string[] {
  try {
    ensureDirectory(root);
    const missing = Object.keys(startingFiles).filter((name) => !existsSync(join(root, name)));
    for (const name of missing) writeFileAtomic(join(root, name), startingFiles[name] ?? "");
    if (missing.length > 0) fsyncDirectory(root);
    return missing.map((name) => join(root, name));
  } catch (error) {
    throw ioError(error, `Cannot create the workspace ${root}`);
  }
}
