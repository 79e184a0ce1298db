/**
 * Runs a hook as a process. Whatever happens (an invalid config, a full disk, a bug), the process exits with 0 in time, prints the
 * whole answer or nothing, and logs the error in one line.
 */
import { join } from "node:path";
import { BOUND_MS, hookEvent, nameInClaudeCode, STORING_EVENTS } from "../agent/hooks/events.ts";
import { GEMINI_EVENTS, readGeminiInput } from "../agent/hooks/gemini.ts";
import { readHookInput } from "../agent/hooks/input.ts";
import { LOG_FILE, type LogEntry, writeLog } from "../agent/hooks/log.ts";
import type { HookOutcome } from "../agent/hooks/run.ts";
import { hookHome, type OpenedHooks, openHooks } from "../app/hooks/hook-ports.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { incidentsNotice } from "../core/incidents.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import { IncidentFile } from "../files/incidents.ts";
import { toJson, writeOut } from "./output.ts";

/** Larger than any prompt. */
const MOST_INPUT_BYTES = 32 * 1024 * 1024;
/** The time limit for an event of another version. */
const UNKNOWN_BOUND_MS = 1_000;
/** How many lines of a stack trace to log. */
const STACK_LINES = 2;

/** `said` is the event as typed or as the agent spells it. */
export async function runHookProcess(said: string): Promise<void> {
  if (process.env.RETAIN_HOOKS?.toLowerCase() !== "off") await guardedHook(said);
}

async function guardedHook(said: string): Promise<void> {
  const gemini = GEMINI_EVENTS.get(said);
  /** null if this version doesn't know it. */
  const event = gemini?.event ?? hookEvent(said);
  const log = new HookLog(event ?? said.slice(0, 40));
  process.on("uncaughtException", (error) => log.end(error));
  process.on("unhandledRejection", (error) => log.end(error));
  const bound = event === null ? UNKNOWN_BOUND_MS : BOUND_MS[event];
  const name = gemini?.name ?? (event === null ? "" : nameInClaudeCode(event));
  const read = gemini === undefined ? readHookInput : readGeminiInput;
  const late = () => log.end(new RetainError("io", `Timed out after ${bound} ms.`));
  const timer = setTimeout(late, bound - performance.now());
  let hooks: OpenedHooks | null = null;
  let answer: HookOutcome | null = null;
  try {
    const bytes = await readBounded(Bun.stdin.stream());
    const input = bytes === null ? null : read(bytes);
    if (event === null) throw new RetainError("usage", "This version of Retain does not know this event.");
    if (input === null) throw new RetainError("invalid_input", "stdin is not a JSON object.");
    log.session = input.session;
    log.cwd = input.cwd;
    log.stores = STORING_EVENTS.has(event);
    hooks = openHooks({
      warn: (message) => log.warn(message),
      ...(input.cwd !== null && { cwd: input.cwd }),
    });
    log.home = hooks.home;
    const { runHook } = await import("../agent/hooks/run.ts");
    const outcome = await runHook(event, input, { ...hooks, left: () => bound - performance.now() });
    answer = outcome;
    log.stores = false;
    const notices = event === "session-start" ? [log.incidents(), outcome.notice ?? null] : [];
    const notice = notices.filter((one) => one !== null).join(" ") || null;
    await writeOut(answerOf(name, outcome.context, notice));
    await outcome.afterwards?.();
    log.record(outcome);
  } catch (error) {
    log.fail(error);
    if (event === "session-start" && answer === null) await writeOut(answerOf(name, "", log.incidents()));
  } finally {
    clearTimeout(timer);
    hooks?.close();
  }
}

/** In Claude Code's format; "" for no output. Claude Code shows `notice` to the user, not to the model. */
function answerOf(name: string, context: string, notice: string | null): string {
  if (context === "" && notice === null) return "";
  const hookSpecificOutput = { hookEventName: name, additionalContext: context };
  const answer = {
    ...(notice !== null && { systemMessage: `Retain: ${notice}` }),
    ...(context !== "" && { hookSpecificOutput }),
  };
  return `${toJson(answer)}\n`;
}

/** null if the input is too large. */
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
  /** Claude Code's working directory. */
  cwd: string | null = null;
  /** Whether a failure means lost turns. */
  stores = false;
  readonly #warnings = new Set<string>();

  constructor(private readonly event: string) {}

  warn(message: string): void {
    this.#warnings.add(message);
  }

  record({ done, problems, isUnstored = false }: HookOutcome): void {
    // A server's error may quote the conversation.
    if (isUnstored) this.#notStored("");
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
    // A bug's message may quote the conversation.
    if (this.stores) this.#notStored(known ? error.message : "Unexpected error.");
  }

  /** A one-line notice for the user about open incidents. */
  incidents(): string | null {
    return incidentsNotice(this.#incidents.open().incidents);
  }

  #notStored(why: string): void {
    const home = this.home ?? hookHome();
    const path = join(home, LOG_FILE);
    const what = redactSecrets(`The hook '${this.event}' could not store turns from Claude Code. ${why}`);
    const todo = `The session's next hook retries. Details: ${path}`;
    this.#incidents.record(this.cwd ?? home, { kind: "failed-write", path, what, todo }, new Date());
  }

  get #incidents(): IncidentFile {
    return new IncidentFile(this.home ?? hookHome());
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
