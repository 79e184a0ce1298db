/**
 * The only error for users' mistakes. The CLI, chat, MCP and library all report what happened, what to do next, and an exit code.
 * Anything else thrown is a bug and crashes loudly.
 */
import { LeadsOut, Unflushed } from "../util/errno.ts";

/** Error codes that scripts may rely on, with the exit code. */
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
  override readonly name = "RetainError";
  readonly [BRAND] = true;

  /** Recognises errors from another bundle. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** One sentence on what to do next. */
    readonly hint?: string,
  ) {
    super(message);
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

const NAMES_A_COMMAND = /\bretain [a-z]|(?<![\w-])--[a-z]/;

/** The text for a model: commands and options are for the user, who has a command line. */
export function toldToModel({ message, hint }: Pick<RetainError, "message" | "hint">): string {
  if (hint === undefined) return message;
  return `${message} ${NAMES_A_COMMAND.test(hint) ? "On the user's command line: " : ""}${hint}`;
}

/** The message for any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const IO_REASONS: Record<string, [reason: string, hint: string]> = {
  ENOSPC: ["the disk is full", "Nothing was changed. Free some space, then try again."],
  EDQUOT: ["the disk quota is used up", "Nothing was changed. Free some space, then try again."],
  EFBIG: ["the file would be too large for this disk", "Nothing was changed."],
  EROFS: ["the disk is read-only", "Choose another location with RETAIN_HOME, or --local in a project."],
  EACCES: ["permission denied", "Nothing was changed. Check the directory's permissions."],
  EPERM: ["permission denied", "Nothing was changed. Check the directory's permissions."],
  EISDIR: ["it is a directory", "Move or remove it, then try again."],
  ENOTDIR: ["a part of its path is a file, not a directory", "Choose another path."],
  ENAMETOOLONG: ["the name is too long", "Choose a shorter name or path; nothing was changed."],
};

const UNFLUSHED =
  "The change may have been made, but might not survive a power cut. Check the disk, and check the result before you retry.";

/** Converts a failed system call into an error that says what to do; other errors are returned as they are. */
export function ioError(cause: unknown, action: string): unknown {
  if (cause instanceof LeadsOut)
    return new RetainError(
      "unsafe",
      `${cause.path} is a link that points outside the workspace.`,
      "Replace the link with the file it points to, or remove it.",
    );
  const code = (cause as { code?: unknown } | null)?.code;
  if (cause instanceof RetainError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return cause;
  const [reason, unchanged] = IO_REASONS[code] ?? [messageOf(cause), undefined];
  const hint = cause instanceof Unflushed ? UNFLUSHED : unchanged;
  return new RetainError("io", `${action}: ${reason}.`, hint);
}
