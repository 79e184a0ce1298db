/**
 * A history without what is forgotten. Its own lines go; those of other facts lose the part that names it. What it had
 * taken the place of has ended all the same, so a line that says so stands where its own did. A fact that held the text as a
 * part of its own has another text now, and so another id.
 */
import { chatOf } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { type FactAdded, type HistoryEntry, parseEntry, printEntry } from "../../core/facts/history.ts";
import { isForgottenEntry } from "../sync/history-file.ts";
import type { ForgottenText } from "./text.ts";

/** `ids` are those of what is forgotten. */
export function withoutFact(content: string, ids: ReadonlySet<string>, text: ForgottenText): string {
  const lines = content.split(/(?<=\n)/).map((line) => ({ line, entry: parseEntry(line) }));
  const entries = lines.flatMap(({ entry }) => entry ?? []);
  const isGone = ({ id, text: said }: { id: string; text: string }) => ids.has(id) || text.isAllOf(said);
  const renamed = newIds(entries, text);
  return lines
    .map(({ line, entry }) => {
      if (entry === null) return text.without(line);
      if (isForgottenEntry(entry)) return line;
      if (isGone(entry)) return entry.kind === "added" ? ended(entry, isGone, renamed, text) : "";
      const edited = editedEntry(entry, isGone, ids, renamed, text);
      return JSON.stringify(edited) === JSON.stringify(entry) ? line : printEntry(edited);
    })
    .join("");
}

type IsGone = (fact: { id: string; text: string }) => boolean;
type NewIds = ReadonlyMap<string, string>;

function newIds(entries: readonly HistoryEntry[], text: ForgottenText): NewIds {
  return new Map(
    entries.flatMap(({ id, text: said, file }) =>
      text.holds(said) ? [[id, factId(text.without(said), chatOf(file))] as const] : [],
    ),
  );
}

function ended(entry: FactAdded, isGone: IsGone, renamed: NewIds, text: ForgottenText): string {
  return entry.supersedes
    .filter((old) => !isGone(old))
    .map((old) =>
      printEntry({
        kind: "removed",
        at: entry.at,
        id: renamed.get(old.id) ?? old.id,
        text: text.without(old.text),
        file: entry.file,
        by: "forget",
        supersededBy: null,
      }),
    )
    .join("");
}

function editedEntry(
  entry: HistoryEntry,
  isGone: IsGone,
  ids: ReadonlySet<string>,
  renamed: NewIds,
  text: ForgottenText,
): HistoryEntry {
  const base = { id: renamed.get(entry.id) ?? entry.id, text: text.without(entry.text) };
  if (entry.kind === "removed") {
    const by = entry.supersededBy;
    return { ...entry, ...base, supersededBy: by === null || ids.has(by) ? null : (renamed.get(by) ?? by) };
  }
  return {
    ...entry,
    ...base,
    category: text.without(entry.category),
    source: { ...entry.source, tags: entry.source.tags.map((tag) => text.without(tag)) },
    supersedes: entry.supersedes
      .filter((old) => !isGone(old))
      .map((old) => ({ id: renamed.get(old.id) ?? old.id, text: text.without(old.text) })),
    because: entry.because === null ? null : text.without(entry.because),
  };
}
