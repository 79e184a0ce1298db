/** Work on many files in slices, between which other work can run. */
import { readdir, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** Yields a directory to get the names in it, by a function that throws if it can't be read; or nothing, only to let other work run. */
export type Slices<T> = Generator<string | undefined, T, () => string[]>;

/** Files per slice: about a millisecond on a local disk. */
const SLICE = 64;

/** Yields after each slice of the things. */
export function* sliced<T>(things: Iterable<T>, work: (thing: T) => void): Slices<void> {
  let count = 0;
  for (const thing of things) {
    work(thing);
    if (++count % SLICE === 0) yield;
  }
}

/** Does all the work without yielding. */
export function atOnce<T>(work: Slices<T>): T {
  for (let names = (): string[] => []; ; ) {
    const { done, value } = work.next(names);
    if (done === true) return value;
    names = () => (value === undefined ? [] : readdirSync(value));
  }
}

/** Lets the event loop turn after each slice, and reads directories in another thread. */
export async function inSlices<T>(work: Slices<T>): Promise<T> {
  for (let names = (): string[] => []; ; ) {
    const { done, value } = work.next(names);
    if (done === true) return value;
    if (value === undefined) await setImmediate();
    else names = await namesIn(value);
  }
}

/** `node:fs/promises` would take each process 2 ms to load. */
function namesIn(directory: string): Promise<() => string[]> {
  return new Promise((resolve) =>
    readdir(directory, (error, names) =>
      resolve(() => {
        if (error !== null) throw error;
        return names;
      }),
    ),
  );
}

/**
 * Shares the results of concurrent calls, one run at a time. A call never gets the result of a run that began before the call, since
 * that run may have passed a file that changed in between.
 */
export class OneAtATime<T> {
  #running: Promise<T> | null = null;

  constructor(private readonly work: () => Promise<T>) {}

  get isRunning(): boolean {
    return this.#running !== null;
  }

  async run(): Promise<T> {
    // A failure is the earlier caller's.
    await this.#running?.catch(() => {});
    this.#running ??= this.work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
