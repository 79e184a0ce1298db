/** One chat that is open on the server. Any number of tabs follow it; it runs one line at a time, whoever sent it. */
import { randomUUID } from "node:crypto";
import type { ChatEvent, ChatFace } from "../../agent/events.ts";
import { RetainError } from "../../core/errors.ts";
import { ChatLog, type LoggedEvent, type PageChatEvent } from "./chat-log.ts";
import type { StreamEvent, Unsubscribe } from "./streams.ts";

/** How long an idle chat stays open after its last tab was closed. */
const IDLE_MS = 10 * 60_000;

interface OpenChatOptions {
  /** The session that it resumes; null for a new one. */
  readonly session: string | null;
  /** Called when the user quits, or when it was idle for long. */
  onUnused(): void;
  report(error: Error): void;
}

export class OpenChat {
  readonly id: string = randomUUID();
  readonly #log = new ChatLog();
  readonly #followers = new Set<(event: StreamEvent) => void>();
  #session: string | null;
  #stop = new AbortController();
  #running: Promise<void> | null = null;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #closed: Promise<void> | null = null;

  constructor(
    private readonly chat: ChatFace,
    private readonly options: OpenChatOptions,
  ) {
    this.#session = options.session;
    this.#run(chat.start());
  }

  /** null until its first message is stored. */
  get session(): string | null {
    return this.#session;
  }

  get isClosing(): boolean {
    return this.#closed !== null;
  }

  /** Keeps an idle chat open for somebody who is about to follow it. False if it is already closing. */
  keep(): boolean {
    this.#rest();
    return !this.isClosing;
  }

  /** Sends everything after `id`, and each later event. */
  follow(id: string | null, send: (event: StreamEvent) => void): Unsubscribe {
    for (const logged of this.#log.since(id)) send(inStream(logged));
    this.#followers.add(send);
    clearTimeout(this.#idle);
    return () => {
      this.#followers.delete(send);
      this.#rest();
    };
  }

  /** Throws `conflict` while another line is answered. */
  send(line: string): void {
    if (this.#running !== null)
      throw new RetainError(
        "conflict",
        "A reply is still in progress.",
        "Wait for it to finish, or stop it.",
      );
    clearTimeout(this.#idle);
    this.#push({ type: "sent", line });
    this.#stop = new AbortController();
    this.#run(this.chat.send(line, this.#stop.signal));
  }

  stop(): void {
    this.#stop.abort();
  }

  dismiss(): void {
    this.#push({ type: "dismissed" });
  }

  answer(...args: Parameters<ChatFace["answer"]>): void {
    this.chat.answer(...args);
  }

  stopTool(call: string): void {
    this.chat.stopTool(call);
  }

  complete(beginning: string): ReturnType<ChatFace["complete"]> {
    return this.chat.complete(beginning);
  }

  /** Stops the current reply, then summarises and releases the session. An aborted signal doesn't wait for a model. */
  close(signal: AbortSignal): Promise<void> {
    this.#closed ??= this.#end(signal);
    return this.#closed;
  }

  async #end(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#idle);
    this.stop();
    await this.#running;
    await this.#drain(this.chat.close(signal));
    this.#push({ type: "closed" });
  }

  #run(events: AsyncIterable<ChatEvent>): void {
    this.#running = this.#drain(events).then((quits) => {
      this.#running = null;
      if (quits) this.options.onUnused();
      else this.#rest();
    });
  }

  /** Whether the user wants to quit. Only a bug makes a chat throw. */
  async #drain(events: AsyncIterable<ChatEvent>): Promise<boolean> {
    let quits = false;
    try {
      for await (const event of events) {
        if (event.type === "session" || event.type === "named") this.#session = event.id;
        if (event.type === "quit") quits = true;
        this.#push(event);
      }
    } catch (error) {
      this.options.report(error instanceof Error ? error : new Error(String(error)));
      this.#push(BUG);
      this.#push({ type: "done", reason: "failed" });
    }
    return quits;
  }

  /** Ends it later, unless somebody follows it or it works. */
  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#followers.size > 0 || this.#running !== null || this.isClosing) return;
    this.#idle = setTimeout(this.options.onUnused, IDLE_MS);
    this.#idle.unref();
  }

  #push(event: PageChatEvent): void {
    for (const logged of this.#log.append(event)) for (const send of this.#followers) send(inStream(logged));
  }
}

const BUG: PageChatEvent = {
  type: "error",
  code: "bug",
  message: "Internal error.",
  hint: "The server's log on stderr has details.",
};

function inStream({ id, event }: LoggedEvent): StreamEvent {
  return { id, event: "chat", data: event };
}
