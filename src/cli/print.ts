/** Answers one question without the terminal UI: the answer goes to stdout and the rest to stderr, or every event as JSON. */
import type { ChatEvent, ChatFace, EventOf } from "../agent/events.ts";
import { isErrorCode, RetainError } from "../core/errors.ts";
import { memoryLines } from "../core/facts/memory-changes.ts";
import { fileInWords } from "../util/in-words.ts";
import { terminalSafe } from "../util/unseen.ts";
import { type Terminal, toJson, writeOut } from "./output.ts";
import { isTerminal } from "./tty.ts";

interface PrintOptions {
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The question without piped text. */
  readonly own: string;
}

/** Why there was no answer; undefined if there was one. */
export async function printAnswer(
  chat: ChatFace,
  question: string,
  terminal: Terminal,
  { json, signal, own }: PrintOptions,
): Promise<RetainError | undefined> {
  const printer = json ? jsonPrinter : new EventPrinter(terminal);
  const through = async (events: AsyncIterable<ChatEvent>): Promise<Ending> => {
    const ending: Ending = { done: null, error: undefined };
    for await (const event of events) {
      if (event.type === "done") ending.done = event;
      else await printer.print(event);
      if (event.type === "error") ending.error = errorOf(event);
    }
    return ending;
  };
  await through(chat.start());
  const { done, error } = await through(chat.send(question, signal, { own }));
  // A single question needs no summary by a model.
  await through(chat.close(AbortSignal.abort()));
  await printer.end(done);
  if (done?.reason === "interrupted") return INTERRUPTED;
  return done?.reason === "failed" ? error : undefined;
}

type Done = EventOf<"done">;

interface Ending {
  done: Done | null;
  error: RetainError | undefined;
}

function errorOf({ code, message, hint }: EventOf<"error">): RetainError {
  return new RetainError(isErrorCode(code) ? code : "model", message, hint ?? undefined);
}

const INTERRUPTED = new RetainError("interrupted", "Interrupted. The partial answer is saved.");

const jsonPrinter = {
  async print(event: ChatEvent): Promise<void> {
    await writeOut(`${toJson(event)}\n`);
  },
  /** The last line says how the answer ended. */
  async end(done: Done | null): Promise<void> {
    if (done !== null) await writeOut(`${toJson(done)}\n`);
  },
};

/** Prints events as text. */
export class EventPrinter {
  /** Whether stdout ends with a newline. */
  #atStart = true;
  #said = false;

  constructor(private readonly terminal: Pick<Terminal, "say" | "warn">) {}

  async print(event: ChatEvent): Promise<void> {
    switch (event.type) {
      case "text":
        return this.#write(event.text);
      case "user":
        for (const { path, bytes, problem } of event.files ?? [])
          if (problem === null) await this.#aside(fileInWords(path, bytes));
          else this.terminal.warn(`${fileInWords(path, bytes)}: ${problem}`);
        return;
      case "message":
        return this.#newLine();
      case "tool":
        return this.#aside(`● ${event.summary}`);
      case "result":
        return event.ok ? undefined : this.#aside(`  ${event.brief}`);
      case "retry":
        return this.#aside(`${event.why} Retrying in ${event.seconds} s (${event.attempt} of ${event.of}).`);
      case "memory":
        for (const { mark, label, text } of memoryLines(event))
          await this.#aside(`${mark} ${label}: ${text}`);
        return;
      case "picker":
        for (const { label, detail } of event.picker.items) await this.#write(`- ${label} (${detail})\n`);
        return;
      case "output":
        await this.#write(event.text);
        return this.#newLine();
      case "notice":
        return event.level === "warning" ? this.terminal.warn(event.text) : this.#aside(event.text);
      default:
    }
  }

  async end(): Promise<void> {
    await this.#newLine();
  }

  async #write(text: string): Promise<void> {
    const shown = isTerminal("stdout") ? terminalSafe(text) : text;
    const whole = this.#said ? shown : shown.trimStart();
    if (whole === "") return;
    this.#said = true;
    this.#atStart = whole.endsWith("\n");
    await writeOut(whole);
  }

  async #newLine(): Promise<void> {
    if (!this.#atStart) await writeOut("\n");
    this.#atStart = true;
  }

  async #aside(text: string): Promise<void> {
    if (isTerminal("stdout")) await this.#newLine();
    this.terminal.say(text);
  }
}
