/** What is there: documents and collections, from the index after it has caught up with the files. */
import { type DocumentSummary, summaryOf } from "../core/document.ts";
import { matches, parseFilters } from "../core/filter.ts";
import type { IndexedDocument } from "../core/ports.ts";
import { toListRow } from "../core/render.ts";
import { nearest } from "../util/text.ts";
import { upToDate } from "./index-sync.ts";
import { type DocumentPorts, isoSeconds } from "./ports.ts";

export const SORT_KEYS = ["updated", "created", "title", "id"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface ListOptions {
  collection?: string;
  /** All must hold; see core/filter.ts. */
  filters?: readonly string[];
  /** Times: newest first. Names: from a to z. By default "updated". */
  sort?: SortKey;
  reverse?: boolean;
  limit?: number;
}

export interface ListResult {
  readonly documents: DocumentSummary[];
  /** How many matched, before `limit`. */
  readonly total: number;
}

export async function listDocuments(ports: DocumentPorts, options: ListOptions = {}): Promise<ListResult> {
  const conditions = parseFilters(options.filters ?? []);
  const rows = await upToDate(ports.files, ports.index());
  reportProblems(ports, rows);
  if (options.collection !== undefined) reportMissing(ports, options.collection);
  const chosen = rows.filter(
    (row) => options.collection === undefined || row.collection === options.collection,
  );
  const matching = chosen
    .map((row) => ({ row, summary: summaryOf(row, row.fields, () => row.title) }))
    .filter(({ summary }) => conditions.length === 0 || matches(toListRow(summary), conditions))
    .sort(order(options.sort ?? "updated", options.reverse ?? false))
    .map(({ summary }) => summary);
  return { documents: matching.slice(0, options.limit), total: matching.length };
}

interface Sortable {
  row: IndexedDocument;
  summary: DocumentSummary;
}

function order(key: SortKey, reverse: boolean): (a: Sortable, b: Sortable) => number {
  const direction = reverse ? -1 : 1;
  const byName = (a: Sortable, b: Sortable) =>
    compare(a.row.id, b.row.id) || compare(a.row.collection, b.row.collection);
  const byKey: Record<SortKey, (a: Sortable, b: Sortable) => number> = {
    updated: (a, b) => compare(updatedAt(b), updatedAt(a)) || b.row.mtime - a.row.mtime,
    created: (a, b) => compare(createdAt(b), createdAt(a)) || b.row.mtime - a.row.mtime,
    title: (a, b) => compare(a.summary.title.toLowerCase(), b.summary.title.toLowerCase()),
    id: byName,
  };
  return (a, b) => direction * (byKey[key](a, b) || byName(a, b));
}

function createdAt({ row, summary }: Sortable): string {
  return summary.created_at ?? isoSeconds(new Date(row.mtime));
}

function updatedAt(item: Sortable): string {
  return item.summary.updated_at ?? createdAt(item);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface CollectionSummary {
  readonly name: string;
  readonly count: number;
  readonly updated_at: string | null;
}

/** Every collection that has a directory or is named in the config, by name. */
export async function listCollections(ports: DocumentPorts): Promise<CollectionSummary[]> {
  const rows = await upToDate(ports.files, ports.index());
  const names = new Set([...ports.settings.collections, ...ports.files.collections()]);
  return [...names].sort(compare).map((name) => {
    const own = rows.filter((row) => row.collection === name);
    const times = own.map((row) => updatedAt({ row, summary: summaryOf(row, row.fields, () => row.title) }));
    return { name, count: own.length, updated_at: times.sort(compare).at(-1) ?? null };
  });
}

function reportProblems({ warn }: DocumentPorts, rows: readonly IndexedDocument[]): void {
  for (const row of rows) {
    if (row.problem !== null) warn(`${row.collection}/${row.id}.md cannot be read wholly: ${row.problem}`);
  }
}

function reportMissing({ files, settings, warn }: DocumentPorts, collection: string): void {
  const names = [...files.collections(), ...settings.collections];
  if (names.includes(collection)) return;
  const guess = nearest(collection, names);
  warn(`There is no collection '${collection}'.${guess === null ? "" : ` Did you mean '${guess}'?`}`);
}
