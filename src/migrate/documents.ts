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
import type { ItemRef } from "./report.ts";

interface Collection {
  readonly path: string;
  readonly collection: string;
}

/** Read again when stored, so that thousands of documents aren't in memory at once. */
interface Wanted extends DocumentRef {
  readonly item: ItemRef;
  readonly read: () => PutInput;
}

export async function importDocuments(migration: Migration, { path, collection }: Collection): Promise<void> {
  const { source, outcomes, documents, overwrite, isDry } = migration;
  const wanted: Wanted[] = [];
  const entries = source.entries(path);
  for (const entry of entries.filter(({ name }) => name === ".versions"))
    outcomes.leave(entry.path, "older versions of documents are not imported");
  for (const entry of entries.filter(isMarkdownFile)) {
    const id = entry.name.slice(0, -".md".length);
    const item: ItemRef = { kind: "documents", name: `${collection}/${id}`, file: entry.path };
    try {
      const target = { id, collection, noOverwrite: !overwrite };
      const read = () => ({ ...target, content: source.markdown(entry.path) });
      const incoming = readIncoming(documents, read());
      if (isToBeStored(migration, incoming, item))
        wanted.push({ collection: incoming.collection, id: incoming.id, item, read });
    } catch (error) {
      outcomes.failed(item, error);
    }
  }
  if (isDry) for (const { item } of wanted) outcomes.imported(item);
  else await store(migration, wanted);
}

/** False, and reported, if the workspace has the document. */
function isToBeStored({ documents, outcomes }: Migration, incoming: Incoming, item: ItemRef): boolean {
  const { collection, id, input, markdown } = incoming;
  const file = documents.files.read({ collection, id });
  if (file === null) return true;
  const current = parseMarkdown(textOf(file.bytes, file.path));
  const isSame =
    contentOf(current) === contentOf(markdown) &&
    Object.keys(differing(broughtFields(markdown), current.fields)).length === 0;
  if (isSame) outcomes.existing(item);
  else if (input.noOverwrite)
    outcomes.skipped(
      item,
      "The workspace has a different document with this id.",
      `Compare: ${command("get", id, option("collection", collection))}. To replace it and keep a version, pass ${option("overwrite")}.`,
    );
  return !isSame && !input.noOverwrite;
}

async function store({ documents, outcomes, progress }: Migration, wanted: readonly Wanted[]): Promise<void> {
  const byFile = new Map(wanted.map(({ item }) => [item.file, item]));
  const byId = new Map(wanted.map(({ collection, id, item }) => [`${collection}/${id}`, item]));
  const sources = wanted.map(({ item, read }) => ({ name: item.file, read }));
  const result = await putDocuments(documents, sources, (done) => progress("documents", done, wanted.length));
  for (const { collection, id, action, kept_version } of result.stored) {
    const item = byId.get(`${collection}/${id}`);
    if (item === undefined) continue;
    byFile.delete(item.file);
    if (action === "unchanged") outcomes.existing(item);
    else
      outcomes.imported(item, {
        why: kept_version === null ? null : `the previous text is ${kept_version}`,
      });
  }
  for (const { name, error } of result.failed) {
    const item = byFile.get(name);
    // A failing disk stops the migration.
    if (item !== undefined) outcomes.failed(item, error);
    byFile.delete(name);
  }
  if (byFile.size > 0) throw new RetainError("io", `${byFile.size} documents were not stored.`);
}
