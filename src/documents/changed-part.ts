/** For a long-lived process: finds the documents that changed since files and rows last agreed, without comparing all. */
import type { DocumentRef } from "../core/documents/document.ts";
import type {
  DocumentIndex,
  DocumentScan,
  FoundDocument,
  IndexedDocument,
  UnreadDocument,
} from "../core/ports/documents.ts";
import { differing } from "../util/lists.ts";

/** In this generation, the rows matched these files, and there were no other rows. */
interface Agreement {
  readonly scan: DocumentScan;
  /** Files of the scan that may not match their rows. */
  readonly doubtful: readonly FoundDocument[];
  readonly generation: number;
  readonly unread: UnreadDocument[];
}

export const AGREED = new WeakMap<DocumentIndex, Agreement>();

/** Some of the files, with their rows and the rows of removed files. */
export interface Part {
  readonly found: DocumentScan["found"];
  readonly known: readonly IndexedDocument[];
  /** Files that couldn't be read at the last sync. */
  readonly unread: UnreadDocument[];
  /** Whether all files but strays were readable then. */
  readonly isSound: boolean;
}

/** If more changed, everything is synced. */
const MOST_IN_PART = 100;

/** Changes since files and rows last agreed; null if unknown, or if there are too many. */
export function partToLookAt(index: DocumentIndex, scan: DocumentScan): Part | null {
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
    known: index.findEach([...refs.values()]).filter((row) => row !== null),
    unread: agreed.unread,
    isSound: agreed.unread.length === agreed.scan.strays.length,
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

export function keyOf({ collection, id }: DocumentRef): string {
  return `${collection}/${id}`;
}
