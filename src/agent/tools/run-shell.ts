/**
 * Runs one command line until it ends, times out or is stopped by the user, then kills everything it started. The command also dies
 * if this process is killed.
 */
import { runDetached } from "../../util/runtime.ts";
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

/** Calls back after a time; returns a function that cancels it. */
export type Timer = (milliseconds: number, then: () => void) => () => void;

export const realTimer: Timer = (milliseconds, then) => {
  const id = setTimeout(then, milliseconds);
  return () => clearTimeout(id);
};

interface ShellRun {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  readonly timer: Timer;
  /** Gets the complete lines so far, at most once a frame, and once more at the end. */
  readonly onOutput?: ((soFar: string) => void) | undefined;
}

export interface ShellEnd {
  readonly reason: "ended" | "timeout" | "stopped";
  /** null if a signal killed it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** How much it printed, if the middle was left out: "100 MB". */
  readonly cutFrom: string | null;
  readonly seconds: number;
}

/**
 * The wrapper script that starts the command. stderr shares stdout's pipe, so both arrive in the order they were printed. The script
 * waits for "begin", then leaves a guard process in the background. If Retain dies, however it happens, its end of the pipe closes.
 * The guard notices, kills the processes that hold the output or carry the mark (with /proc), and then its whole group. The guard's
 * parent exits at once, so the command cannot wait for the guard as its child. The guard ignores signals from the start, because the
 * command may signal its whole group at any time.
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

/** How often the members of the group are recorded. */
const LOOK_MS = 200;

/** How long to wait for the rest of the output after everything is killed. */
const DRAIN_MS = 500;

/** How often running output is passed on. */
const FRAME_MS = 100;

/** Throws the system's error if the command cannot be started. */
export async function runShell(run: ShellRun, signal: AbortSignal): Promise<ShellEnd> {
  const mark = crypto.randomUUID();
  const since = kernelTime();
  const start = performance.now();
  const child = await runDetached(["/bin/sh", "-c", START, "sh", run.command], {
    cwd: run.cwd,
    env: { ...run.env, [MARK_VARIABLE]: mark },
  });
  const group = groupOf(child.pid, mark, since);
  const onExit = () => killGroup(group);
  process.once("exit", onExit);
  const looking = setInterval(() => lookAt(group), LOOK_MS);
  try {
    const output = new ClippedOutput();
    const reading = readInto(output, child.stdout, run.onOutput ?? (() => {}));
    child.say("begin\n");
    const reason = await firstOf(child.exited, run, signal);
    child.say("end\n");
    await endGroup(group, run.graceMs);
    const { code, signal: killer } = await child.exited;
    await reading.end();
    const seconds = (performance.now() - start) / 1_000;
    const cutFrom = output.isCut ? output.size : null;
    return { reason, code, signal: killer, output: output.text(), cutFrom, seconds };
  } finally {
    clearInterval(looking);
    process.off("exit", onExit);
    child.closePipe();
  }
}

async function firstOf(
  exited: Promise<unknown>,
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

function readInto(
  output: ClippedOutput,
  stream: ReadableStream<Uint8Array>,
  onOutput: (soFar: string) => void,
) {
  const reader = stream.getReader();
  let cancelFrame: (() => void) | null = null;
  const passOn = () => {
    cancelFrame?.();
    cancelFrame = null;
    onOutput(output.beginning());
  };
  const whole = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      if (output.add(value)) cancelFrame ??= realTimer(FRAME_MS, passOn);
    }
  })();
  return {
    /** Waits for the rest, but not for a process that keeps the pipe open. */
    async end() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = realTimer(DRAIN_MS, resolve);
      await Promise.race([whole, promise]);
      cancel();
      passOn();
      await reader.cancel();
    },
  };
}
