/** A chat on the server, as one tab follows it: its state, and the lines that wait until it is idle. */
import type { Decision } from "../../agent/tool.ts";
import type { LoggedEvent, PageChatEvent } from "../../serve/page/chat-log.ts";
import type { Input } from "../../serve/page/table.ts";
import { CallFailed, call } from "../api.ts";
import { store, stored, unstore } from "../stored.ts";
import { type ChatState, INITIAL, reduce } from "./state.ts";

/** Events are shown together, at most about thirty times a second. */
const FRAME_MS = 33;
const AGAIN_MS = 1_500;

export interface Shown {
  readonly chat: ChatState;
  /** Sent when the current line is answered. */
  readonly queue: readonly string[];
  /** Lines that were not sent after all, to go back into the input; `id` differs each time. */
  readonly returned: { readonly id: number; readonly text: string } | null;
  /** Why the chat could not be opened, or a line not be sent. */
  readonly error: CallFailed | null;
  /** The user wants to stop the reply. */
  readonly isStopping: boolean;
}

interface ConnectionOptions {
  /** The session to resume; null for a new conversation. */
  readonly session: string | null;
  readonly incognito?: boolean;
  /** Called when the conversation gets its id, or is another one. */
  onSession(id: string | null): void;
}

/** The chat that has no address of its own yet, for a reload. */
const UNNAMED = "unnamed-chat";

/** The lines that wait in a chat without an address. */
const UNNAMED_QUEUE = "queue";

const ARRIVED: readonly PageChatEvent["type"][] = ["sent", "session", "done"];

export class ChatConnection {
  #shown: Shown = { chat: INITIAL, queue: [], returned: null, error: null, isStopping: false };
  readonly #listeners = new Set<() => void>();
  #id: string | null = null;
  #source: EventSource | null = null;
  #lastEvent = "";
  #waiting: LoggedEvent[] = [];
  #frame: ReturnType<typeof setTimeout> | undefined;
  /** A line is on its way, until an event shows that it arrived. */
  #isSending = false;
  #isOpening = false;
  #isOver = false;

  constructor(private readonly options: ConnectionOptions) {
    const key = this.#queueKey;
    const waiting = key === null ? null : stored(key);
    if (waiting !== null) this.#shown = { ...this.#shown, queue: JSON.parse(waiting) as string[] };
    document.addEventListener("visibilitychange", this.#onVisibility);
    const unnamed = options.session === null && !options.incognito ? stored(UNNAMED) : null;
    void this.#open(unnamed === null ? {} : { chat: unnamed });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly shown = (): Shown => this.#shown;

  /** Whether this is the conversation of an address; null: a new one. */
  isFor(session: string | null): boolean {
    return session === this.#session;
  }

  get #session(): string | null {
    const { isLoaded, session } = this.#shown.chat;
    return isLoaded ? session : this.options.session;
  }

  /** null in an incognito chat, which leaves nothing behind. */
  get #queueKey(): string | null {
    if (this.options.incognito || this.#shown.chat.incognito) return null;
    return this.#session === null ? UNNAMED_QUEUE : `${UNNAMED_QUEUE} ${this.#session}`;
  }

  /** Lines that wait survive a reload, and are sent when the chat is open again. */
  #wait(queue: readonly string[]): void {
    this.#change({ queue });
    const key = this.#queueKey;
    if (key === null) return;
    if (queue.length > 0) store(key, JSON.stringify(queue));
    else unstore(key);
  }

  /** Resumes the session although another process has it open. */
  takeOver(): void {
    this.#change({ error: null });
    void this.#open({ take: true });
  }

