/** Chooses the workspace: the project's if there is one, else the home workspace. Records the reasons. */
import { basename, dirname, join, resolve } from "node:path";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import { errorCode, isInside, lstatIfThere, resolveLinks } from "../util/fs.ts";
import { CONFIG_FILE, type ConfigFields, readFields, sectionOf } from "./file.ts";
import { asBoolean } from "./names.ts";
import type { ProjectIdentity } from "./project-identity.ts";
import { expandTilde } from "./tilde.ts";
import { inMainWorktree, linkedWorktree } from "./worktree.ts";

const WORKSPACE_DIRECTORY = ".retain";
export const BANKS = "banks";
const ARCANEUM_FILE = ".arcaneum";
const ARCANEUM_DIRECTORY = ".arcaneum-retain";

/** "local" and "global" are the user's choice; "auto" looks for a project first. */
export type Scope = "auto" | "local" | "global";

export interface Workspace {
  readonly kind: "home" | "project";
  /** The workspace's directory. */
  readonly root: string;
  /** Has a directory for each collection. */
  readonly collections: string;
  readonly database: string;
  readonly configFile: string;
  /** The project's directory; null for the home workspace and its banks. */
  readonly project: string | null;
  /** The project of a bank in the home workspace; null for other workspaces. */
  readonly bank: ProjectIdentity | null;
  /** The `.arcaneum` workspace of the same directory that `.retain/` overrides, if any. */
  readonly hides: Workspace | null;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The user's id; null if the system has none. */
  readonly userId: number | null;
}

export interface Choice {
  readonly workspace: Workspace;
  readonly home: Workspace;
  /** The project of the chosen workspace; null for the home workspace and its banks. */
  readonly project: Workspace | null;
  /** Why it was chosen, one sentence per step of the search. */
  readonly reasons: readonly string[];
}

/** Throws `no_project` for "local" outside a project, `invalid_config` for a workspace path outside the project. */
export function chooseWorkspace(surroundings: Surroundings, scope: Scope): Choice {
  const home = homeWorkspace(surroundings);
  const reasons: string[] = [];
  if (scope === "global") {
    reasons.push(`${option("global")} was given`);
    return { workspace: home, home, project: null, reasons };
  }
  const project = findProject(surroundings, home, reasons);
  if (project !== null) return { workspace: project, home, project, reasons };
  if (scope === "local") throw noProject(surroundings);
  reasons.push(`no project in ${surroundings.cwd} or its parent directories, so the home workspace is used`);
  return { workspace: home, home, project: null, reasons };
}

export function noProject({ cwd }: Pick<Surroundings, "cwd">): RetainError {
  return new RetainError(
    "no_project",
    `No project workspace in ${cwd} or its parent directories.`,
    hint`Create one here: ${command("init")}`,
  );
}

/** The config file that `chooseWorkspace` would read first. Not read here: it may be the broken one. */
export function nearestConfigFile(surroundings: Surroundings, scope: Scope): string {
  const home = homeWorkspace(surroundings);
  const [first] = scope === "global" ? [] : projectConfigs(surroundings, home, []);
  return first?.file ?? home.configFile;
}

function homeWorkspace({ cwd, env, homeDirectory }: Surroundings): Workspace {
  const root = env.RETAIN_HOME
    ? resolve(cwd, expandTilde(env.RETAIN_HOME, homeDirectory))
    : join(homeDirectory, WORKSPACE_DIRECTORY);
  return layout("home", root, join(root, CONFIG_FILE), null);
}

/** The workspace that `retain init` creates in a directory. */
export function ownProjectWorkspace(directory: string): Workspace {
  const root = join(directory, WORKSPACE_DIRECTORY);
  return layout("project", root, join(root, CONFIG_FILE), directory);
}

/** SQLite opens paths of up to 511 bytes, and file names add up to 40: "/retain.db.damaged-…-journal". */
const MOST_BYTES = 470;

/** Throws `io` if a workspace's path is too long for its database. */
export function requireShortPath({ root }: Pick<Workspace, "root">): void {
  const bytes = Buffer.byteLength(root);
  if (bytes <= MOST_BYTES) return;
  throw new RetainError(
    "io",
    `The workspace's path is too long for its database (${bytes} bytes; at most ${MOST_BYTES}): ${root}`,
    "Set RETAIN_HOME to a shorter path, or move the project.",
  );
}

function layout(
  kind: Workspace["kind"],
  root: string,
  configFile: string,
  project: string | null,
): Workspace {
  return {
    kind,
    root,
    collections: join(root, "collections"),
    database: join(root, "retain.db"),
    configFile,
    project,
    bank: null,
    hides: null,
  };
}

/** The bank of a project without its own workspace. It uses the user's settings. */
export function bankWorkspace(home: Workspace, bank: ProjectIdentity): Workspace {
  return { ...layout("project", bankDirectory(home, bank.id), home.configFile, null), bank };
}

/** Also contains the conversations of a project with its own workspace. */
export function bankDirectory(home: Workspace, id: string): string {
  return join(home.root, BANKS, id);
}

function findProject(surroundings: Surroundings, home: Workspace, reasons: string[]): Workspace | null {
  const linked = linkedWorktree(surroundings.cwd);
  const steps: string[] = [];
  const found = firstProject(surroundings, home, steps);
  if (linked !== null) {
    const isOwn = found !== null && found.project !== null && inMainWorktree(linked, found.project) !== null;
    const whose = isOwn ? ", which has no workspace, so it uses its own" : " and shares its memory";
    reasons.push(`${linked.root} is a linked worktree of ${linked.main}${whose}`);
  }
  reasons.push(...steps);
  return found;
}

