/**
 * What is on its way to a server, first made durable on this machine. Adding writes a file and returns; sending happens when 16
 * wait, 5 s after the first, or by `flush`, by one process at a time, at least once. Nothing goes away before the server has said
 * that it is taken.
 */
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { type RecordIncident, recordNothing } from "../../core/incidents.ts";
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
  /** Of this bank alone. It is made when something is added. */
  readonly directory: string;
  readonly sender: Sender;
  /** Tells a person, in whole sentences. */
  notice(text: string): void;
  readonly record?: RecordIncident;
  /** The server's name, for people. */
  readonly to: string;
  readonly timing?: SpoolTiming;
  /** How many are sent at once, and how many that wait are sent without waiting for more. */
  readonly batch?: number;
  readonly debounceMs?: number;
}

export interface SpoolStatus {
  readonly waiting: number;
  readonly stuck: readonly { readonly text: string; readonly why: string }[];
  /** What went wrong last, where nothing has gone right since. */
  readonly problem: string | null;
  /** ISO 8601; null where nothing waits for one. */
  readonly nextTry: string | null;
}

const REAL_SPOOL_TIMING: SpoolTiming = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A server that asks to be tried at once is not asked without end. */
const SHORTEST_PAUSE_MS = 1_000;

interface Run {
  readonly ended: Promise<void>;
  readonly ending: AbortController;
  /** How many flushes wait for it; one that nobody waited for in the first place goes on when they have left. */
  waiters: number;
  readonly isForFlush: boolean;
  /** A flush has waited for it in vain. */
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
   * Durable on return. An entry takes the place of the one of its key, and is sent too where that one is on its way. Throws `io`:
   * then none is queued, but for one that had taken another's place by then.
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

  /** The newest of this key, also where it is stuck; null where there is none. Throws `io`. */
  find(key: string): SpoolEntry | null {
    return this.#reading(() => this.#files.find(key));
  }

  /** Waiting and stuck, the oldest first, without what cannot be read. Throws `io`. */
  entries(): SpoolEntry[] {
    return this.#reading(() => this.#files.entries());
  }

  /** Sends in a moment what waits, also what an earlier process left. Throws nothing. */
  wake(): void {
    if (this.#run === null && this.#countWaiting() > 0) this.#armForNext();
  }

  /**
   * Sends what waits, and comes back when nothing can be sent any more, or promptly when the signal says so; what is left stays
   * queued. Where the next try is not due, it does nothing. Throws nothing.
   */
  async flush(signal: AbortSignal): Promise<void> {
    if (this.#run === null && this.#pause.left(this.options.clock()) > 0) return;
    // A run that was under way may have had its last look before this was called.
    for (let isFresh = false; !(isFresh || signal.aborted || this.#isClosed); ) {
      isFresh = this.#run === null;
      await this.#waitFor(this.#run ?? this.#start(true), signal);
    }
  }

  /** Throws nothing: what cannot be read is the problem. */
  status(): SpoolStatus {
    try {
      const { waiting, refused, damaged } = this.#files.list();
      const stuck = [...this.#stuck(refused, "refused"), ...this.#stuck(damaged, "damaged")];
      const failure = this.#pause.failure;
      const isPaused = waiting.length > 0 && this.#pause.left(this.options.clock()) > 0;
      return {
        waiting: waiting.length,
        stuck,
        problem: failure === null ? null : oneLine(failure.problem),
        nextTry: isPaused ? (failure?.nextTry ?? null) : null,
      };
    } catch (error) {
      return { waiting: 0, stuck: [], problem: messageOf(error), nextTry: null };
    }
  }

  /** Everything that waits or is stuck; null for what cannot be read. Throws `io`. */
  held(): (SpoolEntry | null)[] {
    return this.#reading(() => this.#files.held());
  }

  /** Of what is held, that which is meant. Returns how many there were. Throws `io`. */
  remove(isMeant: (entry: SpoolEntry | null) => boolean): number {
    try {
      const count = this.#files.removeHeld(isMeant);
      if (this.#countWaiting() === 0) this.#pause.worked();
      return count;
    } catch (error) {
      throw ioError(error, `Cannot empty ${this.options.directory}`);
    }
  }

  /** Everything that is stuck waits again, and is tried without waiting for the next try. Throws `io`. */
  retryStuck(): void {
    try {
      this.#files.unmarkAll();
      this.#pause.worked();
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.options.directory}`);
    }
    this.wake();
  }

  /** Nothing is sent any more, and what is being sent is broken off. What is added from now on waits for another process. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#run?.ending.abort(this.#run.isTooSlow ? undefined : CLOSED);
  }

  /** Once more where somebody deleted the directory at this very moment. */
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

  #countWaiting(): number {
    try {
      return this.#files.list().waiting.length;
    } catch {
      return 0;
    }
  }

  #schedule(waiting: number): void {
    if (this.#isClosed || this.#run !== null) return;
    const isDue = this.#pause.left(this.options.clock()) === 0;
    if (waiting >= this.#batch && isDue) this.#start(false);
    else if (waiting > 0) this.#armForNext();
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

  /** What is left is tried again: when it is due, or in a moment where another process sends. */
  #armAgain(): void {
    if (this.#countWaiting() === 0) return;
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
