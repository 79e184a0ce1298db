/**
 * Reports the names that changed in some directories. In doubt it reports "unknown": a directory is watched only on file systems
 * where the kernel sees every change, and only while its path leads to the watched one.
 */
import { lstatSync, statfsSync } from "node:fs";
import { type DirectoryEvent, Inotify } from "./inotify.ts";

/**
 * File systems that change only through this kernel: ext, XFS, Btrfs, F2FS, tmpfs and overlay (containers; changing its layers is
 * forbidden). Not ZFS, whose rollback sends no events.
 */
const LOCAL_KINDS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994, 0x794c7630]);

interface Watched {
  readonly directory: string;
  readonly watch: number;
  readonly identity: string;
  changed: Set<string>;
}

export class DirectoryWatch {
  readonly #byPath = new Map<string, Watched>();
  readonly #byNumber = new Map<number, Watched>();

  private constructor(private readonly inotify: Inotify) {}

  /** null if nothing can be watched. */
  static open(): DirectoryWatch | null {
    const inotify = Inotify.open();
    return inotify === null ? null : new DirectoryWatch(inotify);
  }

  /**
   * The names changed, created or removed since the last call for this directory; null if unknown, as on the first call. Read the
   * directory after the call.
   */
  changedIn(directory: string): ReadonlySet<string> | null {
    this.#take(this.inotify.read());
    const watched = this.#byPath.get(directory);
    const identity = identityOf(directory);
    if (watched === undefined || watched.identity !== identity) {
      if (watched !== undefined) this.#forget(watched);
      if (identity !== null) this.#begin(directory, identity);
      return null;
    }
    const { changed } = watched;
    watched.changed = new Set();
    return changed;
  }

  close(): void {
    this.inotify.close();
  }

  #take(events: readonly DirectoryEvent[] | null): void {
    if (events === null) for (const watched of [...this.#byPath.values()]) this.#forget(watched);
    for (const { watch, name } of events ?? []) {
      const watched = this.#byNumber.get(watch);
      if (watched === undefined) continue;
      if (name === null) this.#forget(watched);
      else watched.changed.add(name);
    }
  }

  #begin(directory: string, identity: string): void {
    if (!LOCAL_KINDS.has(kindOf(directory))) return;
    const watch = this.inotify.add(directory);
    if (watch === null) return;
    // The directory was renamed, or has two paths.
    const namesake = this.#byNumber.get(watch);
    if (namesake !== undefined) this.#byPath.delete(namesake.directory);
    const watched = { directory, watch, identity, changed: new Set<string>() };
    this.#byPath.set(directory, watched);
    this.#byNumber.set(watch, watched);
    // Another directory took its place in the meantime.
    if (identityOf(directory) !== identity) this.#forget(watched);
  }

  #forget({ directory, watch }: Watched): void {
    this.inotify.remove(watch);
    this.#byPath.delete(directory);
    this.#byNumber.delete(watch);
  }
}

/** null if it is missing or a link. */
function identityOf(directory: string): string | null {
  try {
    const stats = lstatSync(directory, { bigint: true });
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null;
  } catch {
    return null;
  }
}

function kindOf(directory: string): number {
  try {
    return statfsSync(directory).type >>> 0;
  } catch {
    return 0;
  }
}
