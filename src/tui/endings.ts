/** What ends a chat from outside: signals, a terminal that is gone, and errors that nobody caught. */
import type { EventEmitter } from "node:events";

/** As a shell reports a process that a signal ended. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export interface Endings {
  /** Rejects with what nobody caught. */
  readonly crashed: Promise<never>;
  /** Nobody is told any more. */
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
  // A terminal that is closed can be read and written no more, and SIGHUP may come later, or not at all.
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
