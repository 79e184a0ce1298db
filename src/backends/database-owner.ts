/**
 * Tokens of project databases that this user created, one per line in a file of the home workspace, where no repository can
 * write.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { chooseWorkspace, type Surroundings, type Workspace } from "../config/workspace.ts";
import { repositoryRoot } from "../config/worktree.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { GitRepository } from "../files/git/git.ts";
import type { DatabaseOwner } from "../sqlite/database/ownership.ts";
import { withFileLock } from "../sqlite/database/with-file-lock.ts";
import { asIoError } from "../sqlite/faults.ts";
import { ensureDirectory, fsyncDirectory, readIfThere, writeFileAtomic } from "../util/fs.ts";

const DATABASES_FILE = "databases";

/** Beyond that, lines whose database is gone are dropped, then the oldest. */
const MOST_LINES = 1_000;

/** null if the database cannot come from a repository: in the home workspace, and outside any repository. */
export function databaseOwner(workspace: Workspace, surroundings: Surroundings): DatabaseOwner | null {
  if (workspace.kind === "home" || repositoryRoot(workspace.root) === null) return null;
  const home = chooseWorkspace(surroundings, "global").home.root;
  const file = join(home, DATABASES_FILE);
  return {
    knows: (token) => linesOf(file).some((line) => line.startsWith(`${token} `)),
    remember: (token) => addLine(home, file, `${token} ${JSON.stringify(workspace.database)}`),
    isTracked: (path) => isTracked(path, surroundings.env),
  };
}

function linesOf(file: string): string[] {
  const bytes = readIfThere(file);
  return bytes === null ? [] : new TextDecoder().decode(bytes).split("\n").filter(Boolean);
}

function addLine(home: string, file: string, line: string): void {
  try {
    ensureDirectory(home);
    withFileLock(file, () => {
      const others = linesOf(file).filter((known) => known !== line);
      const kept = others.length < MOST_LINES ? others : pruned(others);
      writeFileAtomic(file, `${[...kept, line].join("\n")}\n`);
      fsyncDirectory(home);
    });
  } catch (error) {
    throw ioError(asIoError(error, file, "write"), `Cannot write ${file}`);
  }
}

function pruned(lines: readonly string[]): string[] {
  return lines.filter(isStillThere).slice(1 - MOST_LINES);
}

function isStillThere(line: string): boolean {
  try {
    return existsSync(JSON.parse(line.slice(line.indexOf(" ") + 1)));
  } catch {
    return false;
  }
}

/** false if git is not installed. Ignores case, because the file system may. */
function isTracked(path: string, env: Surroundings["env"]): boolean {
  try {
    const git = new GitRepository(dirname(path), env);
    // Safe in another user's repository too: ls-files runs no code from it.
    const { stdout } = git.try("-c", "safe.directory=*", "ls-files", "-z");
    const names = stdout.toString().toLowerCase().split("\0");
    return names.includes(basename(path).toLowerCase());
  } catch (error) {
    if (error instanceof RetainError) return false;
    throw error;
  }
}
