/** Versions of a document, whatever keeps them: git's commits, or numbered files. */

export interface Version {
  /** What `--version` takes: "v3", a short commit hash, or "uncommitted" for a state that git has not recorded. */
  readonly version: string;
  readonly timestamp: string | null;
  readonly author: string | null;
  readonly message: string | null;
  /** The full commit hash; null where git does not hold this version. */
  readonly git_ref: string | null;
  /** Whether this is what the document says now. */
  readonly current: boolean;
}

/** "v3" and "3" are version 3; anything else is not a version's number. */
export function versionNumber(name: string): number | null {
  const digits = /^v?([1-9]\d{0,8})$/i.exec(name.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}
