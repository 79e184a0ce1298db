/**
 * Takes into the index what changed on disk: a person's edits, new files, removed files. Unchanged files cost one
 * `stat` each and are not opened.
 */
import type { DocumentRef } from "../core/document.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import type {
  DocumentFile,
  DocumentFiles,
  DocumentIndex,
  FileStamp,
  IndexedDocument,
} from "../core/ports.ts";
import { sha256 } from "../util/hash.ts";
import type { DocumentPorts } from "./ports.ts";
import { parseFile } from "./read.ts";

/**
 * File systems stamp changes by a clock that ticks every few milliseconds. A file that was read within one tick of
 * its last change may change again under the same stamp, so it is compared by content the next time.
 */
const CLOCK_TICK_MS = 20;

/** Every document, the index brought up to date first. */
export async function upToDate({ files, index, lock, warn }: DocumentPorts): Promise<IndexedDocument[]> {
  const known = new Map(index.all().map((row) => [keyOf(row), row]));
  const { found, leftovers, unreadable } = files.scan();
  for (const { reason } of unreadable) warn(reason);
  const fresh: IndexedDocument[] = [];
  const doubtful: DocumentRef[] = [];
  for (const { ref, stamp } of found) {
    const key = keyOf(ref);
    const row = known.get(key);
    known.delete(key);
    if (row !== undefined && isSettled(row, stamp)) fresh.push(row);
    else doubtful.push(ref);
  }
  const hidden = new Set(unreadable.map(({ collection }) => collection));
  const removed = [...known.values()].filter(({ collection }) => !hidden.has(collection));
  if (doubtful.length + removed.length + leftovers.length === 0) return fresh;

  const read = () => doubtful.flatMap((ref) => readRow(files, index, ref) ?? []);
  const takeIn = () => {
    const rows = read();
    for (const row of rows) index.put(row);
    for (const ref of removed) if (!files.has(ref)) index.remove(ref);
    files.removeLeftovers(leftovers);
    return rows;
  };
  // A reader never waits for a writer: what it cannot store, the next one will.
  const taken = lock.writable ? lock.tryExclusively(takeIn) : null;
  return [...fresh, ...(taken?.result ?? read())];
}

/** null when the file is gone. One that the system will not let us read is tried again the next time. */
function readRow(files: DocumentFiles, index: DocumentIndex, ref: DocumentRef): IndexedDocument | null {
  const known = index.find(ref);
  try {
    const file = files.read(ref);
    if (file === null) return null;
    const hash = sha256(file.bytes);
    if (known?.hash === hash) return { ...known, ...file.stamp, seenAt: file.seenAt };
    return rowOf(file, hash, known?.writtenHash ?? null);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const unread = { size: 0, mtime: 0, ctime: 0, inode: 0, hash: "", seenAt: 0 };
    const writtenHash = known?.writtenHash ?? null;
    return { ...ref, ...unread, writtenHash, title: ref.id, fields: {}, problem: error.message };
  }
}

/** What the index keeps of a file. A file that cannot be understood is kept with the reason. */
export function rowOf(file: DocumentFile, hash: string, writtenHash: string | null): IndexedDocument {
  const base = { ...file.ref, ...file.stamp, hash, writtenHash, seenAt: file.seenAt };
  try {
    const { document, markdown } = parseFile(file);
    const problem = markdown.problem && `line ${markdown.problem.line}: ${markdown.problem.message}`;
    const { version_history: _, ...fields } = markdown.fields;
    return { ...base, title: document.title, fields, problem };
  } catch (error) {
    return { ...base, title: file.ref.id, fields: {}, problem: messageOf(error) };
  }
}

function isSettled(row: IndexedDocument, stamp: FileStamp): boolean {
  const same =
    row.mtime === stamp.mtime &&
    row.ctime === stamp.ctime &&
    row.size === stamp.size &&
    row.inode === stamp.inode;
  return same && row.seenAt - Math.max(row.mtime, row.ctime) > CLOCK_TICK_MS;
}

function keyOf({ collection, id }: DocumentRef): string {
  return `${collection}/${id}`;
}
