/**
 * A hook as a process: whatever happens in it (a mistake in a config, a full disk, a bug of ours), the process ends with 0 within its
 * time, prints the whole answer or nothing, and tells in one line of the log what went wrong.
 */
import type { HookEvent } from "../agent/hooks/events.ts";
import { readHookInput } from "../agent/hooks/input.ts";
import { type LogEntry, writeLog } from "../agent/hooks/log.ts";
import type { HookOutcome } from "../agent/hooks/run.ts";
import { hookHome, type OpenedHooks, openHooks } from "../app/hook-ports.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { toJson, writeOut } from "./output.ts";

interface GuardedEvent {
  readonly event: HookEvent;
  /** How long the process may take, in ms. */
  readonly bound: number;
  /** As Claude Code calls it. */
  readonly name: string;
}

/** More than any prompt. */
const MOST_INPUT_BYTES = 32 * 1024 * 1024;
/** Of a bug's stack: where it is. */
const STACK_LINES = 2;

/** null where what was `said` is no event that this version knows. */
export async function guardedHook(said: string, guarded: GuardedEvent | null): Promise<void> {
  const log = new HookLog(guarded?.event ?? said.slice(0, 40));
  process.on("uncaughtException", (error) => log.end(error));
  process.on("unhandledRejection", (error) => log.end(error));
  const { event, bound, name } = guarded ?? { event: null, bound: 1_000, name: "" };
  const late = () => log.end(new RetainError("io", `It took longer than ${bound} ms, and was given up.`));
  const timer = setTimeout(late, bound - performance.now());
  let hooks: OpenedHooks | null = null;
  try {
    const bytes = await readBounded(Bun.stdin.stream());
    const input = bytes === null ? null : readHookInput(bytes);
    if (event === null) throw new RetainError("usage", "This version of Retain knows no such event.");
    if (input === null) throw new RetainError("invalid_input", "What came on stdin is no JSON object.");
    log.session = input.session;
    hooks = openHooks({
      warn: (message) => log.warn(message),
      ...(input.cwd !== null && { cwd: input.cwd }),
    });
    log.home = hooks.home;
    const { runHook } = await import("../agent/hooks/run.ts");
    const outcome = await runHook(event, input, { ...hooks, left: () => bound - performance.now() });
    await writeOut(answerOf(name, outcome));
    await outcome.afterwards?.();
    log.tell(outcome);
  } catch (error) {
    log.fail(error);
  } finally {
    clearTimeout(timer);
    hooks?.close();
  }
}

/** As Claude Code takes it; "" for nothing. */
function answerOf(name: string, { context }: HookOutcome): string {
  if (context === "") return "";
  const hookSpecificOutput = { hookEventName: name, additionalContext: context };
  return `${toJson({ hookSpecificOutput })}\n`;
}

/** null where there is too much. */
async function readBounded(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > MOST_INPUT_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

class HookLog {
  session = "";
  home: string | null = null;
  readonly #warnings = new Set<string>();

  constructor(private readonly event: string) {}

  warn(message: string): void {
    this.#warnings.add(message);
  }

  tell({ done, problems }: HookOutcome): void {
    const wrong = [...problems, ...this.#warnings].join(" ");
    const time = `${done} in ${Math.round(performance.now())} ms`;
    if (wrong !== "")
      this.#write(done === "" ? wrong : `${wrong} (${time})`, problems.length > 0 ? "failed" : "warning");
    else if (done !== "") this.#write(time, "done");
  }

  fail(error: unknown): void {
    const known = error instanceof RetainError;
    const stack = (error instanceof Error && error.stack?.split("\n").slice(0, STACK_LINES).join(" ")) || "";
    this.#write([known ? error.message : stack || messageOf(error), ...this.#warnings].join(" "), "failed");
  }

  end(error: unknown): never {
    this.fail(error);
    process.exit(0);
  }

  #write(text: string, level: LogEntry["level"]): void {
    const { event, session } = this;
    writeLog(this.home ?? hookHome(), { at: new Date(), event, session, text, level });
  }
}
