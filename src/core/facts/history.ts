/**
 * HISTORY.md: one readable line for each change of a fact, so that ids, dates, sources and replacements survive the loss of the
 * index. Lines are only appended (except that a forgotten fact's lines are removed). Lines that can't be parsed are a person's own
 * and stay.
 *
 *   - 2026-11-15T20:17:47Z added k3f9a2xw "Timezone: Madrid"; in MEMORY.md; section "User"; by [MEMORY]; session s1;
 *     message 12; trust inferred; supersedes 8d2c1a9z "Timezone: Mexico City"; because "same key, new value"
 */
import { FORMAT_MARK } from "../format.ts";
import { TRUSTS, type Trust } from "../memory.ts";
import { isDay } from "./until.ts";

/** Where a fact came from. */
export interface FactSource {
  /** "[MEMORY]", "<memory>", "hand", "remember", "compaction". */
  readonly by: string;
  readonly session: string | null;
  readonly message: number | null;
  readonly trust: Trust;
  readonly tags: readonly string[];
}

export interface FactAdded {
  readonly kind: "added";
  /** ISO 8601, in seconds. */
  readonly at: string;
  readonly id: string;
  readonly text: string;
  /** Below memories/. */
  readonly file: string;
  readonly category: string;
  readonly source: FactSource;
  readonly supersedes: readonly { readonly id: string; readonly text: string }[];
  readonly because: string | null;
  /** ISO 8601: when it was first noted, if that was before it became a fact. */
  readonly since?: string;
  /** The key its writer gave it: the next fact with this key replaces it. */
  readonly key?: string;
  /** The fact it may replace; a person decides. */
  readonly doubts?: string;
  /** "2026-11-20": its last day. */
  readonly until?: string;
}

/** Its bullet was removed without a replacement, or because an existing fact replaces it. */
interface FactRemoved {
  readonly kind: "removed";
  readonly at: string;
  readonly id: string;
  readonly text: string;
  readonly file: string;
  readonly by: string;
  readonly supersededBy: string | null;
  readonly because?: string;
}

export type HistoryEntry = FactAdded | FactRemoved;

export const HISTORY_HEAD = `# History

What changed in the facts, one line a change. Retain reads this when its index is lost.

${FORMAT_MARK}

`;

export function printEntry(entry: HistoryEntry): string {
  const start = `- ${entry.at} ${entry.kind} ${entry.id} ${JSON.stringify(entry.text)}`;
  const fields: [name: string, value: string | number | null][] =
    entry.kind === "added"
      ? [
          ["in", entry.file],
          ["section", entry.category],
          ["by", entry.source.by],
          ["session", entry.source.session],
          ["message", entry.source.message],
          ["trust", entry.source.trust],
          ["tags", entry.source.tags.length === 0 ? null : entry.source.tags.join(", ")],
          ["since", entry.since ?? null],
          ["key", entry.key ?? null],
          ["doubts", entry.doubts ?? null],
          ["until", entry.until ?? null],
        ]
      : [
          ["from", entry.file],
          ["by", entry.by],
          ["for", entry.supersededBy],
          ["because", entry.because ?? null],
        ];
  const said = fields.flatMap(([name, value]) => (value === null ? [] : `${name} ${word(String(value))}`));
  if (entry.kind === "added") {
    for (const { id, text } of entry.supersedes) said.push(`supersedes ${id} ${JSON.stringify(text)}`);
    if (entry.because !== null) said.push(`because ${word(entry.because)}`);
  }
  return `${[start, ...said].join("; ")}\n`;
}

/** The parsable entries of a HISTORY.md, in order. */
export interface ReadHistory {
  readonly content: string;
  readonly entries: readonly HistoryEntry[];
  /** Whether appended text would start on a new line. */
  readonly isWhole: boolean;
}

const UNREAD: ReadHistory = { content: "", entries: [], isWhole: true };

interface HistoryText {
  readonly content: string;
  readonly grown?: { readonly from: string; readonly by: string };
}

