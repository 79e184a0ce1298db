/** Failed calls: what the system calls them, and the one that is refused before it is made. */

/** "ENOSPC", or null where the error is not the system's. */
export function errorCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}

export function isAbsence(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** A path that must stay below a directory leads out of it by a link. */
export class LeadsOut extends Error {
  constructor(readonly path: string) {
    super(`${path} is a link that points outside.`);
  }
}

/** A file or the names in a directory were changed, and could not be made durable. */
export class Unflushed extends Error {
  readonly code: string | null;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = errorCode(cause);
  }
}
