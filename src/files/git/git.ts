/**
 * Runs git in one directory. A repository may be a stranger's, so git runs no program that its config names and fetches nothing.
 * Variables that redirect git are dropped, and failures become errors that say what to do.
 */
import { accessSync, constants } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { withoutKeys } from "../../config/key-variables.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option, slot } from "../../core/hint.ts";
import { errorCode, resolveLinks } from "../../util/fs.ts";
import { run, runSync } from "../../util/runtime.ts";

const NUMBERED = command("config set", "versioning", "custom");

const SAFE_SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.quotepath=off",
  "gc.auto=0",
  "log.showSignature=false",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** In a partial clone git fetches missing objects. An older git ignores the first variable, but then has no allowed protocol. */
const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" };

/** Git's output when it would have to fetch an object. */
const FETCH_REFUSED = /lazy fetching disabled|transport '.*' not allowed|from promisor remote/;

/** Settings that name a program git runs for a commit, besides hooks. */
const COMMIT_PROGRAM =
  /^(?:filter\..+\.(?:clean|process)|gpg\.(?:.+\.)?(?:program|defaultkeycommand)|hook\..+\.command)$/;

/** Hooks that can reject or change a commit. */
const COMMIT_HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg"];

/** Set inside hooks and aliases; they would point git at another repository. */
const REDIRECTIONS =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_|NAMESPACE|PREFIX|EXTERNAL_DIFF|[A-Z]+_PATHSPECS)/;

interface GitResult {
  ok: boolean;
  stdout: Buffer;
  stderr: string;
}

function commandOf(args: readonly string[]): string[] {
  return ["git", "--no-pager", "--literal-pathspecs", ...SAFE_SETTINGS, ...args];
}

export class GitRepository {
  readonly #env: Record<string, string | undefined>;
  #prefix: string | null = null;
  /** Whether an object was missing since the last `require`, as in a partial clone. */
  lacksObjects = false;

  constructor(
    private readonly directory: string,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    const kept = Object.entries(withoutKeys(env)).filter(([key]) => !REDIRECTIONS.test(key));
    this.#env = { ...Object.fromEntries(kept), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", ...NO_FETCH };
  }

  /** Runs git and returns even a non-zero exit. Throws `git` if git is not installed. */
  try(...args: string[]): GitResult {
    try {
      const result = runSync(commandOf(args), { cwd: this.directory, env: this.#env });
      const stderr = result.stderr.toString().trim();
      this.lacksObjects ||= FETCH_REFUSED.test(stderr);
      return { ok: result.exitCode === 0, stdout: result.stdout, stderr };
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      throw new RetainError(
        "git",
        "This project uses git for versions, but git is not installed.",
        hint`Install git, or keep versions without it: ${NUMBERED}`,
      );
    }
  }

  /** Runs git in the background. Returns its output, or null if git fails or is not installed. */
  async output(...args: string[]): Promise<Buffer | null> {
    try {
      const { exitCode, stdout } = await run(commandOf(args), { cwd: this.directory, env: this.#env });
      return exitCode === 0 ? stdout : null;
    } catch {
      return null;
    }
  }

  /** Returns git's output. Throws `git` with git's message if it fails. */
  run(...args: string[]): string {
    const result = this.try(...args);
    if (result.ok) return result.stdout.toString();
    const reason = result.stderr || result.stdout.toString().trim() || "no reason given";
    throw new RetainError("git", `git ${args[0]} failed: ${reason}`);
  }

  /** Throws `git` unless the directory is in the work tree of a repository. */
  require(): void {
    this.lacksObjects = false;
    this.#requirePrefix();
  }

  /** The path from the repository's root to the directory: "" or "packages/app/". */
  #requirePrefix(): string {
    if (this.#prefix !== null) return this.#prefix;
    const { ok, stdout, stderr } = this.try("rev-parse", "--is-inside-work-tree", "--show-prefix");
    const [inside, prefix = ""] = stdout.toString().split("\n");
    if (ok && inside === "true") {
      this.#prefix = prefix;
      return prefix;
    }
    if (ok) {
      const message = `${this.directory} is inside a bare repository, which has no files.`;
      throw new RetainError("git", message, "Work in a clone or a worktree of it.");
    }
    if (/not a git repository/i.test(stderr)) {
      const message = `${this.directory} is not inside a git repository, so git has no versions of it.`;
      throw new RetainError("git", message, hint`Run git init, or keep versions without git: ${NUMBERED}`);
    }
    throw new RetainError("git", `git does not work here: ${stderr}`);
  }

  isUsable(): boolean {
    try {
      this.require();
      return true;
    } catch (error) {
      if (error instanceof RetainError) return false;
      throw error;
    }
  }

  /** Throws `git` if an object was missing since the last `require`. */
  requireObjects(): void {
    if (!this.lacksObjects) return;
    throw new RetainError(
      "git",
      "This repository is a partial clone, and part of its history isn't on this machine.",
      "Retain fetches nothing. If you trust the repository, run: git fetch --refetch --no-filter",
    );
  }

  /** Throws `git` if HEAD is detached. */
  requireBranch(): void {
    if (this.try("symbolic-ref", "--quiet", "HEAD").ok) return;
    throw new RetainError(
      "git",
      "HEAD is detached, so the commit would not be on any branch.",
      hint`Switch to a branch first (git switch <branch>), or omit ${option("commit")}.`,
    );
  }

  /**
   * Programs that git would run for a commit but Retain does not: hooks, and programs from the repository's config. Filters and
   * signing from the user's own config do run.
   */
  commitPrograms(): string[] {
    const listing = this.run("config", "--list", "--show-scope", "--name-only", "-z").split("\0");
    const settings = listing.filter((name, index) => {
      const scope = index % 2 === 1 ? listing[index - 1] : "command";
      if (name === "core.hookspath") return scope !== "command";
      return (scope === "local" || scope === "worktree") && COMMIT_PROGRAM.test(name);
    });
    const hooks = resolve(this.directory, this.run("rev-parse", "--git-common-dir").trim(), "hooks");
    return [...settings, ...COMMIT_HOOKS.filter((hook) => isExecutable(`${hooks}/${hook}`))];
  }

  /** Git's name for a path below the directory: from the repository's root, with slashes. */
  pathFromTop(path: string): string {
    const way = relative(resolveLinks(this.directory), resolveLinks(path)).split(sep).join("/");
    return `${this.#requirePrefix()}${way}`;
  }

  /** Turns git's name for a path into an argument for git. */
  fromTop(path: string): string {
    const up = this.#requirePrefix().replace(/[^/]+\//g, "../");
    return `${up}${path}`;
  }

  /** The full hash of a commit. Throws `not_found` for an unknown name. */
  resolveCommit(name: string): string {
    const found = name.startsWith("-")
      ? null
      : this.try("rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
    const hash = found?.stdout.toString().trim() ?? "";
    if (hash !== "") return hash;
    if (!this.try("rev-parse", "--verify", "--quiet", "HEAD").ok)
      throw new RetainError(
        "not_found",
        `There is no version '${name}': this repository has no commits yet.`,
      );
    throw new RetainError(
      "not_found",
      `git has no version '${name}'.`,
      hint`A version is a commit, a branch, a tag, or HEAD~2. To list them: ${command("versions", slot("id"))}`,
    );
  }

  /** The bytes of a file at a commit, or null. */
  fileAt(commit: string, path: string): Uint8Array | null {
    const blob = this.try("cat-file", "blob", `${commit}:${path}`);
    return blob.ok ? blob.stdout : null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
