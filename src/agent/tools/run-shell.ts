/** Runs one command line to its end, its time limit, or the person's stop, and leaves nothing of it running. */
import { ClippedOutput } from "./clipped-output.ts";
import { endGroup, type Group, kernelTime, killGroup, MARK_VARIABLE } from "./process-group.ts";

/** Calls back after a time, unless it is cancelled by what it returns. */
export type Timer = (milliseconds: number, then: () => void) => () => void;

export const realTimer: Timer = (milliseconds, then) => {
  const id = setTimeout(then, milliseconds);
  return () => clearTimeout(id);
};

export interface ShellRun {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** How long what is stopped may take to end by itself. */
  readonly graceMs: number;
  readonly timer: Timer;
}

export interface ShellEnd {
  readonly reason: "ended" | "timeout" | "stopped";
  /** null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

/** stderr goes where stdout goes, so that both come in the order in which they were printed. */
const BOTH_TOGETHER = 'exec /bin/sh -c "$1" 2>&1';

/** How long the last of the output is waited for, once all is ended. */
const DRAIN_MS = 500;

/** Throws the system's error where it cannot be started. */
export async function runShell(run: ShellRun, signal: AbortSignal): Promise<ShellEnd> {
  const mark = crypto.randomUUID();
  const since = kernelTime();
  const child = Bun.spawn(["/bin/sh", "-c", BOTH_TOGETHER, "sh", run.command], {
    cwd: run.cwd,
    env: { ...run.env, [MARK_VARIABLE]: mark },
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const group: Group = { leader: child.pid, mark, since };
  const onExit = () => killGroup(group);
  process.once("exit", onExit);
  try {
    const output = new ClippedOutput();
    const reading = readInto(output, child.stdout);
    const reason = await firstOf(child.exited, run, signal);
    await endGroup(group, run.graceMs);
    await child.exited;
    await reading.end();
    const code = child.signalCode === null ? child.exitCode : null;
    const killer = child.signalCode === null ? null : String(child.signalCode);
    return { reason, code, signal: killer, output: output.text() };
  } finally {
    process.off("exit", onExit);
  }
}

/** What comes first: its own end, the time limit, or the person's stop. */
async function firstOf(
  exited: Promise<number>,
  { limitMs, timer }: ShellRun,
  signal: AbortSignal,
): Promise<ShellEnd["reason"]> {
  const { promise, resolve } = Promise.withResolvers<ShellEnd["reason"]>();
  const stop = () => resolve("stopped");
  const cancel = timer(limitMs, () => resolve("timeout"));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  void exited.then(() => resolve("ended"));
  try {
    return await promise;
  } finally {
    cancel();
    signal.removeEventListener("abort", stop);
  }
}

function readInto(output: ClippedOutput, stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const whole = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      output.add(value);
    }
  })();
  return {
    /** Waits for the rest, but not for somebody who got hold of the pipe and keeps it open. */
    async end() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = realTimer(DRAIN_MS, resolve);
      await Promise.race([whole, promise]);
      cancel();
      await reader.cancel();
    },
  };
}
