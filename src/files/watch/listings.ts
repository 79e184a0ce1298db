/**
 * Caches directory listings in a long-lived process: a directory without events is not read again. The first scan skips all of
 * this, since most processes do only one.
 */
import type { Clock, DocumentScan, FoundDocument } from "../../core/ports/documents.ts";
import { DirectoryWatch } from "./directory-watch.ts";

/** A directory's contents at the time of the scan. */
export interface Listing extends DocumentScan {
  /** Ids of documents that can change without an event: links, hard links, files on another disk. */
  readonly loose: ReadonlySet<string>;
}

/** A listing and the names that changed since. */
export interface KnownListing {
  readonly listing: Listing;
  readonly changed: ReadonlySet<string>;
}

/**
 * Everything is scanned again after this time, since inotify misses writes through mmap and through a hard link in another
 * directory.
 */
const ALL_ANEW_MS = 10_000;

export class Listings {
  readonly #kept = new Map<string, Listing>();
  /** undefined before the second scan, null if nothing can be watched. */
  #watch: DirectoryWatch | null | undefined;
  #last: { readonly listings: readonly Listing[]; readonly scan: DocumentScan } | null = null;
  #allLookedAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly list: (directory: string, known: KnownListing | null) => Listing,
  ) {}

  /** Returns the same object if nothing changed. */
  scan(directories: readonly string[]): DocumentScan {
    if (this.#last !== null && this.#watch === undefined) this.#watch = DirectoryWatch.open();
    const now = this.clock().getTime();
    if (Math.abs(now - this.#allLookedAt) >= ALL_ANEW_MS) {
      this.#kept.clear();
      this.#allLookedAt = now;
    }
    const listings = directories.map((directory) => this.#listingOf(directory));
    if (this.#last === null || !isSame(listings, this.#last.listings))
      this.#last = { listings, scan: joined(listings) };
    return this.#last.scan;
  }

  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#kept.clear();
    this.#last = null;
  }

  #listingOf(directory: string): Listing {
    // Before the scan, so that changes during it are reported next time.
    const changed = this.#watch?.changedIn(directory) ?? null;
    const kept = this.#kept.get(directory);
    if (changed === null || kept === undefined) return this.#keep(directory, null);
    if (changed.size + kept.loose.size === 0) return kept;
    return this.#keep(directory, { listing: kept, changed });
  }

  #keep(directory: string, known: KnownListing | null): Listing {
    // Events are delivered once, so if the scan fails, the old listing is useless.
    this.#kept.delete(directory);
    const listing = this.list(directory, known);
    if (this.#watch && listing.unreadable.length === 0) this.#kept.set(directory, listing);
    return listing;
  }
}

function isSame(some: readonly Listing[], others: readonly Listing[]): boolean {
  return some.length === others.length && some.every((listing, at) => listing === others[at]);
}

function joined(listings: readonly Listing[]): DocumentScan {
  const found: FoundDocument[] = [];
  for (const listing of listings) for (const document of listing.found) found.push(document);
  return {
    found,
    leftovers: listings.flatMap(({ leftovers }) => leftovers),
    unreadable: listings.flatMap(({ unreadable }) => unreadable),
    strays: listings.flatMap(({ strays }) => strays),
  };
}
