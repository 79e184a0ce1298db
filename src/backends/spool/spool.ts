/**
 * A durable queue of items for a server. Adding writes a file and returns. One process at a time sends, when 16 entries are pending,
 * 5 s after the first, or on `flush`, with at-least-once delivery. An entry is removed only after the server has accepted it.
 */
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { type RecordIncident, recordNothing } from "../../core/incidents.ts";
import type { BackendStatus } from "../../core/ports/backend.ts";
import { errorCode } from "../../util/fs.ts";
import { oneLine } from "../../util/text.ts";
import type { NewEntry, Sender, SpoolEntry } from "./entry.ts";
import { EntryFiles } from "./entry-files.ts";
import { Lease, type LeaseOptions } from "./lease.ts";
import type { Mark, Queued } from "./names.ts";
import { asClause, Notices } from "./notices.ts";
import { Pause } from "./pause.ts";
import { CLOSED, Sending, type SpoolTiming } from "./sending.ts";

export interface SpoolOptions extends LeaseOptions {
  /** One per bank; created when something is added. */
  readonly directory: string;
  readonly sender: Sender;
  /** Shows full sentences to the user. */
  notice(text: string): void;
  readonly record?: RecordIncident;
  /** The server's name, for people. */
  readonly to: string;
  readonly timing?: SpoolTiming;
  /** Maximum batch size; this many pending entries are sent without waiting for more. */
  readonly batch?: number;
  readonly debounceMs?: number;
}

type SpoolStatus = Omit<BackendStatus, "name" | "location">;

const REAL_SPOOL_TIMING: SpoolTiming = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Avoids a busy loop if the server asks for an immediate retry. */
const SHORTEST_PAUSE_MS = 1_000;

interface Run {
  readonly ended: Promise<void>;
  readonly ending: AbortController;
  /** Number of flushes waiting for it. A run not started for a flush continues after they leave. */
  waiters: number;
  readonly isForFlush: boolean;
  /** A flush gave up waiting for it. */
  isTooSlow: boolean;
}

export class Spool {
  readonly #files: EntryFiles;
  readonly #pause: Pause;
  readonly #sending: Sending;
  readonly #timing: SpoolTiming;
  readonly #batch: number;
  readonly #debounceMs: number;
  #run: Run | null = null;
  #cancelTimer: (() => void) | null = null;
  #isClosed = false;

