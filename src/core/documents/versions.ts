/** Versions of a document: git commits or numbered files. */
import { type CommandReference, command, option } from "../hint.ts";
import type { DocumentRef } from "./document.ts";

export interface Version {
  /** A value for `--version`: "v3", a short commit hash, or "uncommitted" for a state that isn't committed. */
  readonly version: string;
  readonly timestamp: string | null;
  readonly author: string | null;
  readonly message: string | null;
  /** The full commit hash; null if git doesn't have this version. */
  readonly git_ref: string | null;
  /** Whether this is the document's current state. */
  readonly current: boolean;
}

/** 3 for "v3" and "3"; null for anything else. */
export function versionNumber(name: string): number | null {
  const digits = /^v?([1-9]\d{0,8})$/i.exec(name.trim())?.[1];
  return digits === undefined ? null : Number(digits);
}

/** `savedAt` is when its last state was saved: `delete` does that, a person who removes the file does not. */
export function deletedText({ id }: DocumentRef, savedAt: string | null): string {
  const saved = savedAt === null ? "" : `; its last state was saved at ${savedAt}`;
  return `'${id}' was deleted${saved}.`;
}

export function restoreCommand({ id, collection }: DocumentRef): CommandReference {
  return command("restore", id, option("collection", collection));
}