/** If the text only grew since `before`, parses only the new lines. */
export function readHistory(file: HistoryText | null, before = UNREAD): ReadHistory {
  const { content, grown } = file ?? { content: "" };
  if (content === before.content) return before;
  const rest = before.isWhole ? restOf(content, grown, before.content) : null;
  const lines = rest ?? content;
  const entries = lines.split("\n").flatMap((line) => parseEntry(line) ?? []);
  return {
    content,
    entries: rest === null ? entries : [...before.entries, ...entries],
    isWhole: lines.endsWith("\n"),
  };
}

/** The text after `start`; null if it doesn't begin with it. */
function restOf(content: string, grown: HistoryText["grown"], start: string): string | null {
  if (grown?.from === start) return grown.by;
  return content.startsWith(start) ? content.slice(start.length) : null;
}

export function parseHistory(content: string): readonly HistoryEntry[] {
  return readHistory({ content }).entries;
}

const START = /^[-*] (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) (added|removed) ([a-z0-9]+) /;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const FIELD = /; ([a-z]+) /y;
const WORD = /[^\s;"]+/y;

export function parseEntry(line: string): HistoryEntry | null {
  const start = START.exec(line);
  if (start === null) return null;
  const [{ length }, at = "", kind, id = ""] = start;
  const scanner = new EntryScanner(line.trimEnd(), length);
  const text = scanner.string();
  if (text === null) return null;
  const fields = new Map<string, string>();
  const supersedes: { id: string; text: string }[] = [];
  for (let name = scanner.field(); name !== null; name = scanner.field()) {
    const value = scanner.value();
    if (value === null) return null;
    if (name !== "supersedes") fields.set(name, value);
    else supersedes.push({ id: value, text: scanner.space() ? (scanner.string() ?? "") : "" });
  }
  if (!scanner.atEnd) return null;
  if (kind === "removed")
    return {
      kind,
      at,
      id,
      text,
      file: fields.get("from") ?? "",
      by: fields.get("by") ?? "",
      supersededBy: fields.get("for") ?? null,
      ...given(fields, "because"),
    };
  const trust = TRUSTS.find((known) => known === fields.get("trust")) ?? "stated";
  const message = Number(fields.get("message"));
  const tags = fields.get("tags")?.split(", ") ?? [];
  const source = {
    by: fields.get("by") ?? "",
    session: fields.get("session") ?? null,
    message: Number.isInteger(message) ? message : null,
    trust,
    tags,
  };
  return {
    kind: "added",
    at,
    id,
    text,
    file: fields.get("in") ?? "",
    category: fields.get("section") ?? "",
    source,
    supersedes,
    because: fields.get("because") ?? null,
    ...given(fields, "since"),
    ...given(fields, "key"),
    ...given(fields, "doubts"),
    ...(isDay(fields.get("until") ?? "") ? given(fields, "until") : {}),
  };
}

function given<Name extends string>(
  fields: ReadonlyMap<string, string>,
  name: Name,
): { [key in Name]?: string } {
  const value = fields.get(name);
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]: string });
}

/** Unquoted if it is one plain word, else quoted. */
function word(value: string): string {
  return /^[^\s;"\\]+$/.test(value) ? value : JSON.stringify(value);
}

class EntryScanner {
  constructor(
    private readonly line: string,
    private at: number,
  ) {}

  get atEnd(): boolean {
    return this.at === this.line.length;
  }

  field(): string | null {
    return this.#match(FIELD)?.[1] ?? null;
  }

  value(): string | null {
    return this.string() ?? this.#match(WORD)?.[0] ?? null;
  }

  space(): boolean {
    if (this.line[this.at] !== " ") return false;
    this.at++;
    return true;
  }

  string(): string | null {
    const before = this.at;
    const found = this.#match(STRING)?.[0];
    if (found === undefined) return null;
    try {
      return JSON.parse(found) as string;
    } catch {
      this.at = before;
      return null;
    }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.line);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }
}
