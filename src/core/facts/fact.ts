/** A fact: one self-contained sentence, a bullet of a memory file, with its source and its end. */
import { isoSeconds, localDay } from "../../util/days.ts";
import type { Memory } from "../memory.ts";
import type { FactAdded, FactSource, HistoryEntry } from "./history.ts";
import { isInferredFile } from "./memory-paths.ts";
import { endOfDay } from "./until.ts";

export interface Fact {
  /** Derived from the text and the chat. */
  readonly id: string;
  readonly text: string;
  readonly category: string;
  /** null for a fact of the workspace. */
  readonly chat: string | null;
  /** Below memories/. */
  readonly file: string;
  /** Its index among the bullets of its file; for an ended fact, its last one. */
  readonly position: number;
  readonly source: FactSource;
  /** ISO 8601: when it was first noted. */
  readonly created_at: string;
  /** When it was superseded or removed, or when its last day was over; null if it is current. */
  readonly ended_at: string | null;
  readonly superseded_by: string | null;
  /** Why it replaced another fact. */
  readonly because: string | null;
  /** The key its writer gave it ("Deploy day"): the next fact with this key replaces it. */
  readonly key: string | null;
  /** The fact it may replace; a person decides. */
  readonly doubts: string | null;
  /** "2026-11-20": its last day; null if no end is known. Its bullet stays after that. */
  readonly until: string | null;
}

/** A shorter start of an id is too ambiguous. */
export const SHORTEST_ID = 4;

/**
 * The state of each fact after these entries, by id; includes ended facts. Unconfirmed facts have their own history, and the order of
 * entries in different histories is unknown. So each history is replayed separately, and a fact in both is unconfirmed only if it is
 * current as unconfirmed and has ended as confirmed.
 */
export function replay(entries: Iterable<HistoryEntry>): Map<string, Fact> {
  const facts = new Map<string, Fact>();
  const unconfirmed = new Map<string, Fact>();
  for (const entry of entries) replayEntry(isInferredFile(entry.file) ? unconfirmed : facts, entry);
  for (const [id, fact] of unconfirmed) {
    const other = facts.get(id);
    if (other === undefined || (other.ended_at !== null && fact.ended_at === null)) facts.set(id, fact);
  }
  return facts;
}

/** The part of a map that applying an entry needs. */
type FactsById = Pick<Map<string, Fact>, "get" | "set" | "delete" | "size"> & {
  values(): Iterable<Fact>;
};

/** Applies one entry. */
export function replayEntry(facts: FactsById, entry: HistoryEntry): void {
  if (entry.kind === "added") {
    facts.delete(entry.id);
    facts.set(entry.id, factOf(entry, facts.size));
    for (const { id, text } of entry.supersedes) {
      if (id === entry.id) continue;
      const old = facts.get(id) ?? {
        ...factOf(entry, facts.size),
        id,
        text,
        because: null,
        key: null,
        doubts: null,
        until: null,
      };
      end(facts, old, { ended_at: entry.since ?? entry.at, superseded_by: entry.id });
    }
  } else {
    const known = facts.get(entry.id);
    if (known !== undefined) end(facts, known, { ended_at: entry.at, superseded_by: entry.supersededBy });
  }
}

/**
 * Its doubt passes on: if "lives in Trier" may replace "lives in Ulm" and ends, so may the fact that replaced it or is in doubt with
 * it. Otherwise "lives in Ulm" would be certain again.
 */
function end(facts: FactsById, fact: Fact, how: Pick<Fact, "ended_at" | "superseded_by">): void {
  const { id, doubts } = fact;
  facts.set(id, { ...fact, ...how });
  if (doubts === null) return;
  const isHeir = (one: Fact) =>
    one.id !== doubts && (one.doubts === id || (one.id === how.superseded_by && one.doubts === null));
  for (const heir of [...facts.values()].filter(isHeir)) facts.set(heir.id, { ...heir, doubts });
}

/** Sorts by file, then by line. */
export function byPosition(a: Fact, b: Fact): number {
  return (
    inOrder(a.file, b.file) ||
    a.position - b.position ||
    inOrder(a.created_at, b.created_at) ||
    inOrder(a.id, b.id)
  );
}

/** Removes and adds facts in a sorted list. Doesn't touch facts before the first change. */
export function withChanged(
  facts: readonly Fact[],
  gone: readonly Fact[],
  come: readonly Fact[],
): readonly Fact[] {
  const [first] = [...gone, ...come].sort(byPosition);
  if (first === undefined) return facts;
  const from = indexOf(facts, first);
  const left = new Set(gone);
  const rest = [...facts.slice(from).filter((fact) => !left.has(fact)), ...come].sort(byPosition);
  return [...facts.slice(0, from), ...rest];
}

