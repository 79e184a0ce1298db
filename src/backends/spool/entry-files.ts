/**
 * Spool entries on disk, one file each. The directory is read each time, since other processes add and send entries too, and anyone
 * may delete it. Reading ten thousand names takes a few milliseconds.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import {
  ensureDirectory,
  entriesIfThere,
  errorCode,
  fsyncDirectory,
  isAbsence,
  lstatIfThere,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../../util/fs.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import { isAlive } from "../../util/process.ts";
import { decodeUtf8 } from "../../util/text.ts";
import { type NewEntry, parseEntry, printEntry, type SpoolEntry } from "./entry.ts";
import {
  byAge,
  fileName,
  hashOf,
  type Listing,
  listingOf,
  type Mark,
  newQueued,
  type Queued,
} from "./names.ts";

/** Why a file cannot be sent. */
interface Damaged {
  readonly damage: string;
}

/** Stored next to an entry that needs a person or a pause. */
interface Marking {
  readonly summary: string;
  readonly why: string;
  readonly tries?: number;
  /** ISO 8601: when to send it again. */
  readonly notBefore?: string;
}

/** Not the same as missing: treating it as gone would retry forever. */
const LEADS_NOWHERE: Damaged = { damage: "it is a broken symlink" };

/** After this time, a temporary file of a process that has ended is certainly left over. */
const UNFINISHED_MS = 3_600_000;
/** Temporary errors of the machine, unrelated to the file. */
const PASSING = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EINTR"]);

/** Every method throws what the system throws. */
export class EntryFiles {
  constructor(readonly directory: string) {}

  list(): Listing {
    return listingOf(entriesIfThere(this.directory).map(({ name }) => name));
  }

