/** Lists documents and collections from the index, after a sync with the files. */
import { type DocumentRef, type DocumentSummary, fieldText, summaryOf } from "../core/documents/document.ts";
import { type Condition, matches, parseFilters } from "../core/documents/filter.ts";
import { checkName, spelledAs } from "../core/documents/names.ts";
import { toListRow } from "../core/documents/render.ts";
import { documentSource } from "../core/memory.ts";
import type { IndexedDocument, UnreadDocument } from "../core/ports/documents.ts";
import { isoSeconds } from "../util/days.ts";
import { plural } from "../util/in-words.ts";
import { nearest } from "../util/text.ts";
import { upToDate } from "./index-sync.ts";
import type { DocumentPorts } from "./ports.ts";
import type { SortKey } from "./sort.ts";
import { reportHidden } from "./unread.ts";

export interface ListOptions {
  collection?: string;
  /** All must match; see core/documents/filter.ts. */
  filters?: readonly string[];
  /** Times sort newest first, names from a to z. Default: "updated". */
  sort?: SortKey;
  reverse?: boolean;
  limit?: number;
}

export interface ListedDocument extends DocumentSummary {
  readonly origin: DocumentPorts["origin"];
}

export interface ListResult {
  readonly documents: ListedDocument[];
  /** How many matched, before `limit`. */
  readonly total: number;
}

/** What an empty list says. */
export const NO_DOCUMENTS = "No documents found.";

/** Lists the documents of all these workspaces. */
export async function listDocuments(
  workspaces: readonly DocumentPorts[],
  options: ListOptions = {},
): Promise<ListResult> {
  const filter = new DocumentFilter(options.filters ?? []);
  const matching: OwnedRow[] = [];
  for (const ports of workspaces) {
    const { documents, unread } = await upToDate(ports);
    reportHidden(ports);
    reportProblems(ports, documents, unread);
    for (const row of filter.matching(ports, documents)) matching.push(row);
  }
  const wanted = options.collection && collectionIn(workspaces, options.collection);
  const inCollection = matching.filter(({ collection }) => (wanted ?? collection) === collection);
  if (workspaces[0] !== undefined) filter.warnOfUnknown(workspaces[0]);
  const sorted = sortBy(inCollection, options.sort ?? "updated", options.reverse ?? false);
  return { documents: sorted.slice(0, options.limit).map(listed), total: sorted.length };
}

type OwnedRow = IndexedDocument & Pick<ListedDocument, "origin">;

function listed(row: OwnedRow): ListedDocument {
  return { ...described(row), origin: row.origin };
}

/** Documents that pass the filter, in any order, and documents that can't be searched. */
export async function passingDocuments(
  ports: DocumentPorts,
  filter: DocumentFilter,
): Promise<{ documents: DocumentRef[]; unread: UnreadDocument[] }> {
  const { documents, unread } = await upToDate(ports);
  return { documents: filter.matching(ports, documents), unread };
}

/** Fields that every document has, also where its frontmatter doesn't set them. */
const { metadata: _, ...FIELDS } = { ...summaryOf({ collection: "", id: "" }, {}, () => ""), origin: "" };

/** Filters on the fields that `list` shows. Knows which keys no document of any workspace has. */
export class DocumentFilter {
  readonly #conditions: readonly Condition[];
  readonly #unknown: Set<string>;

