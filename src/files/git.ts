/**
 * The git command, for one directory. Variables that would point git elsewhere are dropped, what only reads runs none
 * of a repository's hooks and filters, and a failure becomes an error that says what to do.
 */
import { relative, sep } from "node:path";
import { RetainError } from "../core/errors.ts";
import { errorCode, resolveLinks } from "../util/fs.ts";

const SAFE_SETTINGS = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.quotepath=off",
  "-c",
  "log.showSignature=false",
];

/** Set inside hooks and aliases; they would make git look at another repository than the one that holds the file. */
const REDIRECTIONS =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_|NAMESPACE|PREFIX|EXTERNAL_DIFF|LITERAL|GLOB)/;

export interface GitResult {
  ok: boolean;
  stdout: Buffer;
  stderr: string;
}

export class GitRepository {
  readonly #env: Record<string, string | undefined>;
  #prefix: string | null = null;

  constructor(
    private readonly directory: string,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    const kept = Object.entries(env).filter(([key]) => !REDIRECTIONS.test(key));
    this.#env = { ...Object.fromEntries(kept), LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
  }

  /** Runs git; a non-zero exit is a value. Throws `git` when the command itself is missing. */
  try(...args: string[]): GitResult {
    const command = ["git", "--no-pager", "--literal-pathspecs", ...SAFE_SETTINGS, ...args];
    try {
      const result = Bun.spawnSync(command, { cwd: this.directory, env: this.#env, stdin: "ignore" });
      return { ok: result.exitCode === 0, stdout: result.stdout, stderr: result.stderr.toString().trim() };
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      throw new RetainError(
        "git",
        "The versions of this project are git's, and git is not installed.",
        "Install git, or run: retain config set versioning custom",
      );
    }
  }

  /** What git printed. Throws `git` with git's own words when it fails. */
  run(...args: string[]): string {
    const result = this.try(...args);
    if (result.ok) return result.stdout.toString();
    const reason = result.stderr || result.stdout.toString().trim() || "no reason given";
    throw new RetainError("git", `git ${args[0]} failed: ${reason}`);
  }

  /** Throws `git` unless the directory is in the work tree of a repository. */
  require(): void {
    this.#requirePrefix();
  }

  /** The way from the repository's root to the directory: "" or "packages/app/". */
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
      const message = `${this.directory} is not inside a git repository, so it has no versions by git.`;
      throw new RetainError("git", message, "Run git init, or: retain config set versioning custom");
    }
    throw new RetainError("git", `git cannot be used here: ${stderr}`);
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

  /** Throws `git` when HEAD is not on a branch. */
  requireBranch(): void {
    if (this.try("symbolic-ref", "--quiet", "HEAD").ok) return;
    throw new RetainError(
      "git",
      "HEAD is detached: a commit here would belong to no branch.",
      "Switch to a branch first (git switch <branch>), or leave out --commit.",
    );
  }

  /** How git names a path below the directory: from the repository's root, with slashes. */
  pathFromTop(path: string): string {
    const way = relative(resolveLinks(this.directory), resolveLinks(path)).split(sep).join("/");
    return `${this.#requirePrefix()}${way}`;
  }

  /** A path that git named, as an argument to git from here. */
  fromTop(path: string): string {
    const up = this.#requirePrefix().replace(/[^/]+\//g, "../");
    return `${up}${path}`;
  }

  /** The full hash of a commit by any name git knows. Throws `not_found` for a name that it does not know. */
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
      `git knows no version '${name}'.`,
      "A version is a commit, a branch, a tag, or HEAD~2; 'retain versions <id>' lists them.",
    );
  }

  /** The bytes of a file at a commit; null when it is not there. */
  fileAt(commit: string, path: string): Uint8Array | null {
    const blob = this.try("cat-file", "blob", `${commit}:${path}`);
    return blob.ok ? blob.stdout : null;
  }
}
