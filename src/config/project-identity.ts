/**
 * Which project a directory belongs to, as a name that its banks have: the same in every worktree of a repository, and after a
 * move as long as the remote is the same; another one for another project of the same name. Read from git's own files.
 */
import { basename, dirname, join, relative } from "node:path";
import { slugify } from "../core/documents/slug.ts";
import { errorCode, resolveLinks } from "../util/fs.ts";
import { sha256 } from "../util/hash.ts";
import { remotesIn } from "./git-config.ts";
import { repositoryAddress } from "./repository-address.ts";
import { namedDirectory, readText, repositoryRoot, sharedDirectory } from "./worktree.ts";

export interface ProjectIdentity {
  /** "name-1a2b3c4d": usable as a file's name and in a bank's. */
  readonly id: string;
  readonly name: string;
}

const HASH_LENGTH = 8;

/**
 * Of the repository that holds the directory: by its remote `origin`, else its first one, else by where git's directory is. Of
 * the directory itself where there is no repository.
 */
export function projectIdentity(directory: string): ProjectIdentity {
  const root = repositoryRoot(directory);
  const real = resolveLinks(root ?? directory);
  if (root === null) return identityOf(real, basename(real));
  const { own, address } = repositoryAt(root);
  if (address !== null) return identityOf(address, basename(address));
  return identityOf(own, nameOf(own));
}

/** Of a project workspace: one that is not at the root of its repository is another project, as there may be several in it. */
export function projectWorkspaceIdentity(project: string): ProjectIdentity {
  const root = repositoryRoot(project);
  const below = root === null ? "" : relative(resolveLinks(root), resolveLinks(project));
  const whole = projectIdentity(project);
  return below === "" ? whole : identityOf(`${whole.id}/${below}`, basename(project));
}

/** What it was before it had a remote, as long as it was not moved; null where it has none. */
export function formerIdentity(directory: string): ProjectIdentity | null {
  const root = repositoryRoot(directory);
  const { own, address } = root === null ? { own: "", address: null } : repositoryAt(root);
  return address === null ? null : identityOf(own, nameOf(own));
}

function repositoryAt(root: string) {
  const shared = sharedDirectory(root);
  // A `.git` file that nothing confirms proves nothing: what it names may be another project's.
  const own = resolveLinks(shared ?? join(root, ".git"));
  return { own, address: remoteAddress(shared ?? namedDirectory(root) ?? own, dirname(own)) };
}

function identityOf(place: string, name: string): ProjectIdentity {
  const slug = slugify(name) || "project";
  return { id: `${slug}-${sha256(place).slice(0, HASH_LENGTH)}`, name: slug };
}

/** "project" for /code/project/.git and for /code/project.git. */
function nameOf(gitDirectory: string): string {
  const name = basename(gitDirectory);
  return name === ".git" ? basename(dirname(gitDirectory)) : name.replace(/^\.+|\.git$/g, "");
}

function remoteAddress(gitDirectory: string, base: string): string | null {
  const remotes = remotesIn(readOrNothing(join(gitDirectory, "config")));
  const chosen = remotes.find(({ name }) => name === "origin") ?? remotes[0];
  return chosen === undefined ? null : repositoryAddress(chosen.url, base);
}

/** A config that may not be read says nothing about its project. */
function readOrNothing(path: string): string {
  try {
    return readText(path) ?? "";
  } catch (error) {
    if (errorCode(error) === "EACCES") return "";
    throw error;
  }
}
