/**
 * A config file with one entry of ours, `section` → `name`, in any format. Each change is read back: if anything besides the entry
 * reads differently, the file has a layout that can't be edited in place, and stays as it is.
 */
import { isRecord } from "../../util/json.ts";

export interface Entry {
  readonly section: string;
  readonly name: string;
}

/** A format edits texts that it can parse, and touches only the bytes of the entry. All functions throw `ConfigProblem`. */
export interface ConfigFormat {
  readonly name: string;
  parse(text: string): unknown;
  /** A whole file with this entry alone. */
  fresh(entry: Entry, value: object): string;
  /** Adds the entry, or replaces it. */
  put(text: string, entry: Entry, value: object): string;
  /** Removes the entry, which exists. The rest of its section stays, and so does an empty section. */
  cut(text: string, entry: Entry): string;
}

export class ConfigProblem extends Error {
  constructor(
    message: string,
    /** 1-based; null if unknown. */
    readonly line: number | null,
  ) {
    super(message);
  }
}

/** undefined if the file has no such entry; null means a file that doesn't exist. */
export function entryIn(format: ConfigFormat, text: string | null, entry: Entry): unknown {
  return text === null || isBlank(text) ? undefined : sectionOf(format, text, entry)[entry.name];
}

/** The text with this entry. Throws ConfigProblem for text that can't be parsed, or has no place for entries. */
export function withEntry(format: ConfigFormat, text: string | null, entry: Entry, value: object): string {
  if (text === null || isBlank(text)) return format.fresh(entry, value);
  // The parser's objects have no prototype, so a strict comparison would call every entry changed.
  if (Bun.deepEquals(entryIn(format, text, entry), value)) return text;
  return checked(format, text, format.put(text, entry, value), entry, value);
}

/** The text without this entry. Throws as `withEntry`. */
export function withoutEntry(format: ConfigFormat, text: string, entry: Entry): string {
  if (entryIn(format, text, entry) === undefined) return text;
  return checked(format, text, format.cut(text, entry), entry, undefined);
}

/** `next`, if it differs from `text` in the entry alone. */
function checked(
  format: ConfigFormat,
  text: string,
  next: string,
  entry: Entry,
  value: object | undefined,
): string {
  const before = others(format, text, entry);
  try {
    const isDone = Bun.deepEquals(entryIn(format, next, entry), value);
    if (isDone && Bun.deepEquals(before, others(format, next, entry))) return next;
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
  }
  throw notEditable(format, entry);
}

/** Everything except the entry; an empty section counts as none. */
function others(format: ConfigFormat, text: string, entry: Entry): object {
  const { [entry.section]: _, ...rest } = rootOf(format, text);
  const { [entry.name]: __, ...siblings } = sectionOf(format, text, entry);
  return Object.keys(siblings).length === 0 ? rest : { ...rest, [entry.section]: siblings };
}

export function notEditable({ name }: Pick<ConfigFormat, "name">, { section }: Entry): ConfigProblem {
  return new ConfigProblem(`'${section}' has a layout that Retain cannot change in place (${name})`, 1);
}

/** An empty file counts as missing. */
function isBlank(text: string): boolean {
  return text.replace(/^\uFEFF/, "").trim() === "";
}

function rootOf(format: ConfigFormat, text: string): Record<string, unknown> {
  const root = format.parse(text) ?? {};
  if (isRecord(root)) return root;
  throw new ConfigProblem(`not a ${format.name} object`, 1);
}

function sectionOf(format: ConfigFormat, text: string, { section }: Entry): Record<string, unknown> {
  const entries = rootOf(format, text)[section] ?? {};
  if (isRecord(entries)) return entries;
  throw new ConfigProblem(`'${section}' is not an object`, 1);
}
