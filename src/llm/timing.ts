/** Waiting, as something that is passed in: retries and silences are tried without any time passing. */

export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Comes back once `now` has moved on by so much, or early where the signal says so. Never throws. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

export const REAL_TIMING: Timing = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal.addEventListener("abort", finish);
    }),
  random: Math.random,
};
