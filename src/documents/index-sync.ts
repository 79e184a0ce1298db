/**
 * Takes into the index what changed on disk: a person's edits, new files, removed files. Unchanged files cost one
 * `stat` each and are not opened.
 */
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
} from "../core/ports/documents.ts";
import { shareableFields } from "../core/secrets/shareable.ts";
import { sha256 } from "../util/hash.ts";
import { INDEX_FORMAT, memoryOf } from "./memory-of.ts";
import type { DocumentPorts } from "./ports.ts";
import { parseFile } from "./read.ts";

export interface CurrentDocuments {
  readonly documents: IndexedDocument[];
  /** Some are no documents of the index at all. */
  readonly unread: UnreadDocument[];
}

/** Every document, the index brought up to date first. */
export async function upToDate(ports: DocumentPorts): Promise<CurrentDocuments> {
  const scan = ports.files.scan();
  const { settled, read } = await sync(ports, scan, ports.index.all());
  const documents = [...settled, ...read.map(({ row }) => row)];
  const sound = documents.every(({ problem }) => problem === null);
  return { documents, unread: sound ? scan.strays : unreadOf(ports.index, scan, read) };
}

export interface SyncCounts {
  /** New ones included. */
  readonly changed: number;
  readonly removed: number;
}

export interface SyncResult extends SyncCounts {
  readonly unread: UnreadDocument[];
}

/** Brings the index up to date, for those who go on to search it. Where no file changed, no row is looked at. */
export async function syncIndex(ports: DocumentPorts): Promise<SyncResult> {
  const { files, index, lock } = ports;
  const scan = files.scan();
  const { fingerprint: settledAs, unread: unreadThen, generation } = index.settled();
  const part = partToLookAt(index, scan);
  if (part !== null) return syncPart(ports, scan, part, generation);
  const fingerprint = fingerprintOf(scan);
  if (fingerprint !== null && settledAs === fingerprint) {
    AGREED.set(index, { found: new Set(scan.found), generation, isSound: unreadThen === 0 });
    return { changed: 0, removed: 0, unread: unreadThen === 0 ? scan.strays : unreadOf(index, scan, []) };
  }
  const known = index.stamps();
  const { settled, read, removed, ...synced } = await sync(ports, scan, known);
  const agrees = settled.length === scan.found.length && known.length === settled.length;
  const unread = unreadOf(index, scan, read);
  const count = unread.length - scan.strays.length;
  if (synced.isStored && scan.unreadable.length === 0)
    AGREED.set(index, { found: new Set(synced.files), generation, isSound: count === 0 });
  if (fingerprint !== null && agrees && known.length > 0 && lock.writable)
    lock.tryExclusively(() => index.settle(fingerprint, count, generation));
  return { changed: changesIn(read), removed, unread };
}

function changesIn(read: readonly ReadDocument[]): number {
  return read.filter(({ memory }) => memory !== "unchanged").length;
}

/** For a process that goes on: rows of a generation that agreed with their files, and there were no others. */
interface Agreement {
  /** Those that have not changed are the same objects in the next scan. */
  readonly found: ReadonlySet<FoundDocument>;
  readonly generation: number;
  /** Whether all of them could be read. */
  readonly isSound: boolean;
}

const AGREED = new WeakMap<DocumentIndex, Agreement>();

/** Files, and the rows of those that are among them or are no more. */
interface Part {
  readonly found: DocumentScan["found"];
  readonly known: readonly IndexedDocument[];
  /** Whether all others could be read. */
  readonly isSound: boolean;
}

/** More are looked at as a whole. */
const MOST_IN_PART = 100;

/** What changed since files and rows agreed; null where that is not known, or is much. */
function partToLookAt(index: DocumentIndex, scan: DocumentScan): Part | null {
  const agreed = AGREED.get(index);
  if (agreed === undefined || scan.leftovers.length + scan.unreadable.length > 0) return null;
  const come = scan.found.filter((document) => !agreed.found.has(document));
  const gone = agreed.found.size + come.length === scan.found.length ? [] : without(agreed.found, scan.found);
  const changed = index.changedSince(agreed.generation);
  if (changed === null || gone.length + come.length + changed.length > MOST_IN_PART) return null;
  const refs = new Map([...gone, ...come].map(({ ref }) => [keyOf(ref), ref]));
  const others = changed.filter((ref) => !refs.has(keyOf(ref)));
  for (const ref of others) refs.set(keyOf(ref), ref);
  const there = others.flatMap(({ collection, id }) =>
    scan.found.filter(({ ref }) => ref.id === id && ref.collection === collection),
  );
  return {
    found: [...come, ...new Set(there)],
    known: [...refs.values()].flatMap((ref) => index.find(ref) ?? []),
    isSound: agreed.isSound,
  };
}

