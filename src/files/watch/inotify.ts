/**
 * Linux's inotify, asked instead of listened to. The kernel queues a change before the system call that made it returns, so an
 * empty queue says that nothing happened up to now, and nothing is waited for. `fs.watch` cannot say that: it reads the queue
 * in a thread of its own, and of changes that come close together it tells the first one alone.
 */
import { closeSync, readSync } from "node:fs";
import { errorCode } from "../../util/fs.ts";
import { pathOfLibc } from "../../util/private-process.ts";

export interface DirectoryEvent {
  /** The number that `add` gave. */
  readonly watch: number;
  /** null where it happened to the directory itself, or to a name that is no text. */
  readonly name: string | null;
}

const NONBLOCK = 0o4000;
const CLOSE_ON_EXEC = 0o2000000;

/** Modified, attributes, written and closed, moved from and to, created, deleted; the directory itself deleted or moved. */
const CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800;
const ONLY_DIRECTORY = 0x01000000;
const DONT_FOLLOW = 0x02000000;
const OVERFLOW = 0x4000;

/** Of an event: watch, mask, cookie and the name's length, 32 bits each; then the name, filled up with zeros. */
const HEADER_BYTES = 16;
const BUFFER_BYTES = 65_536;
/** More than the kernel queues by default: somebody changes files as fast as this is read. */
const MOST_READS = 16;

export class Inotify {
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);

  private constructor(
    private readonly system: System,
    private readonly descriptor: number,
  ) {}

  /** null where there is no such thing, or the user has as many as the system allows. */
  static open(): Inotify | null {
    const system = loadSystem();
    const descriptor = system?.inotify_init1(NONBLOCK | CLOSE_ON_EXEC) ?? -1;
    return system === null || descriptor < 0 ? null : new Inotify(system, descriptor);
  }

  /** null where it cannot be watched. The number is that of the directory: the same where it is watched already. */
  add(directory: string): number | null {
    const path = Buffer.from(`${directory}\0`);
    const watch = this.system.inotify_add_watch(
      this.descriptor,
      path,
      CHANGES | ONLY_DIRECTORY | DONT_FOLLOW,
    );
    return watch < 0 ? null : watch;
  }

  /** One that has ended by itself is none to remove. */
  remove(watch: number): void {
    this.system.inotify_rm_watch(this.descriptor, watch);
  }

  /** What happened since the last call; null where some of it was lost. */
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

  /** How many bytes there are now; null where reading failed. */
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
    // Read by a process that goes on; a command that looks once starts without.
    const { dlopen } = require("bun:ffi") as typeof import("bun:ffi");
    return dlopen(library, {
      inotify_init1: { args: ["i32"], returns: "i32" },
      inotify_add_watch: { args: ["i32", "ptr", "u32"], returns: "i32" },
      inotify_rm_watch: { args: ["i32", "i32"], returns: "i32" },
    }).symbols;
  } catch {
    return null;
  }
}
