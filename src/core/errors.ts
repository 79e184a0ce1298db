/**
 * The error for a user's mistake or a failing environment. Every interface shows the same three things: what happened, what to do
 * next, and an exit code. Any other thrown value is a bug and crashes loudly.
 */
import { LeadsOut, Outdated, Unflushed } from "../util/errno.ts";
import { type Hint, hint, option } from "./hint.ts";

/** Error codes that scripts may rely on, with the process's exit codes. */
const EXIT_CODES = {
  not_found: 1,
  io: 1,
  locked: 1,
  git: 1,
  embedding: 1,
  model: 1,
  remote: 1,
  partial: 1,
  usage: 2,
  invalid_input: 2,
  invalid_name: 2,
  invalid_config: 2,
  ambiguous: 2,
  no_project: 2,
  exists: 3,
  conflict: 3,
  unsafe: 3,
  read_only: 3,
  secret: 3,
  unconfirmed: 3,
  interrupted: 130,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(EXIT_CODES, text);
}

/** Shared by all bundles, each of which has its own class. */
const BRAND = Symbol.for("retain.error");

export class RetainError extends Error {
  /** A bundler may rename the class, and Node prints its name. */
  static override readonly name = "RetainError";
  override readonly name = "RetainError";
  readonly [BRAND] = true;
  /** The advice for the command line, for JSON and for programs. */
  readonly hint?: string;

  /** Recognises errors from another bundle. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** What to do next, in one sentence. */
    readonly advice?: Hint,
  ) {
    super(message);
    if (advice !== undefined) this.hint = String(advice);
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** Throws `usage`. Callers may lack type checking. */
export function requireText(value: unknown, what: string): asserts value is string {
  if (typeof value !== "string")
    throw new RetainError("usage", `${what} must be a string, not ${typeof value}.`);
}

/** null instead of `not_found`. */
export async function unlessMissing<T>(finding: Promise<T>): Promise<T | null> {
  return finding.catch((error: unknown) => {
    if (error instanceof RetainError && error.code === "not_found") return null;
    throw error;
  });
}

/** The message for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const IO_REASONS: Record<string, [reason: string, advice: Hint]> = {
  ENOSPC: ["the disk is full", "Free some space and try again; nothing was changed."],
  EDQUOT: ["the disk quota is exceeded", "Free some space and try again; nothing was changed."],
  EFBIG: ["the file would be too large for this file system", "Nothing was changed."],
  EROFS: [
    "the disk is read-only",
    hint`Choose another directory with RETAIN_HOME, or ${option("local")} in a project.`,
  ],
  EACCES: ["permission denied", "Check who owns the directory; nothing was changed."],
  EPERM: ["permission denied", "Check who owns the directory; nothing was changed."],
  EISDIR: ["it is a directory", "Move it away and try again."],
  ENOTDIR: ["part of its path is a file, not a directory", "Choose another path."],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter name or path; nothing was changed."],
};

/** For a failed write of a file that a person or another program may save at the same time. */
export function writeError(cause: unknown, path: string): unknown {
  if (!(cause instanceof Outdated)) return ioError(cause, `Cannot write ${path}`);
  return new RetainError(
    "conflict",
    `Another program has just changed ${path}. It was not overwritten.`,
    "Run it again.",
  );
}

const UNFLUSHED =
  "The change may have been made, but may not survive a power failure. Check the disk and the result before you repeat it.";

/** Turns a failed system call into an error with a hint. Returns any other error unchanged. */
export function ioError(cause: unknown, action: string): unknown {
  if (cause instanceof LeadsOut)
    return new RetainError(
      "unsafe",
      `${cause.path} is a link to outside the workspace; Retain does not follow it.`,
      "Replace the link with its target, or remove it.",
    );
  const code = (cause as { code?: unknown } | null)?.code;
  if (cause instanceof RetainError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return cause;
  const [reason, unchanged] = IO_REASONS[code] ?? [messageOf(cause), undefined];
  return new RetainError("io", `${action}: ${reason}.`, cause instanceof Unflushed ? UNFLUSHED : unchanged);
}
