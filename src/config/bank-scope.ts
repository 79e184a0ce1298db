/**
 * Chooses the bank by `local_scoping` and `hindsight_scoping`: one for all projects, or one for each. --local and --global choose
 * the project's or the home workspace.
 */
import { existsSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { checkNewName, isNewName } from "../core/documents/names.ts";
import { entriesIfThere, isInside, lstatIfThere, resolveLinks } from "../util/fs.ts";
import { formerIdentity, type ProjectIdentity, projectIdentity } from "./project-identity.ts";
import { SETTINGS, type Settings } from "./schema.ts";
import {
  BANKS,
  bankDirectory,
  bankWorkspace,
  type Choice,
  chooseWorkspace,
  isOwnEntry,
  type Scope,
  type Surroundings,
  type Workspace,
} from "./workspace.ts";
import { linkedWorktree, repositoryRoot } from "./worktree.ts";

/**
 * Like `chooseWorkspace`, but a repository without a workspace has a bank in the home workspace, unless `local_scoping` says
 * otherwise. Throws the same errors.
 */
export function chooseBank(
  surroundings: Surroundings,
  scope: Scope,
  scoping: Settings["local_scoping"],
): Choice {
  const reasons = scoping === SETTINGS.local_scoping.default ? [] : [`local_scoping is '${scoping}'`];
  if (scope === "global") return chooseWorkspace(surroundings, scope);
  if (scoping === "global")
    return scope === "local"
      ? chooseWorkspace(surroundings, scope)
      : { ...chooseWorkspace(surroundings, "global"), reasons };
  const found = chooseWorkspace(surroundings, "auto");
  const { home, project } = found;
  const repository =
    project === null || scoping === "per-project" ? ownRepository(surroundings, home, reasons) : null;
  if (repository === null || (project !== null && isOf(repository, project))) {
    const chosen = scope === "local" ? chooseWorkspace(surroundings, scope) : found;
    return { ...chosen, reasons: [...reasons, ...chosen.reasons] };
  }
  // The last reason is for the workspace that isn't used.
  reasons.push(
    ...found.reasons.slice(0, -1),
    `${repository} is a repository without its own workspace, so its bank is in your home workspace`,
  );
  return { workspace: bankOf(repository, home, reasons), home, project: null, reasons };
}

/** The bank with this name, whatever the current directory. Throws `invalid_name`. */
export function chooseNamedBank(surroundings: Surroundings, name: string): Choice {
  checkNewName("id", name);
  const { home } = chooseWorkspace(surroundings, "global");
  const reasons = [`the bank '${name}' was given`];
  return { workspace: bankWorkspace(home, { id: name, name }), home, project: null, reasons };
}

/** The names of the banks in the home workspace, from a to z. */
export function bankNames(home: Workspace): string[] {
  return entriesIfThere(join(home.root, BANKS))
    .filter((entry) => entry.isDirectory() && isNewName("id", entry.name))
    .map(({ name }) => name)
    .sort();
}

/** A repository that gained a remote keeps its old bank, unless the remote's bank exists. */
function bankOf(repository: string, home: Workspace, reasons: string[]): Workspace {
  const identity = projectIdentity(repository);
  const bank = bankWorkspace(home, identity);
  const former = linkedBank(home, identity) ?? (existsSync(bank.root) ? null : formerBank(repository, home));
  if (former === null) return bank;
  linkBank(bank, former);
  reasons.push("the bank was created before the repository had a remote");
  return bankWorkspace(home, { ...identity, id: former });
}

/** The id of the bank that the repository had before it had a remote, if it wasn't moved since. */
function formerBank(repository: string, home: Workspace): string | null {
  const id = formerIdentity(repository)?.id;
  return id !== undefined && existsSync(bankDirectory(home, id)) ? id : null;
}

/** Links the remote's name to the former bank, so that it is also found after the repository is moved or cloned. */
function linkBank({ root }: Workspace, former: string): void {
  if (lstatIfThere(root) !== null) return;
  try {
    symlinkSync(former, root);
  } catch {
    // A home that can't be written: the bank is found by the repository's path.
  }
}

/** The id of the bank that a link with the project's id names; null if there is no such link. */
function linkedBank(home: Workspace, { id }: ProjectIdentity): string | null {
  const path = bankDirectory(home, id);
  const target = lstatIfThere(path)?.isSymbolicLink() ? readlinkSync(path) : "";
  return isNewName("id", target) ? target : null;
}

/** Whether the project is inside the repository or its main worktree. */
function isOf(repository: string, { project }: Workspace): boolean {
  const roots = [repository, linkedWorktree(repository)?.main ?? repository];
  return project !== null && roots.some((root) => isInside(root, project));
}

/**
 * The root of the repository around the current directory; null if there is none or it can't be a project: another user's
 * repository, or one for the home directory itself.
 */
function ownRepository(surroundings: Surroundings, home: Workspace, reasons: string[]): string | null {
  const { cwd, userId, homeDirectory } = surroundings;
  const root = repositoryRoot(cwd);
  const entry = root === null ? null : lstatIfThere(join(root, ".git"));
  if (root === null || entry === null) return null;
  if (!isOwnEntry(entry, userId)) {
    reasons.push(`${root} is another user's repository, so it is ignored`);
    return null;
  }
  if (![homeDirectory, home.root].map(resolveLinks).includes(resolveLinks(root))) return root;
  reasons.push(`${root} is your home directory or workspace, not a project`);
  return null;
}

/** The project of the current directory, from its workspace or else its repository; null outside of both. */
export function projectHere(surroundings: Surroundings, choice: Choice): ProjectHere | null {
  const directory = choice.workspace.project ?? ownRepository(surroundings, choice.home, []);
  if (directory === null) return null;
  const identity = projectIdentity(directory);
  const former = [formerIdentity(directory)?.id, linkedBank(choice.home, identity)];
  return { ...identity, former: [...new Set(former.flatMap((id) => id ?? []))] };
}

interface ProjectHere extends ProjectIdentity {
  /** Earlier ids of the project. */
  readonly former: readonly string[];
}

/** The bank's name for a workspace; "global" for the home workspace. */
export function bankName({ bank, project }: Workspace): string {
  if (bank !== null) return bank.id;
  return project === null ? "global" : projectIdentity(project).id;
}

export interface HindsightScope {
  readonly bank: string;
  /** Tags on this project's memories, and tags to recall by. */
  readonly tags: readonly string[];
  /** Further tags to recall by, from before the project had a remote. */
  readonly formerTags: readonly string[];
}

/** `identity` is null outside a project. */
export function hindsightScope(
  {
    hindsight_bank: bank,
    hindsight_scoping: scoping,
  }: Pick<Settings, "hindsight_bank" | "hindsight_scoping">,
  identity: Pick<ProjectHere, "id" | "former"> | null,
): HindsightScope {
  if (identity === null || scoping === "global") return { bank, tags: [], formerTags: [] };
  const { id, former } = identity;
  if (scoping === "per-project") return { bank: `${bank}-${id}`, tags: [], formerTags: [] };
  return { bank, tags: [`project:${id}`], formerTags: former.map((one) => `project:${one}`) };
}
