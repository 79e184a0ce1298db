/** Which workspace a command works on, and why: the project's where there is one, else the user's home workspace. */
import type { Stats } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { RetainError } from "../core/errors.ts";
import { errorCode, isInside, lstatIfThere, resolveLinks } from "../util/fs.ts";
import { CONFIG_FILE, type ConfigFields, readFields, sectionOf } from "./file.ts";
import { asBoolean } from "./names.ts";
import type { ProjectIdentity } from "./project-identity.ts";
import { expandTilde } from "./tilde.ts";
import { linkedWorktree } from "./worktree.ts";

const WORKSPACE_DIRECTORY = ".retain";
const BANKS = "banks";
const ARCANEUM_FILE = ".arcaneum";
const ARCANEUM_DIRECTORY = ".arcaneum-retain";

/** "local" and "global" are a person's choice; "auto" looks for a project first. */
export type Scope = "auto" | "local" | "global";

export interface Workspace {
  readonly kind: "home" | "project";
  /** The directory that holds everything of this workspace. */
  readonly root: string;
  /** Holds one directory for each collection. */
  readonly collections: string;
  readonly database: string;
  readonly configFile: string;
  /** The project's own directory; null for the home workspace, and for a bank in it. */
  readonly project: string | null;
  /** The project whose memory this is, where that is kept in the home workspace; null elsewhere. */
  readonly bank: ProjectIdentity | null;
  /** The project that an `.arcaneum` file makes of the same directory, where `.retain/` takes precedence; null elsewhere. */
  readonly hides: Workspace | null;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The user's number; null where the system has none. */
  readonly userId: number | null;
}

export interface Choice {
  readonly workspace: Workspace;
  readonly home: Workspace;
  /** The project whose workspace was chosen; null for the home workspace, and for a bank in it. */
  readonly project: Workspace | null;
  /** Each step of the search, in words. */
  readonly reasons: readonly string[];
}

/** Throws `no_project` for "local" outside a project, `invalid_config` for a project whose path leads out of it. */
export function chooseWorkspace(surroundings: Surroundings, scope: Scope): Choice {
  const home = homeWorkspace(surroundings);
  const reasons: string[] = [];
  if (scope === "global") {
    reasons.push("--global was given");
    return { workspace: home, home, project: null, reasons };
  }
  const project = findProject(surroundings, home, reasons);
  if (project !== null) return { workspace: project, home, project, reasons };
  if (scope === "local")
    throw new RetainError(
      "no_project",
      `There is no project workspace in ${surroundings.cwd} or above it.`,
      "Make one here with: retain init",
    );
  reasons.push(`no project in ${surroundings.cwd} or above it, so the home workspace is used`);
  return { workspace: home, home, project: null, reasons };
}

/** The config file that `chooseWorkspace` would come to first, unread: it may be what needs mending. */
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

/** The workspace that `retain init` makes in a directory. */
export function ownProjectWorkspace(directory: string): Workspace {
  const root = join(directory, WORKSPACE_DIRECTORY);
  return layout("project", root, join(root, CONFIG_FILE), directory);
}

/** SQLite opens paths of 511 bytes at most, and puts up to 40 behind the workspace's: "/retain.db.damaged-…-journal". */
const MOST_BYTES = 470;