  constructor(private readonly options: SpoolOptions) {
    const { directory, sender, clock } = options;
    this.#timing = options.timing ?? REAL_SPOOL_TIMING;
    this.#batch = options.batch ?? 16;
    this.#debounceMs = options.debounceMs ?? 5_000;
    this.#files = new EntryFiles(directory);
    this.#pause = new Pause(directory);
    this.#sending = new Sending({
      files: this.#files,
      pause: this.#pause,
      lease: new Lease(directory, options),
      notices: new Notices((text) => options.notice(text), options.to, directory, options.record),
      timing: this.#timing,
      batch: this.#batch,
      sender,
      clock,
    });
  }

  /**
   * Durable on return. An entry replaces a pending one with the same key, and is also sent if that one is being sent. Throws `io`: then
   * none is queued, except entries that had already replaced another.
   */
  async add(entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      this.#schedule(this.#write(entries));
    } catch (error) {
      throw this.#notQueued(error);
    }
  }

  #notQueued(cause: unknown): unknown {
    const { to, directory: path, record = recordNothing } = this.options;
    const error = ioError(cause, `Cannot queue for ${to} in ${path}`);
    if (error instanceof RetainError)
      record({ kind: "failed-write", path, what: error.message, todo: error.hint ?? "" });
    return error;
  }

  /** The newest entry of this key, also if refused; or null. Throws `io`. */
  find(key: string): SpoolEntry | null {
    return this.#reading(() => this.#files.find(key));
  }

  /** Pending and refused entries, oldest first, without unreadable ones. Throws `io`. */
  entries(): SpoolEntry[] {
    return this.#reading(() => this.#files.entries());
  }

  /** Schedules sending of pending entries, also of earlier processes. Never throws. */
  wake(): void {
    if (this.#run === null && this.#countPending() > 0) this.#armForNext();
  }

  /**
   * Sends pending entries and returns when nothing more can be sent, or promptly when the signal aborts; the rest stays queued. Does
   * nothing if the next retry is not due. Never throws.
   */
  async flush(signal: AbortSignal): Promise<void> {
    if (this.#run === null && this.#pause.left(this.options.clock()) > 0) return;
    // A run in progress may have listed the entries before this call.
    for (let isFresh = false; !(isFresh || signal.aborted || this.#isClosed); ) {
      isFresh = this.#run === null;
      await this.#waitFor(this.#run ?? this.#start(true), signal);
    }
  }

  /** Never throws: a read error becomes the problem. */
  status(): SpoolStatus {
    try {
      const { pending, refused, damaged, again } = this.#files.list();
      const delayed = pending.find(({ id }) => again.has(id));
      const delay = delayed === undefined ? null : this.#files.marking(delayed, "again");
      const stuck = [...this.#stuck(refused, "refused"), ...this.#stuck(damaged, "damaged")];
      const failure = this.#pause.failure;
      const isPaused = pending.length > 0 && this.#pause.left(this.options.clock()) > 0;
      return {
        waiting: pending.length,
        stuck,
        problem: oneLine(failure?.problem ?? delay?.why ?? "") || null,
        nextTry: isPaused ? (failure?.nextTry ?? null) : delay?.notBefore || null,
      };
    } catch (error) {
      return { waiting: 0, stuck: [], problem: messageOf(error), nextTry: null };
    }
  }

  /** How many entries this process has sent. */
  get sent(): number {
    return this.#sending.sent;
  }

  /** All entries, also damaged ones; null for unreadable ones. Throws `io`. */
  held(): (SpoolEntry | null)[] {
    return this.#reading(() => this.#files.held());
  }

  /** Removes the held entries that match. Returns how many. Throws `io`. */
  remove(isMeant: (entry: SpoolEntry | null) => boolean): number {
    try {
      const count = this.#files.removeHeld(isMeant);
      if (this.#countPending() === 0) this.#pause.worked();
      return count;
    } catch (error) {
      throw ioError(error, `Cannot empty ${this.options.directory}`);
    }
  }

  /** Queues entries again that the server accepted but could not process; a newer entry of the same key wins. Throws `io`. */
  putBack(entries: readonly SpoolEntry[], why: string): void {
    try {
      this.#sending.putBack(entries, why);
    } catch (error) {
      throw this.#notQueued(error);
    }
    this.wake();
  }

  /** Makes stuck entries pending again and retries at once. Throws `io`. */
  retryStuck(): void {
    try {
      this.#files.unmarkAll();
      this.#pause.worked();
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.options.directory}`);
    }
    this.wake();
  }

  /** Stops sending and aborts the current batch. Entries added later wait for another process. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#run?.ending.abort(this.#run.isTooSlow ? undefined : CLOSED);
  }

  /** Retries once, in case the directory was just deleted. */
  #write(entries: readonly NewEntry[]): number {
    const now = this.options.clock();
    try {
      return this.#files.write(entries, now);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      return this.#files.write(entries, now);
    }
  }

  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw ioError(error, `Cannot read ${this.options.directory}`);
    }
  }

  #stuck(queued: readonly Queued[], mark: Mark): { text: string; why: string }[] {
    return queued.map((one) => {
      const { summary, why } = this.#files.marking(one, mark);
      return { text: oneLine(summary) || one.id, why: asClause(why) };
    });
  }

  #countPending(): number {
    try {
      return this.#files.list().pending.length;
    } catch {
      return 0;
    }
  }

  #schedule(pending: number): void {
    if (this.#isClosed || this.#run !== null) return;
    const isDue = this.#pause.left(this.options.clock()) === 0;
    if (pending >= this.#batch && isDue) this.#start(false);
    else if (pending > 0) this.#armForNext();
  }

  #armForNext(): void {
    this.#arm(Math.max(this.#pause.left(this.options.clock()), this.#debounceMs));
  }

  #arm(ms: number): void {
    if (this.#isClosed) return;
    this.#cancelTimer ??= this.#timing.after(ms, () => {
      this.#cancelTimer = null;
      if (this.#run === null) this.#start(false);
    });
  }

  #start(isForFlush: boolean): Run {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const ending = new AbortController();
    const ended = this.#sending.run(ending.signal).then(() => {
      this.#run = null;
      this.#armAgain();
    });
    this.#run = { ended, ending, waiters: 0, isForFlush, isTooSlow: false };
    return this.#run;
  }

  /** Schedules the rest: when the retry is due, or shortly if another process is sending. */
  #armAgain(): void {
    if (this.#countPending() === 0) return;
    const left = this.#pause.left(this.options.clock());
    const isPaused = this.#pause.failure !== null;
    this.#arm(isPaused ? Math.max(left, SHORTEST_PAUSE_MS) : this.#debounceMs);
  }

  async #waitFor(run: Run, signal: AbortSignal): Promise<void> {
    const { promise: told, resolve } = Promise.withResolvers<void>();
    const leave = () => resolve();
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    run.waiters++;
    await Promise.race([run.ended, told]);
    signal.removeEventListener("abort", leave);
    run.isTooSlow ||= signal.aborted;
    if (--run.waiters === 0 && run.isForFlush) run.ending.abort();
  }
}