  /**
   * Writes all entries durably, or none; but an entry that replaces another stays once written, since the old one may already be gone.
   * Replaced files are removed at the end; those that cannot be removed no longer count. A refused entry is not queued again unless
   * it changed. Returns the number of pending entries.
   */
  write(entries: readonly NewEntry[], now: Date): number {
    const before = this.list();
    const older = [...before.pending, ...before.refused, ...before.superseded];
    let order = before.last;
    const written: Queued[] = [];
    try {
      ensureDirectory(this.directory);
      for (const entry of new Map(entries.map((one) => [one.key, one])).values()) {
        const whole = { queuedAt: now.toISOString(), ...entry };
        if (this.#isRefused(whole, before)) continue;
        order = Math.max(now.getTime(), order + 1);
        const queued = newQueued(entry.key, order);
        writeFileAtomic(this.#path(queued.id), printEntry(whole));
        written.push(queued);
      }
      fsyncDirectory(this.directory);
    } catch (error) {
      const replaced = new Set(older.map(({ hash }) => hash));
      for (const { id, hash } of written)
        if (!replaced.has(hash)) quietly(() => removeIfThere(this.#path(id)));
      throw error;
    }
    const hashes = new Set(written.map(({ hash }) => hash));
    for (const queued of older) if (hashes.has(queued.hash)) quietly(() => this.#giveWay(queued));
    return before.pending.filter(({ hash }) => !hashes.has(hash)).length + written.length;
  }

  /** null if it is gone. */
  read({ id, hash }: Queued): SpoolEntry | Damaged | null {
    let bytes: Uint8Array | null;
    try {
      bytes = readIfThere(this.#path(id));
    } catch (error) {
      const code = errorCode(error);
      if (code === null || PASSING.has(code)) throw error;
      return { damage: `it cannot be read (${code})` };
    }
    if (bytes === null) return lstatIfThere(this.#path(id)) === null ? null : LEADS_NOWHERE;
    const entry = parseEntry(decodeUtf8(bytes) ?? "");
    if (entry === null) return { damage: "it is not a JSON entry" };
    if (entry === "newer") return { damage: "a newer version of Retain wrote it; update Retain to send it" };
    return hashOf(entry.key) === hash ? entry : { damage: "its key doesn't match its file name" };
  }

  /** The newest readable entry of this key, refused or not; or null. */
  find(key: string): SpoolEntry | null {
    const hash = hashOf(key);
    const { pending, refused } = this.list();
    const queued = [...pending, ...refused].find((one) => one.hash === hash);
    return queued === undefined ? null : this.#readable(queued);
  }

  /** Pending and refused entries, oldest first, without unreadable ones. */
  entries(): SpoolEntry[] {
    const { pending, refused } = this.list();
    return [...pending, ...refused].sort(byAge).flatMap((queued) => this.#readable(queued) ?? []);
  }

  remove({ id }: Queued): void {
    for (const mark of [undefined, "refused", "damaged", "again"] as const)
      removeIfThere(this.#path(id, mark));
  }

  /** Pending, refused and damaged entries; null for unreadable ones. */
  held(): (SpoolEntry | null)[] {
    const { pending, refused, damaged } = this.list();
    return [...pending, ...refused, ...damaged].map((queued) => this.#readable(queued));
  }

  /** Removes the held entries that match. Returns how many. */
  removeHeld(isMeant: (entry: SpoolEntry | null) => boolean): number {
    const { pending, refused, damaged, superseded, orphans } = this.list();
    const meant = [...pending, ...refused, ...damaged].filter((queued) => isMeant(this.#readable(queued)));
    const hashes = new Set(meant.map(({ hash }) => hash));
    // A superseded entry would count again without the newer one.
    const older = superseded.filter(({ hash }) => hashes.has(hash));
    for (const queued of [...older, ...meant]) this.remove(queued);
    for (const name of orphans) removeIfThere(join(this.directory, name));
    this.settle();
    return meant.length;
  }

  /** Does nothing if the entry is gone. */
  mark({ id }: Queued, mark: Mark, marking: Marking): void {
    if (lstatIfThere(this.#path(id)) === null) return;
    writeFileAtomic(this.#path(id, mark), `${JSON.stringify(marking, null, 2)}\n`);
  }

  /** Writes a sent entry again. It keeps its age, so that a newer entry of its key still counts. */
  putBack(entry: SpoolEntry): Queued {
    const queued = newQueued(entry.key, Date.parse(entry.queuedAt) || 0);
    ensureDirectory(this.directory);
    writeFileAtomic(this.#path(queued.id), printEntry(entry));
    fsyncDirectory(this.directory);
    return queued;
  }

  /** Missing texts are "", and missing tries 0. */
  marking({ id }: Queued, mark: Mark): Required<Marking> {
    const bytes = readIfThere(this.#path(id, mark)) ?? new Uint8Array();
    const value = parseJson(decodeUtf8(bytes) ?? "");
    const { summary, why, tries, notBefore } = isRecord(value) ? value : {};
    return {
      summary: typeof summary === "string" ? summary : "",
      why: typeof why === "string" ? why : "",
      tries: typeof tries === "number" ? tries : 0,
      notBefore: typeof notBefore === "string" ? notBefore : "",
    };
  }

  /** Makes all entries due. The number of tries stays, so that a sender can tell the next one from the last. */
  unmarkAll(): void {
    const { pending, refused, damaged, again } = this.list();
    for (const queued of [...refused, ...pending.filter(({ id }) => again.has(id))])
      this.mark(queued, "again", {
        ...this.marking(queued, refused.includes(queued) ? "refused" : "again"),
        notBefore: "",
      });
    for (const { id } of refused) removeIfThere(this.#path(id, "refused"));
    for (const { id } of damaged) removeIfThere(this.#path(id, "damaged"));
  }

  /**
   * Removes leftovers: marks without an entry, unfinished writes, and superseded entries (unless the newer one is unreadable, so that
   * the older one is all there is). Must run before the entries of a listing are sent: otherwise an older entry would count again once
   * the newer one is gone.
   */
  tidy({ pending, refused, superseded, orphans, unfinished }: Listing, now: Date): void {
    if (superseded.length > 0) fsyncDirectory(this.directory);
    const current = new Map([...pending, ...refused].map((queued) => [queued.hash, queued]));
    for (const queued of superseded) {
      const newest = current.get(queued.hash);
      if (newest !== undefined && isSound(this.read(newest))) this.#giveWay(queued);
    }
    const left = unfinished.filter((name) => this.#isLeftOver(name, now));
    for (const name of [...orphans, ...left]) removeIfThere(join(this.directory, name));
  }

  /** Makes removals durable. */
  settle(): void {
    try {
      fsyncDirectory(this.directory);
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }

  #readable(queued: Queued): SpoolEntry | null {
    const entry = this.read(queued);
    return entry === null || "damage" in entry ? null : entry;
  }

  /** Marks an unreadable entry instead of deleting it. */
  #giveWay(queued: Queued): void {
    const entry = this.read(queued);
    if (entry !== null && "damage" in entry)
      this.mark(queued, "damaged", { summary: fileName(queued.id), why: entry.damage });
    else this.remove(queued);
  }

  #isRefused(entry: SpoolEntry, { refused }: Listing): boolean {
    const hash = hashOf(entry.key);
    const queued = refused.find((one) => one.hash === hash);
    const known = queued === undefined ? null : this.#readable(queued);
    if (known === null) return false;
    return known.kind === entry.kind && JSON.stringify(known.body) === JSON.stringify(entry.body ?? null);
  }

  #isLeftOver(name: string, now: Date): boolean {
    const pid = /^\.tmp-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) return false;
    const status = statSync(join(this.directory, name), { throwIfNoEntry: false });
    return status !== undefined && now.getTime() - status.mtimeMs > UNFINISHED_MS;
  }

  #path(id: string, mark?: Mark): string {
    return join(this.directory, fileName(id, mark));
  }
}

function isSound(entry: SpoolEntry | Damaged | null): boolean {
  return entry !== null && !("damage" in entry);
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // The next sender retries.
  }
}
