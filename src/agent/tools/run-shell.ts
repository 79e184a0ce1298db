/**
 * Runs one command line to its end, its time limit, or the person's stop, and leaves nothing of it running; nor does it go on
 * if this process is killed meanwhile.
 */
import { closeSync, writeSync } from "node:fs";
import { ClippedOutput } from "./clipped-output.ts";
import {
  endGroup,
  groupOf,
  kernelTime,
  killGroup,
  lookAt,
  MARK_HANDLE,
  MARK_VARIABLE,
} from "./process-group.ts";

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

/**
 * What is started first. stderr goes where stdout goes, so that both come in the order in which they were printed. It begins
 * once it is told to, and leaves a guard behind who hears when this process ends, however that is, since our end of the pipe
 * closes. The guard then kills those who hold the output or carry the mark, where there is /proc, and the group with itself.
 * Its parent ends at once, so that it is nobody's child for whom the command would wait. It is deaf to signals from the start: a
 * command may send them to its whole group before the guard has done anything.
 */
const START = `
read -r _ <&3 || exit
trap '' HUP INT TERM
( (
  read -r _ <&3 && exit
  read -r self _ </proc/self/stat
  for process in /proc/[0-9]*; do
    [ "$process" = "/proc/$self" ] && continue
    if [ "$process/fd/${MARK_HANDLE}" -ef /proc/self/fd/${MARK_HANDLE} ] ||
      grep -qs "${MARK_VARIABLE}=$${MARK_VARIABLE}" "$process/environ"
    then kill -KILL "\${process#/proc/}"
    fi
  done
  kill -KILL 0
) ${MARK_HANDLE}>&1 >/dev/null 2>&1 & )
trap - HUP INT TERM
exec /bin/sh -c "$1" 2>&1 3<&- ${MARK_HANDLE}>&1
`;

/** How often it is looked who belongs to the command. */
const LOOK_MS = 200;

/** How long the last of the output is waited for, once all is ended. */
const DRAIN_MS = 500;

/** Throws the system's error where it cannot be started. */
export async function runShell(run: ShellRun, signal: AbortSignal): Promise<ShellEnd> {
  const mark = crypto.randomUUID();
  const since = kernelTime();
  const child = Bun.spawn(["/bin/sh", "-c", START, "sh", run.command], {
    cwd: run.cwd,
    env: { ...run.env, [MARK_VARIABLE]: mark },
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const lead = leadOf(child.stdio[3]);
  const group = groupOf(child.pid, mark, since);
  const onExit = () => killGroup(group);
  process.once("exit", onExit);
  const looking = setInterval(() => lookAt(group), LOOK_MS);
  try {
    const output = new ClippedOutput();
    const reading = readInto(output, child.stdout);
    lead.say("begin");
    const reason = await firstOf(child.exited, run, signal);
    lead.say("end");
    await endGroup(group, run.graceMs);
    await child.exited;
    await reading.end();
    const code = child.signalCode === null ? child.exitCode : null;
    const killer = child.signalCode === null ? null : String(child.signalCode);
    return { reason, code, signal: killer, output: output.text() };
  } finally {
    clearInterval(looking);
    process.off("exit", onExit);
    lead.close();
  }
}

/** Our end of the pipe to the process that is started first, and to the guard. */
function leadOf(handle: number | null | undefined) {
  if (typeof handle !== "number") throw new Error("There is no pipe to the command.");
  return {
    say(word: "begin" | "end") {
      try {
        writeSync(handle, `${word}\n`);
      } catch {
        // Nobody listens any more.
      }
    },
    close() {
      closeSync(handle);
    },
  };
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
