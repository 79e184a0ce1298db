/**
 * Updates the index with changes on disk: edited, new and removed files. Unchanged files cost one `stat` each and aren't
 * opened.
 */
import { setImmediate } from "node:timers/promises";
import type { DocumentRef } from "../core/documents/document.ts";
import { isSameStamp, isSettledBy } from "../core/documents/file-stamp.ts";
import { messageOf } from "../core/errors.ts";
import { documentSource, type Memory } from "../core/memory.ts";
import type {
  DocumentFile,
  DocumentFiles,
  DocumentIndex,
  DocumentScan,
  FileStamp,
  FoundDocument,
  IndexedDocument,
  StampedDocument,
  UnreadDocument,
  WorkspaceLock,
} from "../core/ports/documents.ts";
import { shareableFields } from "../core/secrets/shareable.ts";
import { fingerprint, sha256 } from "../util/hash.ts";
import { inSlices, OneAtATime, sliced } from "../util/slices.ts";
import { AGREED, keyOf, type Part, partToLookAt } from "./changed-part.ts";
import { INDEX_FORMAT, memoryOf } from "./memory-of.ts";
import type { DocumentPorts } from "./ports.ts";
import { parseFile } from "./read.ts";

interface CurrentDocuments {
  readonly documents: IndexedDocument[];
  /** Includes files that have no row in the index. */
  readonly unread: UnreadDocument[];
}

/** Updates the index, then returns every document. */
export async function upToDate(ports: DocumentPorts): Promise<CurrentDocuments> {
  const scan = await ports.files.scanInSlices();
  const { settled, read } = await sync(ports, scan, await collected(ports.index.all()));
  const documents = [...settled, ...read.map(({ row }) => row)];
  const sound = documents.every(({ problem }) => problem === null);
  return { documents, unread: sound ? scan.strays : unreadOf(ports, scan, read) };
}

async function collected<T>(pages: Iterable<T[]>): Promise<T[]> {
  const rows: T[] = [];
  for (const page of pages) {
    rows.push(...page);
    await setImmediate();
  }
  return rows;
}

export interface SyncCounts {
  /** Includes new documents. */
  readonly changed: number;
  readonly removed: number;
}

interface SyncResult extends SyncCounts {
  readonly unread: UnreadDocument[];
}

const RUNNING = new WeakMap<DocumentIndex, OneAtATime<SyncResult>>();

/** Updates the index before a search. Reads no rows if no file changed. Concurrent searches share the work. */
export function syncIndex(ports: DocumentPorts): Promise<SyncResult> {
  const running = RUNNING.get(ports.index) ?? new OneAtATime(() => syncFiles(ports));
  RUNNING.set(ports.index, running);
  return running.run();
}

async function syncFiles(ports: DocumentPorts): Promise<SyncResult> {
  const { files, index, lock } = ports;
  // Before the scan: rows that change during it belong to a later generation, so the next sync compares them.
  const { fingerprint: settledAs, unread: unreadThen, generation } = index.settled();
  const scan = await files.scanInSlices();
  const part = partToLookAt(index, scan);
  if (part !== null) return syncPart(ports, scan, part, generation);
  const fingerprint = fingerprintOf(scan);
  if (fingerprint !== null && settledAs === fingerprint) {
    const unread = unreadThen === 0 ? scan.strays : unreadOf(ports, scan, []);
    AGREED.set(index, { scan, doubtful: [], generation, unread });
    return { changed: 0, removed: 0, unread };
  }
  const known = await collected(index.stamps());
  const { settled, read, removed, ...synced } = await sync(ports, scan, known);
  const agrees = settled.length === scan.found.length && known.length === settled.length;
  const unread = unreadOf(ports, scan, read);
  const count = unread.length - scan.strays.length;
  if (synced.isStored && scan.unreadable.length === 0)
    AGREED.set(index, { scan, doubtful: synced.doubtful, generation, unread });
  if (fingerprint !== null && agrees && known.length > 0 && lock.writable)
    lock.tryExclusively(() => index.settle(fingerprint, count, generation));
  return { changed: changesIn(read), removed, unread };
}

function changesIn(read: readonly ReadDocument[]): number {
  return read.filter(({ memory }) => memory !== "unchanged").length;
}

async function syncPart(
  ports: DocumentPorts,
  scan: DocumentScan,
  { found, known, unread: unreadBefore, isSound: areOthersSound }: Part,
  generation: number,
): Promise<SyncResult> {
  if (AGREED.get(ports.index)?.scan === scan && found.length + known.length === 0)
    return { changed: 0, removed: 0, unread: unreadBefore };
  const { doubtful, read, removed, isStored } = await sync(ports, { ...scan, found }, known);
  const rows = [...known, ...read.map(({ row }) => row)];
  const isSound = areOthersSound && rows.every(({ problem }) => problem === null);
  const unread = isSound ? scan.strays : unreadOf(ports, scan, read);
  if (isStored) AGREED.set(ports.index, { scan, doubtful, generation, unread });
  return { changed: changesIn(read), removed, unread };
}

