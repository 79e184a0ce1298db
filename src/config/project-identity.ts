/**
 * The identity of a project, used to name its banks. It is the same in every worktree and, with the same remote, after a move.
 * Two projects with the same name have different ids. Read from git's files, without running git.
 */
import { basename, dirname, join, relative } from "node:path";
import { slugify } from "../core/documents/slug.ts";
import { errorCode, resolveLinks } from "../util/fs.ts";
import { sha256 } from "../util/hash.ts";
import { remotesIn } from "./git-config.ts";
import { repositoryAddress } from "./repository-address.ts";
import { namedDirectory, readText, repositoryRoot, sharedDirectory } from "./worktree.ts";

export interface ProjectIdentity {
  /** "name-1a2b3c4d": valid in file names and bank names. */
  readonly id: string;
  readonly name: string;
}

const HASH_LENGTH = 8;

/**
 * The identity of the repository around the directory, from its remote `origin`, else its first remote, else the path of its
 * git directory. Without a repository, from the directory itself.
 */
export function projectIdentity(directory: string): ProjectIdentity {
  const root = repositoryRoot(directory);
  const real = resolveLinks(root ?? directory);
  if (root === null) return identityOf(real, basename(real));
  const { own, address } = repositoryAt(root);
  if (address !== null) return identityOf(address, basename(address));
  return identityOf(own, nameOf(own));
}

/** The identity of a project workspace. Below a repository's root it is a separate project, since there may be several. */
export function projectWorkspaceIdentity(project: string): ProjectIdentity {
  const root = repositoryRoot(project);
  const below = root === null ? "" : relative(resolveLinks(root), resolveLinks(project));
  const whole = projectIdentity(project);
  return below === "" ? whole : identityOf(`${whole.id}/${below}`, basename(project));
}

/** Its identity before it had a remote, if it wasn't moved; null if it has no remote. */
export function formerIdentity(directory: string): ProjectIdentity | null {
  const root = repositoryRoot(directory);
  const { own, address } = root === null ? { own: "", address: null } : repositoryAt(root);
  return address === null ? null : identityOf(own, nameOf(own));
}

function repositoryAt(root: string) {
  const shared = sharedDirectory(root);
  // Ignores an unconfirmed `.git` file: it may point to another project.
  const own = resolveLinks(shared ?? join(root, ".git"));
  return { own, address: remoteAddress(shared ?? namedDirectory(root) ?? own, dirname(own)) };
}

function identityOf(location: string, name: string): ProjectIdentity {
  const slug = slugify(name) || "project";
  return { id: `${slug}-${sha256(location).slice(0, HASH_LENGTH)}`, name: slug };
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

/** An unreadable config counts as empty. */
function readOrNothing(path: string): string {
  try {
    return readText(path) ?? "";
  } catch (error) {
    if (errorCode(error) === "EACCES") return "";
    throw error;
  }
}