  /** Throws `usage`. */
  constructor(expressions: readonly string[]) {
    this.#conditions = parseFilters(expressions);
    this.#unknown = new Set(
      this.#conditions.map(({ key }) => key).filter((key) => !Object.hasOwn(FIELDS, key)),
    );
  }

  /** Builds summaries only as needed: of ten thousand documents, often only a few are shown. */
  matching({ origin }: DocumentPorts, documents: readonly IndexedDocument[]): OwnedRow[] {
    const rows = documents.map((row) => ({ ...row, origin }));
    if (this.#conditions.length === 0) return rows;
    return rows.filter((row) => {
      const fields = toListRow(listed(row));
      for (const key of this.#unknown) if (Object.hasOwn(fields, key)) this.#unknown.delete(key);
      return matches(fields, this.#conditions);
    });
  }

  /** Call it after `matching` of every workspace. */
  warnOfUnknown({ warn }: Pick<DocumentPorts, "warn">): void {
    const fields = Object.keys(FIELDS);
    for (const key of this.#unknown) {
      const guess = nearest(key, fields);
      const known =
        guess === null ? `Fields of every document: ${fields.join(", ")}.` : `Did you mean '${guess}'?`;
      warn(`No document has the field '${key}'. ${known}`);
    }
  }
}

export function described(row: IndexedDocument): DocumentSummary {
  return summaryOf(row, row.fields, () => row.title);
}

/** Times sort newest first; within one second, the file that changed last comes first. */
function sortBy<R extends IndexedDocument>(rows: readonly R[], key: SortKey, reverse: boolean): R[] {
  const byTime = key === "updated" || key === "created";
  const direction = (byTime ? -1 : 1) * (reverse ? -1 : 1);
  const keyed = rows.map((row) => ({ row, key: sortKey(key, row) }));
  keyed.sort(
    (a, b) =>
      direction * (compare(a.key, b.key) || (byTime ? a.row.mtime - b.row.mtime : 0)) ||
      compare(a.row.id, b.row.id) ||
      compare(a.row.collection, b.row.collection),
  );
  return keyed.map(({ row }) => row);
}

function sortKey(key: SortKey, row: IndexedDocument): string | number {
  const { title, created_at, updated_at } = row.fields;
  if (key === "id") return row.id;
  if (key === "title") return (fieldText(title) ?? row.title).toLowerCase();
  const created = fieldText(created_at);
  return momentOf(row, key === "created" ? created : (fieldText(updated_at) ?? created));
}

/** The document's own time, else the file's. */
function momentOf(row: IndexedDocument, said: string | null): number {
  return (said === null ? Number.NaN : Date.parse(said)) || row.mtime;
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface CollectionSummary {
  readonly name: string;
  readonly origin: DocumentPorts["origin"];
  readonly count: number;
  readonly updated_at: string | null;
  /** The folder behind a read-only collection; null for the workspace's own collections. */
  readonly folder: string | null;
}

/** Every collection that has a directory or is named in the config, by name. */
export async function listCollections(ports: DocumentPorts): Promise<CollectionSummary[]> {
  const names = [...new Set([...ports.settings.collections, ...ports.files.collections()])].sort();
  const tally = new Map(names.map((name) => [name, { count: 0, newest: 0 }]));
  for (const row of (await upToDate(ports)).documents) {
    const own = tally.get(row.collection);
    if (own === undefined) continue;
    own.count++;
    own.newest = Math.max(
      own.newest,
      momentOf(row, fieldText(row.fields.updated_at ?? row.fields.created_at)),
    );
  }
  return [...tally].map(([name, { count, newest }]) => ({
    name,
    origin: ports.origin,
    count,
    updated_at: count === 0 ? null : isoSeconds(new Date(newest)),
    folder: ports.files.folderOf(name),
  }));
}

/** Warns about each document that the user can fix in the workspace, but at most twice for each folder. */
function reportProblems(
  { files, warnUnread: warn }: DocumentPorts,
  rows: readonly IndexedDocument[],
  unread: readonly UnreadDocument[],
): void {
  const inFolders = new Map<string, number>();
  for (const { collection, id, problem } of rows) {
    if (problem === null) continue;
    const before = inFolders.get(collection) ?? 0;
    if (files.folderOf(collection) !== null) inFolders.set(collection, before + 1);
    if (before === 0) warn(`${collection}/${id}.md cannot be read completely: ${problem}`);
  }
  const known = new Set(unread.length === 0 ? [] : rows.map(documentSource));
  for (const stray of unread) if (!known.has(documentSource(stray))) warn(stray.problem);
  for (const [collection, count] of inFolders)
    if (count > 1)
      warn(`${plural(count - 1, "more file", "more files")} in '${collection}' cannot be read completely.`);
}

/** The collection's name as spelled on disk or in the config. Warns if it doesn't exist. */
export function collectionIn(workspaces: readonly DocumentPorts[], name: string): string {
  checkName("collection", name);
  const names = workspaces.flatMap(({ files, settings }) => [
    ...files.collections(),
    ...settings.collections,
  ]);
  const collection = spelledAs(names, name);
  if (names.includes(collection)) return collection;
  const guess = nearest(collection, names);
  workspaces[0]?.warn(
    `There is no collection '${collection}'.${guess === null ? "" : ` Did you mean '${guess}'?`}`,
  );
  return collection;
}
