/**
 * Whose memory is used, as `local_scoping` and `hindsight_scoping` say: one for all, or each project's own. A person's --local
 * or --global is stronger than either.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInside, lstatIfThere, resolveLinks } from "../util/fs.ts";
import { formerIdentity, type ProjectIdentity, projectIdentity } from "./project-identity.ts";
import type { Settings } from "./schema.ts";
import {
  bankWorkspace,
  type Choice,
  chooseWorkspace,
  isOwnEntry,
  type Scope,
  type Surroundings,
  type Workspace,
} from "./workspace.ts";
import { linkedWorktree, repositoryRoot } from "./worktree.ts";

/** As `chooseWorkspace`, with the scoping in mind. Throws as that. */
export function chooseBank(
  surroundings: Surroundings,
  scope: Scope,
  scoping: Settings["local_scoping"],
): Choice {
  if (scope !== "auto" || scoping === "auto") return chooseWorkspace(surroundings, scope);
  const why = `local_scoping is '${scoping}'`;
  if (scoping === "global") return { ...chooseWorkspace(surroundings, "global"), reasons: [why] };
  const found = chooseWorkspace(surroundings, "auto");
  const { home, project } = found;
  const reasons = [why];
  const repository = ownRepository(surroundings, home, reasons);
  if (repository === null || (project !== null && isOf(repository, project)))
    return { ...found, reasons: [...reasons, ...found.reasons] };
  reasons.push(
    `${repository} is a repository without a workspace of its own, so its bank is in your home workspace`,
  );
  return { workspace: bankOf(repository, home, reasons), home, project: null, reasons };
}

/** A repository that got a remote has the bank that it had without, unless there is one of the remote's name. */
function bankOf(repository: string, home: Workspace, reasons: string[]): Workspace {
  const bank = bankWorkspace(home, projectIdentity(repository));
  const identity = existsSync(bank.root) ? null : formerIdentity(repository);
  const former = identity === null ? null : bankWorkspace(home, identity);
  if (former === null || !existsSync(former.root)) return bank;
  reasons.push("that bank is from before the repository had a remote");
  return former;
}

/** Whether the project lies in the repository, or in the main worktree of it. */
function isOf(repository: string, { project }: Workspace): boolean {
  const roots = [repository, linkedWorktree(repository)?.main ?? repository];
  return project !== null && roots.some((root) => isInside(root, project));
}

/**
 * The root of the repository that the current directory is in; null where there is none, or where it is no project: another
 * user's, or the one that people keep their home directory in.
 */
function ownRepository(surroundings: Surroundings, home: Workspace, reasons: string[]): string | null {
  const { cwd, userId, homeDirectory } = surroundings;
  const root = repositoryRoot(cwd);
  const entry = root === null ? null : lstatIfThere(join(root, ".git"));
  if (root === null || entry === null) return null;
  if (!isOwnEntry(entry, userId)) {
    reasons.push(`${root} is another user's repository, so it is left alone`);
    return null;
  }
  if (![homeDirectory, home.root].map(resolveLinks).includes(resolveLinks(root))) return root;
  reasons.push(`${root} is your home directory or workspace, which is no project`);
  return null;
}

/** The project that the current directory belongs to: that of a workspace, else that of a repository; null outside of both. */
export function projectHere(surroundings: Surroundings, choice: Choice): ProjectHere | null {
  const directory = choice.workspace.project ?? ownRepository(surroundings, choice.home, []);
  if (directory === null) return null;
  const former = formerIdentity(directory);
  return { ...projectIdentity(directory), former: former === null ? [] : [former.id] };
}

interface ProjectHere extends ProjectIdentity {
  /** Ids that it had before. */
  readonly former: readonly string[];
}

/** A workspace's name as a bank: "global" for the home workspace. */
export function bankName({ bank, project }: Workspace): string {
  if (bank !== null) return bank.id;
  return project === null ? "global" : projectIdentity(project).id;
}

export interface HindsightScope {
  readonly bank: string;
  /** What memories of this project have, and what is asked for. */
  readonly tags: readonly string[];
  /** What is asked for beside: what they had before the project had a remote. */
  readonly formerTags: readonly string[];
}

/** `identity` is the project's; null outside of any. */
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
