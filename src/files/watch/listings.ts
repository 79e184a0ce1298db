/**
 * Caches directory listings in a long-lived process: only names with events are looked at again. The first scan opens no watch, since
 * most processes do only one.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { isSameStamp } from "../../core/documents/file-stamp.ts";
import { ioError, messageOf } from "../../core/errors.ts";
import type { Clock, DocumentScan, FoundDocument, UnreadDocument } from "../../core/ports/documents.ts";
import { atOnce, inSlices, OneAtATime, type Slices, sliced } from "../../util/slices.ts";
import { DirectoryWatch } from "./directory-watch.ts";

/** One name in a directory. */
export interface SeenEntry {
  readonly document?: FoundDocument;
  readonly stray?: UnreadDocument;
  /** The path of an unfinished write. */
  readonly leftover?: string;
  /** Whether it can change without an event: a link, a hard link, a file on another disk. */
  readonly isLoose: boolean;
}

/** Looks at names in a directory; null if one is missing or doesn't matter. */
type LookIn = (directory: string) => (name: string) => SeenEntry | null;

/**
 * Everything is looked at again after this time, since inotify misses writes through mmap and through a hard link in another
 * directory.
 */
const ALL_AGAIN_MS = 10_000;

export class Listings {
  readonly #kept = new Map<string, Listing>();
  /** undefined before the second scan, null if nothing can be watched. */
  #watch: DirectoryWatch | null | undefined;
  #last: { readonly scans: readonly DocumentScan[]; readonly joined: DocumentScan } | null = null;
  #allLookedAt = 0;
  readonly #inSlices = new OneAtATime(() => inSlices(this.#steps()));

  constructor(
    private readonly clock: Clock,
    private readonly directories: () => readonly string[],
    private readonly lookIn: LookIn,
  ) {}

  /** Returns the same object if nothing changed. */
  scan(): DocumentScan {
    if (!this.#inSlices.isRunning) return atOnce(this.#steps());
    // The other scan has taken the events and is changing the listings, so this one does without them.
    return joined(
      this.directories().map((directory) => atOnce(this.#lookAtAll(new Listing(directory))).scan),
    );
  }

  /** Like `scan`, but lets other work run in between. */
  scanInSlices(): Promise<DocumentScan> {
    return this.#inSlices.run();
  }

  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#kept.clear();
    this.#last = null;
  }

  *#steps(): Slices<DocumentScan> {
    if (this.#last !== null && this.#watch === undefined) this.#watch = DirectoryWatch.open();
    const now = this.clock().getTime();
    const isDue = Math.abs(now - this.#allLookedAt) >= ALL_AGAIN_MS;
    const scans: DocumentScan[] = [];
    for (const directory of this.directories()) scans.push(yield* this.#scanOf(directory, isDue));
    if (isDue) this.#allLookedAt = now;
    if (this.#last === null || !isSame(scans, this.#last.scans))
      this.#last = { scans, joined: joined(scans) };
    return this.#last.joined;
  }

  *#scanOf(directory: string, isDue: boolean): Slices<DocumentScan> {
    // Before the scan, so that changes during it are reported next time.
    const changed = this.#watch?.changedIn(directory) ?? null;
    const kept = this.#kept.get(directory);
    // Events are delivered once, so if the scan fails, the old listing is useless.
    this.#kept.delete(directory);
    const listing =
      kept === undefined || changed === null || isDue
        ? yield* this.#lookAtAll(kept ?? new Listing(directory))
        : yield* this.#lookAt(kept, new Set([...changed, ...kept.loose]));
    if (listing.scan.unreadable.length === 0) this.#kept.set(directory, listing);
    return listing.scan;
  }

  *#lookAtAll(listing: Listing): Slices<Listing> {
    const { directory } = listing;
    // Most processes read a directory only once, and starting a thread takes longer than that.
    const read = listing.isEmpty ? () => readdirSync(directory) : yield directory;
    let names: string[];
    try {
      names = read();
    } catch (error) {
      return new Listing(directory, messageOf(ioError(error, `Cannot read ${directory}`)));
    }
    const gone = new Set(listing.names());
    const look = this.lookIn(directory);
    yield* sliced(names, (name) => {
      gone.delete(name);
      listing.set(name, look(name));
    });
    yield* sliced(gone, (name) => listing.set(name, null));
    return listing;
  }

  *#lookAt(listing: Listing, names: Iterable<string>): Slices<Listing> {
    const look = this.lookIn(listing.directory);
    yield* sliced(names, (name) => listing.set(name, look(name)));
    return listing;
  }
}

/** The names in a directory that matter. */
class Listing {
  readonly #entries = new Map<string, SeenEntry>();
  readonly #loose = new Set<string>();
  #scan: DocumentScan | null = null;

  constructor(
    readonly directory: string,
    /** Why the directory can't be read. */
    private readonly problem: string | null = null,
  ) {}

  get loose(): ReadonlySet<string> {
    return this.#loose;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  names(): Iterable<string> {
    return this.#entries.keys();
  }

  set(name: string, seen: SeenEntry | null): void {
    const before = this.#entries.get(name) ?? null;
    if (isSameEntry(before, seen)) return;
    this.#scan = null;
    if (seen === null) this.#entries.delete(name);
    else this.#entries.set(name, seen);
    if (seen?.isLoose === true) this.#loose.add(name);
    else this.#loose.delete(name);
  }

  /** The same object until something changes. */
  get scan(): DocumentScan {
    this.#scan ??= this.#collect();
    return this.#scan;
  }

  #collect(): DocumentScan {
    const { directory, problem } = this;
    const unreadable = problem === null ? [] : [{ collection: basename(directory), reason: problem }];
    const scan: DocumentScan = { found: [], leftovers: [], unreadable, strays: [] };
    for (const { document, stray, leftover } of this.#entries.values()) {
      if (document !== undefined) scan.found.push(document);
      if (stray !== undefined) scan.strays.push(stray);
      if (leftover !== undefined) scan.leftovers.push(leftover);
    }
    return scan;
  }
}

function isSameEntry(one: SeenEntry | null, other: SeenEntry | null): boolean {
  if (one === null || other === null) return one === other;
  const [stamp, otherStamp] = [one.document?.stamp, other.document?.stamp];
  const isSameFile =
    stamp === undefined || otherStamp === undefined ? stamp === otherStamp : isSameStamp(stamp, otherStamp);
  return (
    isSameFile &&
    one.isLoose === other.isLoose &&
    one.leftover === other.leftover &&
    one.stray?.problem === other.stray?.problem
  );
}

function isSame(some: readonly DocumentScan[], others: readonly DocumentScan[]): boolean {
  return some.length === others.length && some.every((scan, at) => scan === others[at]);
}

function joined(scans: readonly DocumentScan[]): DocumentScan {
  const [only] = scans;
  if (only !== undefined && scans.length === 1) return only;
  return {
    found: scans.flatMap(({ found }) => found),
    leftovers: scans.flatMap(({ leftovers }) => leftovers),
    unreadable: scans.flatMap(({ unreadable }) => unreadable),
    strays: scans.flatMap(({ strays }) => strays),
  };
}
