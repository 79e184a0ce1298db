/** The clock and timers as a port, so that tests of retries and timeouts take no time. */

export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this time, or early if the signal aborts. Never throws. */
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
