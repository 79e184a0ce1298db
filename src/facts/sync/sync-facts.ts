/**
 * Updates the index from the memory files, and records a person's edits in HISTORY.md, so that nothing is lost with the
 * database.
 */

import { isSettledBy, printedStamp } from "../../core/documents/file-stamp.ts";
import { asOf, type Fact } from "../../core/facts/fact.ts";
import type { HistoryEntry } from "../../core/facts/history.ts";
import { HISTORIES, isInferredFile, kindOfFile } from "../../core/facts/memory-paths.ts";
import type { FactIndex, MemoryFiles, MemoryStamps } from "../../core/ports/documents.ts";
import { findSecrets, redactSecrets } from "../../core/secrets/secrets.ts";
import { Drafts } from "../drafts.ts";
import { notesOf } from "../note-memory.ts";
import type { FactPorts } from "../ports.ts";
import { readable } from "../readable.ts";
import { type Derived, deriveFull, type FactFile } from "./derive-full.ts";
import { deriveIncremental } from "./derive-incremental.ts";
import { appendHistory } from "./history-file.ts";

/** Increase it when the way files are read changes. */
const FORMAT = "2";
const NOT_INDEXED = "It was not indexed.";

/** Syncs if files changed; otherwise costs one `stat` for each file. A reader doesn't wait for a writer. */
export function syncMemories(ports: FactPorts): void {
  if (isSettled(ports.files.scan(), ports)) return;
  const { lock } = ports;
  if (lock.writable) lock.tryExclusively(() => syncFacts(ports));
  else lock.inMemory(() => syncFacts(ports));
}

/** The size in bytes of the memory files that a sync would read; 0 if the index is up to date. */
export function bytesToSync(ports: FactPorts): number {
  const scan = ports.files.scan();
  return isSettled(scan, ports) ? 0 : scan.reduce((sum, { stamp }) => sum + stamp.size, 0);
}

/** The facts in the files now, in order, even if they aren't indexed yet. */
export function currentFacts(ports: FactPorts): readonly Fact[] {
  const scan = ports.files.scan();
  return asOf(isSettled(scan, ports) ? ports.facts.all() : derive(ports, scan).facts, ports.clock());
}

/** Like `currentFacts`, without opening the index. */
export function factsInFiles(ports: Omit<Unindexed, "facts">): readonly Fact[] {
  return asOf(derive({ ...ports, facts: { all: () => [] } }, ports.files.scan()).facts, ports.clock());
}

/** The current facts, synced first if files changed. Call with the lock held. */
export function syncedFacts(ports: FactPorts): readonly Fact[] {
  return isSettled(ports.files.scan(), ports) ? asOf(ports.facts.all(), ports.clock()) : syncFacts(ports);
}

/** Call with the lock held. `rereadsLogs` ignores what was read before. */
export function syncFacts(ports: FactPorts, rereadsLogs = false): readonly Fact[] {
  const { files, facts, lock } = ports;
  if (lock.writable && files.unfinished) files.recover();
  const known = rereadsLogs ? null : facts.settled();
  // Taken before reading, so that a later change has a different stamp next time.
  const now = Date.now();
  let scan = files.scan();
  const { facts: found, news, bulletPositions, unread } = derive(ports, scan);
  const copies = news.map((entry) => withoutSecret(entry, bulletPositions, ports.warn));
  if (!unread.some((path) => HISTORIES.includes(path))) {
    if (copies.length > 0 && lock.writable) {
      writeDown(ports, copies);
      scan = withOwnHistories(scan, files.scan());
    }
    facts.replace(found);
  }
  const open = new Set([...unread, ...syncNotes(ports, scan, known ?? {})]);
  facts.settle(stampsOf(scan, ({ path, stamp }) => !open.has(path) && isSettledBy(now, stamp)));
  return asOf(found, ports.clock());
}

/** The scan with the histories that this sync wrote. They are still as written if their mtime is ahead (see `isSettledBy`). */
function withOwnHistories(scan: Scan, after: Scan): Scan {
  const written = after.filter(({ path, stamp }) => HISTORIES.includes(path) && stamp.mtime > stamp.ctime);
  return [...scan.filter(({ path }) => !written.some((one) => one.path === path)), ...written];
}

/** Secrets that a person wrote into a memory file stay only there. */
function withoutSecret(
  entry: HistoryEntry,
  bulletPositions: Derived["bulletPositions"],
  warn: (message: string) => void,
): HistoryEntry {
  const [secret] = entry.kind === "added" ? findSecrets(entry.text) : [];
  if (secret === undefined) return entry;
  const line = bulletPositions.get(entry.id)?.bullet.line;
  warn(`${entry.file}, line ${line}, contains ${secret.what}. Retain does not copy it anywhere.`);
  return { ...entry, text: redactSecrets(entry.text) };
}