function firstProject(surroundings: Surroundings, home: Workspace, reasons: string[]): Workspace | null {
  for (const { directory, file, read } of projectConfigs(surroundings, home, reasons)) {
    const found = read(directory, file, reasons);
    if (found !== null) return { ...found, hides: hiddenBy(found, surroundings, reasons) };
  }
  return null;
}

/** Ignores a broken `.arcaneum`. */
function hiddenBy(
  { project, configFile }: Workspace,
  { userId }: Surroundings,
  reasons: string[],
): Workspace | null {
  if (project === null || configFile === join(project, ARCANEUM_FILE)) return null;
  try {
    const hidden = arcaneumAt(project, userId);
    if (hidden !== null) reasons.push(`${hidden.configFile} is ignored: ${configFile} takes precedence`);
    return hidden;
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
}

/** The workspace that an `.arcaneum` file defines, if any. Throws `invalid_config`. */
export function arcaneumAt(directory: string, userId: number | null): Workspace | null {
  const file = join(directory, ARCANEUM_FILE);
  return isOurFile(file, userId, []) ? arcaneumProject(directory, file, []) : null;
}

interface ProjectConfig {
  readonly directory: string;
  readonly file: string;
  readonly read: (directory: string, file: string, reasons: string[]) => Workspace | null;
}

/** Candidate config files, nearest first, not read yet. */
function* projectConfigs(
  surroundings: Surroundings,
  home: Workspace,
  reasons: string[],
): Generator<ProjectConfig> {
  const homes = [home.root, join(surroundings.homeDirectory, WORKSPACE_DIRECTORY)].map(resolveLinks);
  for (const directory of searchPath(surroundings.cwd)) {
    const own = ownProjectWorkspace(directory);
    const configs: ProjectConfig[] = [
      { directory, file: own.configFile, read: ownProject },
      { directory, file: join(directory, ARCANEUM_FILE), read: arcaneumProject },
    ];
    for (const config of configs) {
      const isHome = config.read === ownProject && homes.includes(resolveLinks(own.root));
      if (!isHome && isOurFile(config.file, surroundings.userId, reasons)) yield config;
    }
  }
}

/** The current directory and its parents. In a linked worktree, the same directory of the main worktree comes first. */
function searchPath(cwd: string): string[] {
  const path: string[] = [];
  for (let current = resolve(cwd); ; current = dirname(current)) {
    path.push(current);
    if (dirname(current) === current) break;
  }
  const linked = linkedWorktree(cwd);
  if (linked === null) return path;
  return path.flatMap((directory) => [inMainWorktree(linked, directory) ?? [], directory].flat());
}

function ownProject(directory: string, file: string, reasons: string[]): Workspace | null {
  const fields = readFields(file);
  const settings = sectionOf(fields?.values ?? {});
  if (asBoolean(settings.enabled) === false) {
    reasons.push(`${file} has 'enabled: false'`);
    return null;
  }
  const root = insideProject(directory, settings.path ?? WORKSPACE_DIRECTORY, file, fields);
  reasons.push(`${file} makes ${directory} a project`);
  return layout("project", root, file, directory);
}

/** The project of an `.arcaneum` file. Its collections are directly in the directory that the file names. */
function arcaneumProject(directory: string, file: string, reasons: string[]): Workspace | null {
  const fields = readFields(file);
  const retain = (fields?.values.retain ?? {}) as { enabled?: unknown; path?: unknown };
  const enabled = asBoolean(retain.enabled ?? false);
  if (typeof enabled !== "boolean")
    throw new RetainError(
      "invalid_config",
      `${file}:${fields?.lineOf("retain", "enabled")}: 'enabled' must be true or false, not ${JSON.stringify(enabled)}.`,
    );
  if (!enabled) {
    reasons.push(`${file} does not enable retain`);
    return null;
  }
  const root = insideProject(directory, retain.path ?? ARCANEUM_DIRECTORY, file, fields);
  reasons.push(`${file} makes ${directory} a project`);
  return { ...layout("project", root, file, directory), collections: root };
}

/** Neither a project's config nor a symlink may point outside the project. */
function insideProject(project: string, path: unknown, file: string, fields: ConfigFields | null): string {
  const root = typeof path === "string" ? resolve(project, path) : project;
  if (typeof path === "string" && root !== resolve(project) && isInside(project, root)) return root;
  const inSection = fields !== null && sectionOf(fields.values) !== fields.values;
  const line = fields?.lineOf(...(inSection ? ["retain", "path"] : ["path"])) ?? 1;
  throw new RetainError(
    "invalid_config",
    `${file}:${line}: the workspace's 'path' must be a directory inside ${project}, but ${JSON.stringify(path)} is outside.`,
    "Set another path, or replace the symlink with a directory.",
  );
}

/**
 * A config that is a symlink, unreadable, or another user's doesn't make a project; the reasons say so. In a shared directory
 * such as /tmp, anybody could plant a workspace.
 */
function isOurFile(path: string, userId: number | null, reasons: string[]): boolean {
  try {
    const entry = lstatIfThere(path);
    if (entry?.isSymbolicLink()) reasons.push(`${path} is a symlink, so it is ignored`);
    // A directory in place of a project's config is an error, not a reason to use another workspace.
    const isConfig = entry?.isFile() || (entry?.isDirectory() && basename(path) === CONFIG_FILE);
    if (entry === null || !isConfig) return false;
    if (isOwnEntry(entry, userId)) return true;
    reasons.push(`${path} belongs to another user, so it is ignored`);
    return false;
  } catch (error) {
    reasons.push(`${path} cannot be read (${errorCode(error)})`);
    return false;
  }
}

/** Whether it belongs to the user or to root. */
export function isOwnEntry({ uid }: { readonly uid: number }, userId: number | null): boolean {
  return userId === null || userId === 0 || uid === userId || uid === 0;
}
