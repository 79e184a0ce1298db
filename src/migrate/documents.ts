/**
 * Imports documents with `put`, keeping their collection, id and frontmatter. If the workspace's document differs, it is replaced
 * only with --overwrite, which keeps a version.
 */
import type { DocumentRef } from "../core/documents/document.ts";
import { contentOf, parseMarkdown } from "../core/documents/frontmatter.ts";
import { RetainError } from "../core/errors.ts";
import { command, option } from "../core/hint.ts";
import { broughtFields, differing } from "../documents/input.ts";
import { type Incoming, type PutInput, readIncoming } from "../documents/put.ts";
import { putDocuments } from "../documents/put-many.ts";
import { textOf } from "../documents/read.ts";
import type { Migration } from "./ports.ts";
import { isMarkdownFile } from "./recognise.ts";
import type { Spot } from "./report.ts";

interface Collection {
  readonly path: string;
  readonly collection: string;
}

/** Read again when stored, so that thousands of documents aren't in memory at once. */
interface Wanted extends DocumentRef {
  readonly spot: Spot;
  readonly read: () => PutInput;
}

export async function takeDocuments(migration: Migration, { path, collection }: Collection): Promise<void> {
  const { source, telling, documents, overwrite, isDry } = migration;
  const wanted: Wanted[] = [];
  const entries = source.entries(path);
  for (const entry of entries.filter(({ name }) => name === ".versions"))
    telling.leave(entry.path, "older versions of documents are not imported");
  for (const entry of entries.filter(isMarkdownFile)) {
    const id = entry.name.slice(0, -".md".length);
    const spot: Spot = { kind: "documents", name: `${collection}/${id}`, file: entry.path };
    try {
      const target = { id, collection, noOverwrite: !overwrite };
      const read = () => ({ ...target, content: source.markdown(entry.path) });
      const incoming = readIncoming(documents, read());
      if (isToBeStored(migration, incoming, spot))
        wanted.push({ collection: incoming.collection, id: incoming.id, spot, read });
    } catch (error) {
      telling.failed(spot, error);
    }
  }
  if (isDry) for (const { spot } of wanted) telling.taken(spot);
  else await store(migration, wanted);
}

/** False, and reported, if the workspace has the document. */
function isToBeStored({ documents, telling }: Migration, incoming: Incoming, spot: Spot): boolean {
  const { collection, id, input, markdown } = incoming;
  const file = documents.files.read({ collection, id });
  if (file === null) return true;
  const current = parseMarkdown(textOf(file.bytes, file.path));
  const isSame =
    contentOf(current) === contentOf(markdown) &&
    Object.keys(differing(broughtFields(markdown), current.fields)).length === 0;
  if (isSame) telling.there(spot);
  else if (input.noOverwrite)
    telling.skipped(
      spot,
      "The workspace has a different document with this id.",
      `Compare: ${command("get", id, option("collection", collection))}. To replace it and keep a version, pass ${option("overwrite")}.`,
    );
  return !isSame && !input.noOverwrite;
}

async function store({ documents, telling, progress }: Migration, wanted: readonly Wanted[]): Promise<void> {
  const spots = new Map(wanted.map(({ spot }) => [spot.file, spot]));
  const places = new Map(wanted.map(({ collection, id, spot }) => [`${collection}/${id}`, spot]));
  const sources = wanted.map(({ spot, read }) => ({ name: spot.file, read }));
  const result = await putDocuments(documents, sources, (done) => progress("documents", done, wanted.length));
  for (const { collection, id, action, kept_version } of result.stored) {
    const spot = places.get(`${collection}/${id}`);
    if (spot === undefined) continue;
    spots.delete(spot.file);
    if (action === "unchanged") telling.there(spot);
    else telling.taken(spot, { why: kept_version === null ? null : `the previous text is ${kept_version}` });
  }
  for (const { name, error } of result.failed) {
    const spot = spots.get(name);
    // A failing disk stops the migration.
    if (spot !== undefined) telling.failed(spot, error);
    spots.delete(name);
  }
  if (spots.size > 0) throw new RetainError("io", `${spots.size} documents were not stored.`);
}
