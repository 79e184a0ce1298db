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
import { differing } from "../util/lists.ts";
import { OneAtATime } from "../util/slices.ts";
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
  const { settled, read } = await sync(ports, scan, ports.index.all());
  const documents = [...settled, ...read.map(({ row }) => row)];
  const sound = documents.every(({ problem }) => problem === null);
  return { documents, unread: sound ? scan.strays : unreadOf(ports.index, scan, read) };
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
    AGREED.set(index, { scan, doubtful: [], generation, isSound: unreadThen === 0 });
    return { changed: 0, removed: 0, unread: unreadThen === 0 ? scan.strays : unreadOf(index, scan, []) };
  }
  const known = index.stamps();
  const { settled, read, removed, ...synced } = await sync(ports, scan, known);
  const agrees = settled.length === scan.found.length && known.length === settled.length;
  const unread = unreadOf(index, scan, read);
  const count = unread.length - scan.strays.length;
  if (synced.isStored && scan.unreadable.length === 0)
    AGREED.set(index, { scan, doubtful: synced.doubtful, generation, isSound: count === 0 });
  if (fingerprint !== null && agrees && known.length > 0 && lock.writable)
    lock.tryExclusively(() => index.settle(fingerprint, count, generation));
  return { changed: changesIn(read), removed, unread };
}

function changesIn(read: readonly ReadDocument[]): number {
  return read.filter(({ memory }) => memory !== "unchanged").length;
}

/** For a long-lived process: in this generation, the rows matched these files, and there were no other rows. */
interface Agreement {
  readonly scan: DocumentScan;
  /** Files of the scan that may not match their rows. */
  readonly doubtful: readonly FoundDocument[];
  readonly generation: number;
  /** Whether all of them were readable. */
  readonly isSound: boolean;
}

const AGREED = new WeakMap<DocumentIndex, Agreement>();

/** Some of the files, with their rows and the rows of removed files. */
interface Part {
  readonly found: DocumentScan["found"];
  readonly known: readonly IndexedDocument[];
  /** Whether all other files were readable. */
  readonly isSound: boolean;
}

/** If more changed, everything is synced. */
const MOST_IN_PART = 100;

/** Changes since files and rows last agreed; null if unknown, or if there are too many. */
function partToLookAt(index: DocumentIndex, scan: DocumentScan): Part | null {
  const agreed = AGREED.get(index);
  if (agreed === undefined || scan.leftovers.length + scan.unreadable.length > 0) return null;
  const { come, gone } = agreed.scan === scan ? NO_DIFFERENCE : differenceOf(agreed.scan.found, scan.found);
  const changed = index.changedSince(agreed.generation);
  const doubtful = agreed.doubtful.filter((document) => !gone.has(document));
  const count = gone.size + come.size + doubtful.length;
  if (changed === null || count + changed.length > MOST_IN_PART) return null;
  const looked = new Set([...come, ...doubtful]);
  const refs = new Map([...gone, ...looked].map(({ ref }) => [keyOf(ref), ref]));
  const others = changed.filter((ref) => !refs.has(keyOf(ref)));
  for (const ref of others) refs.set(keyOf(ref), ref);
  return {
    found: [...looked, ...documentsOf(scan, others)],
    known: [...refs.values()].flatMap((ref) => index.find(ref) ?? []),
    isSound: agreed.isSound,
  };
}

const NO_DIFFERENCE = { come: new Set<FoundDocument>(), gone: new Set<FoundDocument>() };

function differenceOf(before: readonly FoundDocument[], after: readonly FoundDocument[]) {
  const range = differing(before, after);
  const [come, gone] = [new Set(range.come), new Set(range.gone)];
  for (const document of range.come) if (gone.delete(document)) come.delete(document);
  return { come, gone };
}

function documentsOf({ found }: DocumentScan, refs: readonly DocumentRef[]): FoundDocument[] {
  if (refs.length === 0) return [];
  const ids = new Set(refs.map(({ id }) => id));
  const keys = new Set(refs.map(keyOf));
  return found.filter(({ ref }) => ids.has(ref.id) && keys.has(keyOf(ref)));
}

async function syncPart(
  ports: DocumentPorts,
  scan: DocumentScan,
  { found, known, isSound: areOthersSound }: Part,
  generation: number,
): Promise<SyncResult> {
  const { index } = ports;
  const { doubtful, read, removed, isStored } = await sync(ports, { ...scan, found }, known);
  const rows = [...known, ...read.map(({ row }) => row)];
  const isSound = areOthersSound && rows.every(({ problem }) => problem === null);
  if (isStored) AGREED.set(index, { scan, doubtful, generation, isSound });
  return { changed: changesIn(read), removed, unread: isSound ? scan.strays : unreadOf(index, scan, read) };
}

/** Files that couldn't be read completely, by name. Reflects the files as they are now, even if the index couldn't be updated. */
function unreadOf(
  index: DocumentIndex,
  { found, strays }: DocumentScan,
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
  if (unread.size === 0) return strays;
  const there = new Set(found.map(({ ref }) => keyOf(ref)));
  const known = [...unread.values()].filter((document) => there.has(keyOf(document)));
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
  const gone = new Map(known.map((row) => [keyOf(row), row]));
  for (const { reason } of unreadable) warnUnread(reason);
  const settled: Known[] = [];
  const doubtful: FoundDocument[] = [];
  for (const document of found) {
    const { ref, stamp } = document;
    const key = keyOf(ref);
    const row = gone.get(key);
    gone.delete(key);
    if (row !== undefined && isSettled(row, stamp)) settled.push(row);
    else doubtful.push(document);
  }
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

function keyOf({ collection, id }: DocumentRef): string {
  return `${collection}/${id}`;
}