/** Binary search: the index of the first fact at or after this one. */
function indexOf(facts: readonly Fact[], fact: Fact): number {
  let [low, high] = [0, facts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byPosition(facts[middle] as Fact, fact) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function factOf(entry: FactAdded, position: number): Fact {
  const { id, text, category, file, source, at, because, since } = entry;
  const { key = null, doubts = null, until = null } = entry;
  return {
    id,
    text,
    category,
    chat: chatOf(file),
    file,
    position,
    source,
    created_at: since ?? at,
    ended_at: null,
    superseded_by: null,
    ...{ because, key, doubts, until },
  };
}

/** An entry that adds a known fact again, with everything known about it. */
export function restated(fact: Fact, at: string): FactAdded {
  const { id, text, file, category, source, because, created_at: since, key, doubts, until } = fact;
  return {
    ...{ kind: "added", at, id, text, file, category, source, supersedes: [], because, since },
    ...(key === null ? {} : { key }),
    ...(doubts === null ? {} : { doubts }),
    ...(until === null ? {} : { until }),
  };
}

/** The facts as of a moment. A fact whose last day is over has ended, though its bullet is still in its file. */
export function asOf(facts: readonly Fact[], moment: Date): readonly Fact[] {
  if (facts.every(({ until }) => until === null)) return facts;
  return facts.map((fact) => {
    const end = fact.until === null || fact.ended_at !== null ? null : endOfDay(fact.until);
    return end === null || end > moment ? fact : { ...fact, ended_at: isoSeconds(end) };
  });
}

/** How a fact ended ("ended 2026-11-20"); for a current one, "until 2026-11-20", or "" if no end is known. */
export function endInWords({ ended_at, superseded_by, until }: Fact): string {
  if (ended_at === null) return until === null ? "" : `until ${until}`;
  if (superseded_by !== null) return `superseded by ${superseded_by}, ${localDay(ended_at)}`;
  return isOver({ ended_at, until }) ? `ended ${until}` : `removed ${localDay(ended_at)}`;
}

/** The day on which it ended: its last day if that is over, else the day on which it was superseded or removed. */
export function endDay({ ended_at, until }: Pick<Fact, "until"> & { readonly ended_at: string }): string {
  return until !== null && isOver({ ended_at, until }) ? until : localDay(ended_at);
}

/** Whether it ended because its last day is over. Its bullet still exists. */
export function isOver({ ended_at, until }: Pick<Fact, "ended_at" | "until">): boolean {
  return until !== null && ended_at === isoSeconds(endOfDay(until));
}

const CHAT_FILE = /^chats\/([^/]+)\//;

/** The chat of a file below memories/. */
export function chatOf(file: string): string | null {
  return CHAT_FILE.exec(file)?.[1] ?? null;
}

/** The label that users see: "unconfirmed", or else the trust of its source. */
export function shownTrust({ file, source }: Pick<Fact, "file" | "source">): string {
  return isInferredFile(file) ? "unconfirmed" : source.trust;
}

/** A person's words rank above facts that a model saved on purpose, and those above inferred facts. */
const IMPORTANCE = { said: 1, kept: 0.75, concluded: 0.25 } as const;

function importanceOf({ file, source }: Fact): number {
  if (isInferredFile(file)) return IMPORTANCE.concluded;
  return source.trust === "stated" ? IMPORTANCE.said : IMPORTANCE.kept;
}

/**
 * A fact as it is indexed, found also by the words of those it replaced. Its category isn't embedded, so that two facts that say
 * the same are similar.
 */
export function factMemory(fact: Fact, replaced: readonly Fact[]): Memory {
  const at = Date.parse(fact.created_at);
  return {
    kind: "fact",
    source: fact.id,
    scope: fact.chat ?? "",
    tags: fact.source.tags,
    // Its session also has the words it was inferred from, and would rank it above facts saved on purpose.
    session: isInferredFile(fact.file) ? null : fact.source.session,
    speaker: null,
    at: Number.isNaN(at) ? null : at,
    trust: fact.source.trust,
    importance: importanceOf(fact),
    chunks: [{ heading: "", text: fact.text, line: 1 }],
    neighbours: [fact.category, ...replaced.map(({ text }) => text)].join("\n"),
  };
}