function without<T>(things: Iterable<T>, others: readonly T[]): T[] {
  const known = new Set(others);
  return [...things].filter((thing) => !known.has(thing));
}

async function syncPart(
  ports: DocumentPorts,
  scan: DocumentScan,
  { found, known, isSound: areOthersSound }: Part,
  generation: number,
): Promise<SyncResult> {
  const { index } = ports;
  const { files, read, removed, isStored } = await sync(ports, { ...scan, found }, known);
  const rows = [...known, ...read.map(({ row }) => row)];
  const isSound = areOthersSound && rows.every(({ problem }) => problem === null);
  if (isStored && rows.length + found.length > 0) {
    const doubtful = new Set(without(found, files));
    const agreeing = scan.found.filter((document) => !doubtful.has(document));
    AGREED.set(index, { found: new Set(agreeing), generation, isSound });
  }
  return { changed: changesIn(read), removed, unread: isSound ? scan.strays : unreadOf(index, scan, read) };
}

/** What could not be read, or not wholly, by name: as the files say now, whether or not the index could be told. */
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

/** Not the format of anything: whatever has it is read anew. */
const NONE = -1;

/** Builds the index anew from the files: `clear` and what is read take effect together. */
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

/** Of scans that may come again as they are. */
const fingerprints = new WeakMap<DocumentScan, string>();

/** The same for files of the same names and stamps; null where something is left to see to. */
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
  return `${INDEX_FORMAT}:${Bun.hash.xxHash3(names.join("\n"))}:${Bun.hash.xxHash3(stamps)}`;
}

interface Synced<Known> {
  readonly settled: Known[];
  readonly files: readonly FoundDocument[];
  readonly read: ReadDocument[];
  readonly removed: number;
  readonly isStored: boolean;
}

/**
 * `known` is what the index has of every document; returns those that still hold, with their files, and those that were read anew;
 * and whether everything that was found is stored.
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
  const settledFiles: FoundDocument[] = [];
  const doubtful: DocumentRef[] = [];
  for (const document of found) {
    const { ref, stamp } = document;
    const key = keyOf(ref);
    const row = gone.get(key);
    gone.delete(key);
    if (row !== undefined && isSettled(row, stamp)) {
      settled.push(row);
      settledFiles.push(document);
    } else doubtful.push(ref);
  }
  const hidden = new Set(unreadable.map(({ collection }) => collection));
  for (const collection of new Set([...gone.values()].map((row) => row.collection)))
    if (files.addedSince(collection)) hidden.add(collection);
  const removed = [...gone.values()].filter(({ collection }) => !hidden.has(collection));
  const still = { settled, files: settledFiles };
  if (doubtful.length + removed.length + leftovers.length === 0)
    return { ...still, read: [], removed: 0, isStored: true };

  const readAll = () => doubtful.flatMap((ref) => readDocument(files, ref, index.find(ref)) ?? []);
  const takeIn = () => {
    const taken = readAll();
    for (const one of taken) indexOne(ports, one);
    // Last, so that a renamed document finds the vectors it had under its old name.
    for (const ref of removed) if (!files.has(ref)) forgetDocument(ports, ref);
    if (lock.writable) files.removeLeftovers(leftovers);
    return taken;
  };
  // A reader never waits for a writer: what it cannot store, the next one will.
  const taken = lock.writable ? lock.tryExclusively(takeIn) : { result: lock.inMemory(takeIn) };
  if (taken === null) return { ...still, read: readAll(), removed: 0, isStored: false };
  return { ...still, read: taken.result, removed: removed.length, isStored: true };
}

/** A document whose rows cannot be stored costs no other document its own: it becomes one that could not be read. */
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

/** Takes a document that was just written into the index. Works while the lock is held. */
export function indexDocument(ports: DocumentPorts, file: DocumentFile, hash: string): void {
  indexOne(ports, describe(file, hash, hash));
}

/** Works while the lock is held. */
export function forgetDocument({ index, chunkIndex }: DocumentPorts, ref: DocumentRef): void {
  index.remove(ref);
  chunkIndex.remove({ kind: "document", source: documentSource(ref) });
}

interface ReadDocument {
  row: IndexedDocument;
  /** null where there is nothing to search in. */
  memory: Memory | "unchanged" | null;
}

/** null when the file is gone. */
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

/** What the index keeps of a document of which it knows nothing but the name. It is tried again the next time. */
function failedDocument(
  { collection, id }: DocumentRef,
  writtenHash: string | null,
  cause: unknown,
): ReadDocument & { memory: null } {
  const stamp = { size: 0, mtime: 0, ctime: 0, inode: 0, hash: "", seenAt: 0, format: INDEX_FORMAT };
  const row = { collection, id, ...stamp, writtenHash, title: id, fields: {}, problem: messageOf(cause) };
  return { row, memory: null };
}

/** What the index keeps of a file. A file that cannot be understood is kept with the reason. */
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