  /** Sends the line now, or once the current one is answered. */
  send(line: string): void {
    const { chat, queue } = this.#shown;
    if (chat.doing !== null || this.#isSending) this.#wait([...queue, line]);
    else void this.#send(line);
  }

  /** Takes a line out of the queue, to edit it. */
  unqueue(index: number): string {
    const { queue } = this.#shown;
    this.#wait(queue.toSpliced(index, 1));
    return queue[index] ?? "";
  }

  stop(): void {
    if (this.#shown.chat.doing === null) return;
    this.#change({ isStopping: true });
    void this.#tell("chat-stop", {});
  }

  answer(id: string, decision: Decision): void {
    void this.#tell("chat-answer", { call: id, decision });
  }

  stopTool(id: string): void {
    void this.#tell("chat-stop-tool", { call: id });
  }

  /** Closes the open list without a choice. */
  dismiss(): void {
    void this.#tell("chat-dismiss", {});
  }

  async complete(beginning: string, signal: AbortSignal) {
    return this.#id === null ? [] : call("chat-complete", { chat: this.#id, beginning }, signal);
  }

  files(part: string, signal: AbortSignal) {
    return call("chat-files", { part }, signal);
  }

  clearError(): void {
    this.#change({ error: null });
  }

  /** The next chat without an address is another one. */
  forget(): void {
    unstore(UNNAMED);
    unstore(UNNAMED_QUEUE);
  }

  /** The chat stays open on the server for some minutes. */
  leave(): void {
    this.#isOver = true;
    clearTimeout(this.#frame);
    this.#source?.close();
    document.removeEventListener("visibilitychange", this.#onVisibility);
  }

  async #open(more: Pick<Input<"chat-open">, "chat" | "take">): Promise<void> {
    const { incognito } = this.options;
    const session = this.#session;
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      const { chat } = await call("chat-open", {
        ...more,
        ...(session !== null && { session }),
        ...(session === null && incognito && { incognito }),
      });
      if (this.#isOver) return;
      this.#id = chat;
      this.#lastEvent = "";
      if (session === null) store(UNNAMED, chat);
      this.#follow();
    } catch (error) {
      if (this.#isOver) return;
      const failure = asFailure(error);
      if (failure.code !== "offline") this.#change({ error: failure });
      else setTimeout(() => this.#isOver || void this.#open(more), AGAIN_MS);
    } finally {
      this.#isOpening = false;
    }
  }

  /** The browser reconnects automatically. If the server no longer has the chat, its session is opened again. */
  #follow(): void {
    this.#source?.close();
    const after = this.#lastEvent === "" ? "" : `?after=${this.#lastEvent}`;
    const source = new EventSource(`/app/chats/${this.#id}/events${after}`);
    this.#source = source;
    source.addEventListener("chat", ({ data, lastEventId }) => {
      this.#lastEvent = lastEventId;
      this.#waiting.push({ id: lastEventId, event: JSON.parse(data) as PageChatEvent });
      this.#frame ??= setTimeout(() => this.#flush(), FRAME_MS);
    });
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
      this.#source = null;
      if (!this.#isOver && !this.#shown.chat.isClosed) void this.#open({});
    });
  }

  /** A hidden tab needs no stream: browsers allow only a few for all tabs together. */
  readonly #onVisibility = (): void => {
    if (document.visibilityState === "hidden") {
      if (this.#shown.chat.session === null) return;
      this.#source?.close();
      this.#source = null;
    } else if (this.#source === null && this.#id !== null && !this.#shown.chat.isClosed) this.#follow();
  };

  #flush(): void {
    this.#frame = undefined;
    const before = this.#shown.chat;
    const events = this.#waiting.splice(0);
    const chat = events.reduce(reduce, before);
    if (events.some(({ event }) => ARRIVED.includes(event.type))) this.#isSending = false;
    const isNew = !before.isLoaded || before.session !== chat.session;
    const { error } = this.#shown;
    this.#change({
      chat,
      ...(chat.doing === null && { isStopping: false }),
      // The server answers again.
      ...(error?.code === "offline" && { error: null }),
    });
    if (isNew && chat.isLoaded) this.#named(chat.session);
    if (chat.isClosed) this.#source?.close();
    else if (chat.doing === null && chat.end !== null) this.#next(chat.end);
  }

  #named(session: string | null): void {
    // The lines that wait follow the conversation to its address.
    if (session !== null && this.options.session === null) unstore(UNNAMED_QUEUE);
    this.#wait(this.#shown.queue);
    if (session === null && this.#id !== null) store(UNNAMED, this.#id);
    else if (stored(UNNAMED) === this.#id) unstore(UNNAMED);
    this.options.onSession(session);
  }

  /** After a failed or stopped reply, the waiting lines go back into the input: they may make no sense any more. */
  #next(end: NonNullable<ChatState["end"]>): void {
    const { queue } = this.#shown;
    const [first, ...rest] = queue;
    if (first === undefined || this.#isSending) return;
    if (end === "interrupted" || end === "failed") {
      this.#wait([]);
      this.#giveBack(queue.join("\n"));
    } else {
      this.#wait(rest);
      void this.#send(first);
    }
  }

  async #send(line: string): Promise<void> {
    if (this.#id === null) return this.#wait([...this.#shown.queue, line]);
    this.#isSending = true;
    this.#change({ error: null });
    try {
      await call("chat-send", { chat: this.#id, line });
    } catch (error) {
      this.#isSending = false;
      const failure = asFailure(error);
      if (failure.code === "not_found") return this.#sendAgain(line);
      this.#change({ error: failure });
      this.#giveBack(line);
    }
  }

  /** The server was restarted, or closed the idle chat: the line waits until the session is open again. */
  #sendAgain(line: string): void {
    this.#wait([line, ...this.#shown.queue]);
    this.#source?.close();
    void this.#open({});
  }

  #giveBack(text: string): void {
    this.#change({ returned: { id: (this.#shown.returned?.id ?? 0) + 1, text } });
  }

  async #tell<N extends "chat-stop" | "chat-answer" | "chat-stop-tool" | "chat-dismiss">(
    name: N,
    input: Omit<Input<N>, "chat">,
  ): Promise<void> {
    if (this.#id === null) return;
    try {
      await call(name, { ...input, chat: this.#id } as unknown as Input<N>);
    } catch (error) {
      this.#change({ error: asFailure(error), isStopping: false });
    }
  }

  #change(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Throws what is a bug. */
function asFailure(error: unknown): CallFailed {
  if (error instanceof CallFailed) return error;
  throw error;
}
