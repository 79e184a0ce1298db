/**
 * Removes a forgotten fact from a history. Its own lines go, and other facts' lines lose the part that names it. Facts it had
 * replaced stay ended, so a line that records this goes where its own was. A fact that contained the text has a new text now, and
 * so a new id.
 */
import { chatOf } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { type FactAdded, type HistoryEntry, parseEntry, printEntry } from "../../core/facts/history.ts";
import { isForgottenEntry } from "../sync/history-file.ts";
import type { ForgottenText } from "./text.ts";

/** `ids` are the forgotten ids. */
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
