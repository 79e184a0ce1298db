/** A real chat on real files, in this process: lines go in, events come out. */
import type { ChatOptions } from "../../src/agent/chat.ts";
import type { ChatEvent, ChatFace, EventOf } from "../../src/agent/events.ts";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import { openRetain, type Retain } from "../../src/app.ts";
import type { AnthropicServer } from "./anthropic-server.ts";
import { afterThisTest } from "./clean-up.ts";
import { Sandbox } from "./sandbox.ts";

export const KEY = "sk-ant-stand-in-0123456789abcdefghij";

export class ChatRoom {
  readonly sandbox = new Sandbox();
  readonly retain: Retain;

  constructor(
    server: AnthropicServer | null,
    options: RetainOptions = {},
    variables: Record<string, string> = {},
  ) {
    const model = server === null ? {} : { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
    this.retain = openRetain({
      cwd: this.sandbox.work,
      homeDirectory: this.sandbox.home,
      env: this.sandbox.env({ ...model, ...variables }),
      settings: { embedding: "none" },
      ...options,
    });
    afterThisTest(() => this.retain.close());
  }

  async open(options: Partial<ChatOptions> = {}): Promise<Conversing> {
    const conversing = new Conversing(await this.retain.chat({ interactive: true, ...options }));
    await conversing.start();
    return conversing;
  }
}

/** Answers approvals by a rule, and remembers every event. */
export class Conversing {
  readonly events: ChatEvent[] = [];
  onEvent: (event: ChatEvent) => void = () => {};

  constructor(readonly chat: ChatFace) {}

  async start(): Promise<ChatEvent[]> {
    return this.#through(this.chat.start());
  }

  async say(line: string, signal = new AbortController().signal): Promise<ChatEvent[]> {
    return this.#through(this.chat.send(line, signal));
  }

  /** The ways of a person who has no time lets the summary be made without the model. */
  async close(hurry = true): Promise<ChatEvent[]> {
    const signal = new AbortController();
    if (hurry) signal.abort();
    return this.#through(this.chat.close(signal.signal));
  }

  async #through(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
    const seen: ChatEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      this.events.push(event);
      this.onEvent(event);
    }
    return seen;
  }
}

export function only<T extends ChatEvent["type"]>(events: readonly ChatEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

export function textOf(events: readonly ChatEvent[]): string {
  return only(events, "text")
    .map(({ text }) => text)
    .join("");
}

export function endOf(events: readonly ChatEvent[]): string {
  return only(events, "done").at(-1)?.reason ?? "none";
}
