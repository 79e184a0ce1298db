/**
 * Checks names before they become paths. A collection or an id is exactly one path component. Names that Retain creates follow
 * stricter rules than names it reads, because a person may have added "My notes.md" by hand.
 */
import { RetainError } from "../errors.ts";

type NameKind = "id" | "collection";

const MAX_CHARACTERS = 100;
const MAX_BYTES = 200;
/** The limit of file systems (255), minus ".md". */
const MAX_FILE_NAME_BYTES = 252;

/** Letters and digits of any script; after the first, also marks, dots, dashes and underscores. */
const PORTABLE = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}_-])?$/u;

/** Windows device names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Directories of a workspace that aren't collections. */
const LAYOUT = new Set(["backups", "banks", "collections", "context", "memories", "skills", "spool"]);

export const DEFAULT_COLLECTION = "memory";

/** Whether `name` is one plain path component, which can't leave its directory and isn't hidden. */
export function isComponent(name: string): boolean {
  return (
    name.length > 0 &&
    !name.startsWith(".") &&
    !/[/\\\u0000-\u001f\u007f-\u009f]/.test(name) &&
    (name.length * 3 <= MAX_FILE_NAME_BYTES || Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES)
  );
}

/** Whether `name` is a path of such components: an id in a folder may include subdirectories. */
export function isPath(name: string): boolean {
  return name.split("/").every(isComponent);
}

/** The Unicode forms in which a name may be stored: as given, composed, decomposed (macOS). */
export function spellings(name: string): string[] {
  return [...new Set([name, name.normalize("NFC"), name.normalize("NFD")])];
}

/** The entry of `names` that is this name in any Unicode form; the composed form if there is none. */
export function spelledAs(names: readonly string[], name: string): string {
  const composed = name.normalize("NFC");
  return (
    names.find((known) => known === name) ??
    names.find((known) => known.normalize("NFC") === composed) ??
    composed
  );
}

/** For comparing tags and people's names: SQLite's lower() handles only ASCII, and accents have two Unicode forms. */
export function nameKey(name: string): string {
  return name.toLowerCase().normalize("NFC");
}

export function isLayoutName(name: string): boolean {
  return LAYOUT.has(name.toLowerCase());
}

/** Throws unless `name` may be looked up. */
export function checkName(kind: NameKind, name: string): void {
  if (!isComponent(name)) throw invalidName(kind, name, "it is not a plain name");
}

/** Throws unless `id` may be looked up in a folder. */
export function checkPath(id: string): void {
  if (!isPath(id)) throw invalidName("id", id, "it is neither a plain name nor a path inside a folder");
}

/** Whether Retain would create this name. */
export function isNewName(kind: NameKind, name: string): boolean {
  return problemOf(kind, name) === null;
}

/** Throws unless `name` may be created. */
export function checkNewName(kind: NameKind, name: string): void {
  const problem = problemOf(kind, name);
  if (problem !== null) throw invalidName(kind, name, problem);
}

function problemOf(kind: NameKind, name: string): string | null {
  if (name === "") return "it is empty";
  if (Array.from(name).length > MAX_CHARACTERS || Buffer.byteLength(name) > MAX_BYTES)
    return `it is longer than ${MAX_CHARACTERS} characters or ${MAX_BYTES} bytes`;
  if (name !== name.normalize("NFKC") || !PORTABLE.test(name) || name.includes(".."))
    return "use letters, digits, '-', '_' and single dots, and start with a letter or digit";
  if (DEVICE.test(name)) return "Windows reserves that name";
  if (kind === "collection" && isLayoutName(name)) return "Retain uses that name itself";
  if (kind === "id" && name.toLowerCase().endsWith(".md")) return "leave out '.md'";
  return null;
}

function invalidName(kind: NameKind, name: string, problem: string): RetainError {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  const example = kind === "id" ? "gpu-patterns" : "knowledge";
  return new RetainError(
    "invalid_name",
    `${shown} is not a valid ${kind}: ${problem}.`,
    `For example: ${example}`,
  );
}
