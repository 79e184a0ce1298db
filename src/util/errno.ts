/** System error codes, and errors for failed file operations. */

/** "ENOSPC", or null if it isn't a system error. */
export function errorCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}

export function isAbsence(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** A path leaves its directory through a link. */
export class LeadsOut extends Error {
  constructor(readonly path: string) {
    super(`${path} is a link that points outside.`);
  }
}

/** Another process changed the file in the meantime. */
export class Outdated extends Error {
  constructor(readonly path: string) {
    super(`${path} has changed in the meantime.`);
  }
}

/** A change was made but could not be flushed. */
export class Unflushed extends Error {
  readonly code: string | null;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = errorCode(cause);
  }
}
