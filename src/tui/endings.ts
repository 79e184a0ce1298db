/** Ends the chat on signals, a closed terminal and uncaught errors. */
import type { EventEmitter } from "node:events";

/** The codes that a shell reports for a process killed by a signal. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

interface Endings {
  /** Rejects with an uncaught error. */
  readonly crashed: Promise<never>;
  /** Removes all listeners. */
  stop(): void;
}

export function watchEndings(end: (exitCode: number) => void): Endings {
  const crash = Promise.withResolvers<never>();
  const undo: (() => void)[] = [];
  const on = (emitter: EventEmitter, event: string, listener: (reason: unknown) => void) => {
    emitter.on(event, listener);
    undo.push(() => emitter.off(event, listener));
  };
  for (const [signal, code] of Object.entries(EXIT_CODES)) on(process, signal, () => end(code));
  for (const event of ["uncaughtException", "unhandledRejection"]) on(process, event, crash.reject);
  // Reading and writing fail on a closed terminal, while SIGHUP may come later or not at all.
  const gone = () => end(EXIT_CODES.SIGHUP);
  for (const event of ["end", "close", "error"]) on(process.stdin, event, gone);
  on(process.stdout, "error", gone);
  return {
    crashed: crash.promise,
    stop() {
      for (const off of undo) off();
    },
  };
}