/** Throws `io` where the path of a workspace is too long for its database. */
export function requireShortPath({ root }: Pick<Workspace, "root">): void {
  const bytes = Buffer.byteLength(root);
  if (bytes <= MOST_BYTES) return;
  throw new RetainError(
    "io",
    `The path of the workspace has ${bytes} bytes; its database allows at most ${MOST_BYTES} bytes: ${root}`,
    "Choose a shorter path: set RETAIN_HOME, or move the project.",
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

/** The memory of a project that has no workspace of its own. Its settings are the user's. */
export function bankWorkspace(home: Workspace, bank: ProjectIdentity): Workspace {
  return { ...layout("project", bankDirectory(home, bank.id), home.configFile, null), bank };
}

/** Also holds the conversations of a project that has a workspace of its own. */
export function bankDirectory(home: Workspace, id: string): string {
  return join(home.root, BANKS, id);
}

function findProject(surroundings: Surroundings, home: Workspace, reasons: string[]): Workspace | null {
  for (const { directory, file, read } of projectConfigs(surroundings, home, reasons)) {
    const found = read(directory, file, reasons);
    if (found !== null) return { ...found, hides: hiddenBy(found, surroundings, reasons) };
  }
  return null;
}

/** A broken `.arcaneum` hides nothing that could be read. */
function hiddenBy(
  { project, configFile }: Workspace,
  { userId }: Surroundings,
  reasons: string[],
): Workspace | null {
  if (project === null || configFile === join(project, ARCANEUM_FILE)) return null;
  try {
    const hidden = arcaneumAt(project, userId);
    if (hidden !== null)
      reasons.push(`${hidden.configFile} is not used, since ${configFile} takes precedence`);
    return hidden;
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
}

/** What an `.arcaneum` file makes of its directory; null where there is none, or it doesn't. Throws `invalid_config`. */
export function arcaneumAt(directory: string, userId: number | null): Workspace | null {
  const file = join(directory, ARCANEUM_FILE);
  return isOurFile(file, userId, []) ? arcaneumProject(directory, file, []) : null;
}

interface ProjectConfig {
  readonly directory: string;
  readonly file: string;
  readonly read: (directory: string, file: string, reasons: string[]) => Workspace | null;
}

/** The files that could make a project, nearest first, none of them read yet. */
function* projectConfigs(
  surroundings: Surroundings,
  home: Workspace,
  reasons: string[],
): Generator<ProjectConfig> {
  const homes = [home.root, join(surroundings.homeDirectory, WORKSPACE_DIRECTORY)].map(resolveLinks);
  for (const directory of searchPath(surroundings.cwd, reasons)) {
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

/** The current directory and everything above it; inside a linked worktree, its twin in the main one comes first. */
function searchPath(cwd: string, reasons: string[]): string[] {
  const path: string[] = [];
  for (let current = resolve(cwd); ; current = dirname(current)) {
    path.push(current);
    if (dirname(current) === current) break;
  }
  const linked = linkedWorktree(cwd);
  if (linked === null) return path;
  reasons.push(`${linked.root} is a linked worktree of ${linked.main}, whose memory it shares`);
  return path.flatMap((directory) =>
    isInside(linked.root, directory)
      ? [join(linked.main, relative(linked.root, directory)), directory]
      : [directory],
  );
}

function ownProject(directory: string, file: string, reasons: string[]): Workspace | null {
  const fields = readFields(file);
  const settings = sectionOf(fields?.values ?? {});
  if (asBoolean(settings.enabled) === false) {
    reasons.push(`${file} says 'enabled: false'`);
    return null;
  }
  const root = insideProject(directory, settings.path ?? WORKSPACE_DIRECTORY, file, fields);
  reasons.push(`${file} makes ${directory} a project`);
  return layout("project", root, file, directory);
}

/** Spec 002's own file. Its collections stand directly in the directory that it names. */
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

/** A project's config may not point anywhere outside the project, nor may a link in its place. */
function insideProject(project: string, path: unknown, file: string, fields: ConfigFields | null): string {
  const root = typeof path === "string" ? resolve(project, path) : project;
  if (typeof path === "string" && root !== resolve(project) && isInside(project, root)) return root;
  const inSection = fields !== null && sectionOf(fields.values) !== fields.values;
  const line = fields?.lineOf(...(inSection ? ["retain", "path"] : ["path"])) ?? 1;
  throw new RetainError(
    "invalid_config",
    `${file}:${line}: the workspace's 'path' must be a directory inside ${project}, and ${JSON.stringify(path)} leads elsewhere.`,
    "Name another path, or put a directory in the place of a link.",
  );
}

/**
 * A config that is a link, that we may not look at, or that is another user's makes no project; the reasons say so. In a
 * shared directory such as /tmp anybody could leave a workspace for others to fill.
 */
function isOurFile(path: string, userId: number | null, reasons: string[]): boolean {
  try {
    const entry = lstatIfThere(path);
    if (entry?.isSymbolicLink()) reasons.push(`${path} is a link, which is not followed`);
    // A directory where a project's config should be is an error, not a reason to store its memory elsewhere.
    const isConfig = entry?.isFile() || (entry?.isDirectory() && basename(path) === CONFIG_FILE);
    if (entry === null || !isConfig) return false;
    if (isOwnEntry(entry, userId)) return true;
    reasons.push(`${path} belongs to another user, so it is left alone`);
    return false;
  } catch (error) {
    reasons.push(`${path} cannot be looked at (${errorCode(error)})`);
    return false;
  }
}

/** Whether the user, or root, made it. Root works for everybody. */
export function isOwnEntry({ uid }: Stats, userId: number | null): boolean {
  return userId === null || userId === 0 || uid === userId || uid === 0;
}