/** Without undo: Retain must not undo a person's own edits or bring back forgotten facts. */
export function writeDown({ files }: FactPorts, news: readonly HistoryEntry[]): void {
  const drafts = new Drafts(files);
  appendHistory(drafts, news);
  for (const { path, after } of drafts.changes()) files.write(path, after ?? "");
}

/** Returns the paths of unreadable logs. */
function syncNotes(ports: FactPorts, scan: Scan, known: MemoryStamps): string[] {
  const unread: string[] = [];
  const stamps = new Map(scan.map(({ path, stamp }) => [path, printedStamp(stamp)]));
  for (const path of new Set([...stamps.keys(), ...Object.keys(known)])) {
    const kind = kindOfFile(path);
    if (kind?.kind !== "log" || stamps.get(path) === known[path]) continue;
    const read = stamps.has(path) ? readable(ports, path, NOT_INDEXED) : { file: null };
    if (read === null) unread.push(path);
    else ports.facts.replaceNotes(path, read.file === null ? [] : notesOf(read.file, kind));
  }
  return unread;
}

/** For a long-lived process: the result of the last read. */
const LAST = new WeakMap<Pick<FactIndex, "all">, Derived>();

interface Found extends Pick<Derived, "facts" | "news" | "bulletPositions"> {
  /** Paths of unreadable files. If a history is unreadable, additions and removals are unknown. */
  readonly unread: readonly string[];
}

/** Enough to read the files. */
interface Unindexed extends Pick<FactPorts, "files" | "clock" | "warn" | "record"> {
  readonly facts: Pick<FactIndex, "all">;
}

function derive(ports: Unindexed, scan: Scan): Found {
  const { facts: index, clock } = ports;
  const read = HISTORIES.map((path) => readable(ports, path, NOT_INDEXED));
  const unreadHistories = HISTORIES.filter((_, index) => read[index] === null);
  if (unreadHistories.length > 0)
    return { facts: index.all(), news: [], bulletPositions: new Map(), unread: unreadHistories };
  const histories = read.map((history) => history?.file ?? null);
  const sources = { files: factFiles(ports, scan), histories };
  const last = LAST.get(index);
  const isGone = (path: string) => isUnreadable(ports, path);
  const derived =
    (last === undefined ? null : deriveIncremental(last, sources)) ??
    deriveFull(sources, { before: index.all(), now: clock(), isUnreadable: isGone });
  if (derived.news.length === 0) LAST.set(index, derived);
  else LAST.delete(index);
  const unread = sources.files.filter(({ file }) => file === null).map(({ path }) => path);
  return { ...derived, unread };
}

type Scan = ReturnType<MemoryFiles["scan"]>;

/** Files of unconfirmed facts come last. */
function factFiles(ports: Unindexed, scan: Scan): FactFile[] {
  const files = scan.flatMap(({ path }) => {
    const kind = kindOfFile(path);
    return kind?.kind === "facts"
      ? { path, chat: kind.chat, file: readable(ports, path, NOT_INDEXED)?.file ?? null }
      : [];
  });
  return files.sort((a, b) => Number(isInferredFile(a.path)) - Number(isInferredFile(b.path)));
}

/** Facts in a file that can't be read now don't count as removed. */
function isUnreadable({ files }: Pick<FactPorts, "files">, path: string): boolean {
  try {
    files.read(path);
    return false;
  } catch {
    return true;
  }
}

/** The stamp of a file to read again: it may change under the same stamp, or is unreadable, and every command warns about that. */
const OPEN = "?";

/** Stamps of all existing files, so that a removed file is noticed. */
function stampsOf(scan: Scan, isDone: (file: Scan[number]) => boolean): MemoryStamps {
  const stamps = scan.map((file) => [file.path, isDone(file) ? printedStamp(file.stamp) : OPEN]);
  return Object.fromEntries([["", FORMAT], ...stamps]);
}

function isSettled(scan: Scan, { facts, files }: FactPorts): boolean {
  if (files.unfinished) return false;
  const known = facts.settled();
  if (known === null) return scan.length === 0;
  if (known[""] !== FORMAT || Object.keys(known).length !== scan.length + 1) return false;
  return scan.every(({ path, stamp }) => known[path] === printedStamp(stamp));
}
