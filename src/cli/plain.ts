/**
 * The chat without a screen, for screen readers and terminals that cannot move the cursor: every event is printed once, as lines, and
 * every answer is a line. Text is printed as in print mode.
 */

import { approvalOptions, PAUSE_MS } from "../agent/choices.ts";
import type { ChatEvent, ChatFace, EventOf, Picker } from "../agent/events.ts";
import { compactedInWords, INTERRUPTED } from "../agent/in-words.ts";
import { asDecision, type Decision } from "../agent/tool.ts";
import { harmlessEvent } from "../tui/ansi/visible.ts";
import type { InputHistory } from "../tui/editor/history.ts";
import { watchEndings } from "../tui/endings.ts";
import { writeOut } from "./output.ts";
import { EventPrinter } from "./print.ts";
import { TerminalLines } from "./terminal-lines.ts";

interface PlainOptions {
  readonly version: string;
  readonly directory: string;
  readonly memory: string;
  readonly history: InputHistory;
  /** A line to send at the start. */
  readonly initial?: string;
}

const INTERRUPTED_EXIT = 130;

/** Runs the chat until the user quits or a signal ends it. Returns the exit code; throws what the chat throws. */
export async function runPlain(chat: ChatFace, options: PlainOptions): Promise<number> {
  const plain = new PlainChat(chat, options);
  const endings = watchEndings((exitCode) => plain.end(exitCode));
  try {
    return await Promise.race([plain.run(), endings.crashed]);
  } finally {
    endings.stop();
  }
}

class PlainChat {
  readonly #lines = new TerminalLines();
  #reply: AbortController | null = null;
  readonly #closing = new AbortController();
  #exitCode = 0;
  #quits = false;
  #incognito = false;
  #picker: Picker | null = null;

  constructor(
    private readonly chat: ChatFace,
    private readonly options: PlainOptions,
  ) {}

  async run(): Promise<number> {
    const { version, directory, memory, initial } = this.options;
    await say(`Retain ${version}`, `directory: ${directory}`, `memory: ${memory}`);
    await this.#through(this.chat.start());
    for (let line = initial ?? (await this.#ask()); line !== null && !this.#quits; ) {
      this.#reply = new AbortController();
      await this.#through(this.chat.send(line, this.#reply.signal));
      this.#reply = null;
      line = this.#quits ? null : await this.#ask();
    }
    await this.#through(this.chat.close(this.#closing.signal));
    return this.#exitCode;
  }

  /** Ctrl-C stops the reply, or leaves; during the summary it skips that. Other signals leave at once. */
  end(exitCode: number): void {
    const isSignal = exitCode !== INTERRUPTED_EXIT;
    if (isSignal) this.#exitCode = exitCode;
    if (this.#reply !== null) this.#reply.abort();
    if (this.#quits || isSignal) this.#closing.abort();
    if (this.#reply === null || isSignal) {
      this.#quits = true;
      this.#lines.end();
    }
  }

  /** The next line to send; null at the end of the input. */
  async #ask(): Promise<string | null> {
    for (;;) {
      const picker = this.#picker;
      this.#picker = null;
      const askedAt = performance.now();
      await say(picker === null ? "Your message:" : "Enter a number to select, or your message:");
      const line = await this.#lines.next();
      if (line === null) {
        this.#quits = true;
        return null;
      }
      const text = line.text.trim();
      const item = line.at >= askedAt && /^\d+$/.test(text) ? picker?.items[Number(text) - 1] : undefined;
      if (item !== undefined) return `${picker?.command} ${item.value}`;
      if (text === "") continue;
      if (!this.#incognito && !/^\/incognito\b/i.test(text)) this.options.history.add(text);
      return text;
    }
  }

  async #through(events: AsyncIterable<ChatEvent>): Promise<void> {
    const printer = new EventPrinter(NOTES);
    let text = "";
    const flush = async () => {
      if (text !== "") await printer.print({ type: "text", text });
      text = "";
    };
    for await (const raw of events) {
      if (raw.type === "text") {
        text += raw.text;
        // Whole lines, because a screen reader reads out each piece that is written.
        const end = text.lastIndexOf("\n") + 1;
        if (end > 0) await printer.print({ type: "text", text: text.slice(0, end) });
        text = text.slice(end);
        continue;
      }
      await flush();
      const event = harmlessEvent(raw);
      if (event.type !== "thinking") await this.#print(event, printer);
    }
    await flush();
    await printer.end();
  }

  async #print(event: ChatEvent, printer: EventPrinter): Promise<void> {
    switch (event.type) {
      case "session":
        this.#incognito = event.incognito;
        for (const { role, text } of event.past) await say(`${role}: ${text}`);
        return;
      case "model":
        return say(`model: ${event.name ?? "none, so answers come from memory alone"}`);
      case "approval":
        return this.#approve(event);
      case "picker":
        await say(
          event.picker.title,
          ...numbered(event.picker.items.map(({ label, detail }) => `${label} (${detail})`)),
        );
        this.#picker = event.picker;
        return;
      case "result":
        return event.ok ? say(`  ${event.brief}`) : printer.print(event);
      case "compacted":
        return say(compactedInWords(event));
      case "error":
        return say(`Error: ${event.message}`, ...(event.hint === null ? [] : [event.hint]));
      case "quit":
        this.#quits = true;
        return;
      case "done":
        return event.reason === "interrupted" ? say(INTERRUPTED) : undefined;
      default:
        return printer.print(event);
    }
  }

  /** Only a number typed after the prompt answers it; the end of the input denies. */
  async #approve(approval: EventOf<"approval">): Promise<void> {
    const { id, summary, preview, outside, caution } = approval;
    const options = approvalOptions(approval);
    await say(
      `Allow: ${summary}`,
      ...(outside ? ["Warning: outside the working directory."] : []),
      ...(caution === undefined ? [] : [`Warning: ${caution}`]),
      ...(preview === null ? [] : [preview.text.trimEnd()]),
      ...numbered(options.map(({ label }) => label)),
    );
    // A line that was being typed meanwhile is the next message.
    await Bun.sleep(PAUSE_MS);
    const after = performance.now();
    let decision: Decision | undefined;
    while (decision === undefined) {
      await say(`Your answer, 1 to ${options.length}:`);
      const line = await this.#lines.next({ after, until: this.#reply?.signal });
      decision = line === null ? { answer: "deny" } : await this.#decided(options[Number(line.text) - 1]);
    }
    this.chat.answer(id, decision);
  }

  /** Asks for the reason, if the option is to give one. */
  async #decided(
    option: ReturnType<typeof approvalOptions>[number] | undefined,
  ): Promise<Decision | undefined> {
    if (option === undefined || option.decision !== null) return option?.decision ?? undefined;
    await say("Why not? The model will read this:");
    const line = await this.#lines.next({ after: performance.now(), until: this.#reply?.signal });
    return asDecision({ answer: "deny", reason: line?.text });
  }
}

function numbered(labels: readonly string[]): string[] {
  return labels.map((label, index) => `${index + 1}. ${label}`);
}

async function say(...lines: readonly string[]): Promise<void> {
  await writeOut(`${lines.join("\n")}\n`);
}

/** Notes go to the same place as the reply, in order and without colours. */
const NOTES = {
  say: (text: string) => void say(text),
  warn: (text: string) => void say(`Warning: ${text}`),
};
