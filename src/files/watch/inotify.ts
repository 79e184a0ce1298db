/**
 * Polls Linux's inotify. The kernel queues a change before the system call that made it returns, so an empty queue means that
 * nothing has changed, without waiting. `fs.watch` can't tell that: it reads the queue in its own thread and reports only the
 * first of several close changes.
 */
import { closeSync, readSync } from "node:fs";
import { errorCode } from "../../util/fs.ts";
import { pathOfLibc } from "../../util/private-process.ts";
import { foreignFunctions } from "../../util/runtime.ts";

export interface DirectoryEvent {
  /** The watch number that `add` returned. */
  readonly watch: number;
  /** null for the directory itself, or for a name that is not valid text. */
  readonly name: string | null;
}

const NONBLOCK = 0o4000;
const CLOSE_ON_EXEC = 0o2000000;

/** Modified, attributes, written and closed, moved from and to, created, deleted; the directory itself deleted or moved. */
const CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800;
const ONLY_DIRECTORY = 0x01000000;
const DONT_FOLLOW = 0x02000000;
const OVERFLOW = 0x4000;

/** An event: watch, mask, cookie and name length, 32 bits each; then the name, padded with zeros. */
const HEADER_BYTES = 16;
const BUFFER_BYTES = 65_536;
/** More than the kernel queues by default; otherwise files change as fast as they are read. */
const MOST_READS = 16;

export class Inotify {
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);

  private constructor(
    private readonly system: System,
    private readonly descriptor: number,
  ) {}

  /** null if inotify is unavailable or the user's limit is reached. */
  static open(): Inotify | null {
    const system = loadSystem();
    const descriptor = system?.inotify_init1(NONBLOCK | CLOSE_ON_EXEC) ?? -1;
    return system === null || descriptor < 0 ? null : new Inotify(system, descriptor);
  }

  /** null if it can't be watched. Returns the same number for a directory that is already watched. */
  add(directory: string): number | null {
    const path = Buffer.from(`${directory}\0`);
    const watch = this.system.inotify_add_watch(
      this.descriptor,
      path,
      CHANGES | ONLY_DIRECTORY | DONT_FOLLOW,
    );
    return watch < 0 ? null : watch;
  }

  /** Ignores a watch that has already ended. */
  remove(watch: number): void {
    this.system.inotify_rm_watch(this.descriptor, watch);
  }

  /** The events since the last call; null if some were lost. */
  read(): DirectoryEvent[] | null {
    const events: DirectoryEvent[] = [];
    for (let reads = 0; reads < MOST_READS; reads++) {
      const length = this.#fill();
      if (length === 0) return events;
      if (length === null || !this.#take(length, events)) return null;
    }
    return null;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  /** The number of bytes read; null on failure. */
  #fill(): number | null {
    try {
      return readSync(this.descriptor, this.#buffer);
    } catch (error) {
      return errorCode(error) === "EAGAIN" ? 0 : null;
    }
  }

  #take(length: number, events: DirectoryEvent[]): boolean {
    for (let at = 0; at < length; ) {
      if ((this.#buffer.readUInt32LE(at + 4) & OVERFLOW) !== 0) return false;
      const start = at + HEADER_BYTES;
      const end = start + this.#buffer.readUInt32LE(at + 12);
      events.push({ watch: this.#buffer.readInt32LE(at), name: this.#name(start, end) });
      at = end;
    }
    return true;
  }

  #name(start: number, end: number): string | null {
    if (start === end) return null;
    const name = this.#buffer.toString("utf8", start, this.#buffer.indexOf(0, start));
    return name.includes("\ufffd") ? null : name;
  }
}

type System = NonNullable<ReturnType<typeof openSystem>>;

let system: System | null | undefined;

function loadSystem(): System | null {
  if (system === undefined) system = openSystem();
  return system;
}

function openSystem() {
  if (process.platform !== "linux") return null;
  try {
    const library = pathOfLibc();
    if (library === null) return null;
    const system = foreignFunctions()?.dlopen(library, {
      inotify_init1: { args: ["i32"], returns: "i32" },
      inotify_add_watch: { args: ["i32", "ptr", "u32"], returns: "i32" },
      inotify_rm_watch: { args: ["i32", "i32"], returns: "i32" },
    });
    return system?.symbols ?? null;
  } catch {
    return null;
  }
}