/** Files that couldn't be read completely, by name. Reflects the files as they are now, even if the index couldn't be updated. */
function unreadOf(
  { files, index }: DocumentPorts,
  { strays }: DocumentScan,
  read: readonly ReadDocument[],
): UnreadDocument[] {
  const unread = new Map(index.unread().map((document) => [keyOf(document), document]));
  for (const { row, memory } of read) {
    if (memory === "unchanged") continue;
    const { collection, id, problem } = row;
    const isSearched = memory !== null && memory.chunks.length > 0;
    if (problem !== null) unread.set(keyOf(row), { collection, id, problem, isSearched });
    else unread.delete(keyOf(row));
  }
  for (const stray of strays) unread.delete(keyOf(stray));
  if (unread.size === 0) return strays;
  const known = [...unread.values()].filter((document) => files.has(document));
  return [...known, ...strays].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Matches no index format, so a row with it is read again. */
const NONE = -1;

/** Rebuilds the index from the files, in one transaction with `clear`. */
export async function rebuildIndex(ports: DocumentPorts, clear: () => void): Promise<void> {
  const { files, index, lock } = ports;
  await lock.exclusively(() => {
    clear();
    for (const { ref } of files.scan().found) {
      const known = index.find(ref);
      const taken = readDocument(files, ref, known === null ? null : { ...known, format: NONE });
      if (taken !== null) indexOne(ports, taken);
    }
  });
}

/** An unchanged scan is returned again as the same object. */
const fingerprints = new WeakMap<DocumentScan, string>();

/** Equal for the same file names and stamps; null if the scan has leftovers or unreadable directories. */
function fingerprintOf(scan: DocumentScan): string | null {
  if (scan.leftovers.length + scan.unreadable.length > 0) return null;
  const fingerprint = fingerprints.get(scan) ?? computeFingerprint(scan);
  fingerprints.set(scan, fingerprint);
  return fingerprint;
}

function computeFingerprint({ found }: DocumentScan): string {
  const stamps = new Float64Array(found.length * 4);
  const names: string[] = [];
  let next = 0;
  for (const { ref, stamp } of found) {
    stamps[next++] = stamp.size;
    stamps[next++] = stamp.mtime;
    stamps[next++] = stamp.ctime;
    stamps[next++] = stamp.inode;
    names.push(ref.collection, ref.id);
  }
  return [INDEX_FORMAT, fingerprint(names.join("\n")), fingerprint(new Uint8Array(stamps.buffer))].join(":");
}

/** Other work runs after this many documents are indexed. */
const MOST_UNDER_LOCK = 25;

interface Synced<Known> {
  readonly settled: Known[];
  readonly doubtful: readonly FoundDocument[];
  readonly read: ReadDocument[];
  readonly removed: number;
  readonly isStored: boolean;
}

/**
 * `known` has the index's row of every document. Returns the rows that still match; the files that didn't match theirs; the
 * documents that were read again; and whether everything found is now stored.
 */
async function sync<Known extends StampedDocument>(
  ports: DocumentPorts,
  { found, leftovers, unreadable }: DocumentScan,
  known: readonly Known[],
): Promise<Synced<Known>> {
  const { files, index, lock, warnUnread } = ports;
  const gone = new Map<string, Known>();
  await inSlices(sliced(known, (row) => gone.set(keyOf(row), row)));
  for (const { reason } of unreadable) warnUnread(reason);
  const settled: Known[] = [];
  const doubtful: FoundDocument[] = [];
  const compare = (document: FoundDocument) => {
    const key = keyOf(document.ref);
    const row = gone.get(key);
    gone.delete(key);
    if (row !== undefined && isSettled(row, document.stamp)) settled.push(row);
    else doubtful.push(document);
  };
  await inSlices(sliced(found, compare));
  const hidden = new Set(unreadable.map(({ collection }) => collection));
  for (const collection of new Set([...gone.values()].map((row) => row.collection)))
    if (files.addedSince(collection)) hidden.add(collection);
  const removed = [...gone.values()].filter(({ collection }) => !hidden.has(collection));
  const still = { settled, doubtful };
  if (doubtful.length + removed.length + leftovers.length === 0)
    return { ...still, read: [], removed: 0, isStored: true };

  const read: ReadDocument[] = [];
  let isStored = true;
  for (let at = 0; at < doubtful.length; at += MOST_UNDER_LOCK) {
    if (at > 0) await setImmediate();
    const part = doubtful.slice(at, at + MOST_UNDER_LOCK);
    const readPart = () => part.flatMap(({ ref }) => readDocument(files, ref, index.find(ref)) ?? []);
    const stored = whileLocked(lock, () => {
      const taken = readPart();
      for (const one of taken) indexOne(ports, one);
      return taken;
    });
    read.push(...(stored?.result ?? readPart()));
    isStored &&= stored !== null;
  }
  if (removed.length + leftovers.length === 0) return { ...still, read, removed: 0, isStored };
  // Last, so that a renamed document can reuse its vectors.
  const forgotten = whileLocked(lock, () => {
    for (const ref of removed) if (!files.has(ref)) forgetDocument(ports, ref);
    if (lock.writable) files.removeLeftovers(leftovers);
  });
  if (forgotten === null) return { ...still, read, removed: 0, isStored: false };
  return { ...still, read, removed: removed.length, isStored };
}

/** A reader never waits for a writer. If it can't store the changes (null), the next process will. */
function whileLocked<T>(lock: WorkspaceLock, work: () => T): { result: T } | null {
  return lock.writable ? lock.tryExclusively(work) : { result: lock.inMemory(work) };
}

/** If a document's rows can't be stored, it is stored as unreadable, and the other documents aren't affected. */
function indexOne({ index, chunkIndex, lock }: DocumentPorts, document: ReadDocument): void {
  const store = ({ row, memory }: ReadDocument) => {
    index.put(row);
    if (memory === null) chunkIndex.remove({ kind: "document", source: documentSource(row) });
    else if (memory !== "unchanged") chunkIndex.put(memory);
  };
  lock.savepoint(
    () => store(document),
    (cause) => store(Object.assign(document, failedDocument(document.row, document.row.writtenHash, cause))),
  );
}

/** Indexes a document that was just written. Call with the lock held. */
export function indexDocument(ports: DocumentPorts, file: DocumentFile, hash: string): void {
  indexOne(ports, describe(file, hash, hash));
}

/** Call with the lock held. */
export function forgetDocument({ index, chunkIndex }: DocumentPorts, ref: DocumentRef): void {
  index.remove(ref);
  chunkIndex.remove({ kind: "document", source: documentSource(ref) });
}

interface ReadDocument {
  row: IndexedDocument;
  /** null if there is nothing to search. */
  memory: Memory | "unchanged" | null;
}

/** null if the file is gone. */
function readDocument(
  files: DocumentFiles,
  ref: DocumentRef,
  known: IndexedDocument | null,
): ReadDocument | null {
  const writtenHash = known?.writtenHash ?? null;
  try {
    const file = files.read(ref);
    if (file === null) return null;
    const hash = sha256(file.bytes);
    if (known?.hash === hash && known.format === INDEX_FORMAT)
      return { row: { ...known, ...file.stamp, seenAt: file.seenAt }, memory: "unchanged" };
    return describe(file, hash, writtenHash);
  } catch (error) {
    return failedDocument(ref, writtenHash, error);
  }
}

/** The row of a document that couldn't be read at all. The next sync tries again. */
function failedDocument(
  { collection, id }: DocumentRef,
  writtenHash: string | null,
  cause: unknown,
): ReadDocument & { memory: null } {
  const stamp = { size: 0, mtime: 0, ctime: 0, inode: 0, hash: "", seenAt: 0, format: INDEX_FORMAT };
  const row = { collection, id, ...stamp, writtenHash, title: id, fields: {}, problem: messageOf(cause) };
  return { row, memory: null };
}

/** The row and chunks of a file. A file that can't be parsed gets a row with the reason. */
function describe(file: DocumentFile, hash: string, writtenHash: string | null): ReadDocument {
  const base = {
    ...file.ref,
    ...file.stamp,
    hash,
    writtenHash,
    seenAt: file.seenAt,
    format: INDEX_FORMAT,
  };
  try {
    const { document, markdown } = parseFile(file);
    const problem = markdown.problem && `line ${markdown.problem.line}: ${markdown.problem.message}`;
    const { version_history: _, ...fields } = markdown.fields;
    const { title } = shareableFields({ title: document.title });
    const row = { ...base, title: String(title), fields: shareableFields(fields), problem };
    return { row, memory: memoryOf(document, file.stamp.mtime) };
  } catch (error) {
    return { row: { ...base, title: file.ref.id, fields: {}, problem: messageOf(error) }, memory: null };
  }
}

function isSettled(row: StampedDocument, stamp: FileStamp): boolean {
  return isSameStamp(row, stamp) && row.format === INDEX_FORMAT && isSettledBy(row.seenAt, row);
}
