/**
 * Which names in some directories something happened to, as of the moment that it is asked. Any doubt is said as "not known":
 * a directory is watched where the kernel tells every change, and only as long as its path leads to the one that is watched.
 */
import { lstatSync, statfsSync } from "node:fs";
import { type DirectoryEvent, Inotify } from "./inotify.ts";

/**
 * Kinds of file systems whose files change by calls of this machine's kernel alone: ext, XFS, Btrfs, F2FS, tmpfs, and overlay
 * (of containers; changing its layers underneath is forbidden). Not ZFS, which rolls back without telling anybody.
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

  /** null where nothing can be watched. */
  static open(): DirectoryWatch | null {
    const inotify = Inotify.open();
    return inotify === null ? null : new DirectoryWatch(inotify);
  }

  /**
   * The names that were changed, made or removed since this was last asked of the directory; null where that is not known, as
   * the first time. What is read from the directory afterwards is the base of the next answer.
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
    // The number of a directory that has another name by now, or two of them.
    const namesake = this.#byNumber.get(watch);
    if (namesake !== undefined) this.#byPath.delete(namesake.directory);
    const watched = { directory, watch, identity, changed: new Set<string>() };
    this.#byPath.set(directory, watched);
    this.#byNumber.set(watch, watched);
    // Somebody put another one in its place meanwhile.
    if (identityOf(directory) !== identity) this.#forget(watched);
  }

  #forget({ directory, watch }: Watched): void {
    this.inotify.remove(watch);
    this.#byPath.delete(directory);
    this.#byNumber.delete(watch);
  }
}

/** null where there is no directory, or only a link to one. */
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
