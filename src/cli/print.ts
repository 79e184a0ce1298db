/** One question, one answer, without a screen: the answer on stdout, what else happens on stderr, or every event as JSON. */
import type { ChatEvent, ChatFace } from "../agent/events.ts";
import { memoryLines } from "../agent/memory-lines.ts";
import { isErrorCode, RetainError } from "../core/errors.ts";
import { withoutControls } from "../util/text.ts";
import { type Terminal, toJson, writeOut } from "./output.ts";
import { isTerminal } from "./tty.ts";

export interface PrintOptions {
  readonly json: boolean;
  readonly signal: AbortSignal;
}

/** What ended it otherwise than with an answer; undefined where one came. */
export async function printAnswer(
  chat: ChatFace,
  question: string,
  terminal: Terminal,
  { json, signal }: PrintOptions,
): Promise<RetainError | undefined> {
  const tell = json ? tellAsJson : new Teller(terminal);
  const through = async (events: AsyncIterable<ChatEvent>): Promise<RetainError | undefined> => {
    let error: RetainError | undefined;
    for await (const event of events) {
      await tell.tell(event);
      if (event.type === "error")
        error = new RetainError(
          isErrorCode(event.code) ? event.code : "model",
          event.message,
          event.hint ?? undefined,
        );
      if (event.type !== "done") continue;
      if (event.reason === "interrupted") return INTERRUPTED;
      if (event.reason === "failed") return error;
    }
    return undefined;
  };
  await through(chat.start());
  const failure = await through(chat.send(question, signal));
  // One question needs no model to sum it up.
  await through(chat.close(AbortSignal.abort()));
  await tell.end();
  return failure;
}

const INTERRUPTED = new RetainError("interrupted", "Interrupted. What had come is stored.");

const tellAsJson = {
  async tell(event: ChatEvent): Promise<void> {
    await writeOut(`${toJson(event)}\n`);
  },
  async end(): Promise<void> {},
};

class Teller {
  /** Whether the last character on stdout ended a line. */
  #atStart = true;
  #said = false;

  constructor(private readonly terminal: Terminal) {}

  async tell(event: ChatEvent): Promise<void> {
    switch (event.type) {
      case "text":
        return this.#write(event.text);
      case "message":
        return this.#newLine();
      case "tool":
        return this.#aside(`● ${event.summary}`);
      case "result":
        return event.ok ? undefined : this.#aside(`  ${event.brief}`);
      case "retry":
        return this.#aside(
          `${event.why} Trying again in ${event.seconds} s (${event.attempt} of ${event.of}).`,
        );
      case "memory":
        for (const line of memoryLines(event)) await this.#aside(line);
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
    const shown = isTerminal("stdout") ? withoutControls(text) : text;
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
