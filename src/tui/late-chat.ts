/** A chat that is opened after the first frame, so that the screen appears before the chat's code is loaded. */
import type { ChatEvent, ChatFace } from "../agent/events.ts";

export class LateChat implements ChatFace {
  #chat: ChatFace | null = null;
  #listener: () => void = () => {};

  constructor(
    private readonly screenReady: () => Promise<unknown>,
    private readonly open: () => Promise<ChatFace>,
  ) {}

  /** Throws what `open` throws. */
  async *start(): AsyncGenerator<ChatEvent> {
    await this.screenReady();
    this.#chat = await this.open();
    this.#chat.onCompletions?.(this.#listener);
    this.#listener();
    yield* this.#chat.start();
  }

  send(...args: Parameters<ChatFace["send"]>): AsyncIterable<ChatEvent> {
    if (this.#chat === null) throw new Error("A line was sent before the chat was open");
    return this.#chat.send(...args);
  }

  answer(...args: Parameters<ChatFace["answer"]>): void {
    this.#chat?.answer(...args);
  }

  stopTool(id: string): void {
    this.#chat?.stopTool(id);
  }

  /** Nothing until it is open. */
  complete(beginning: string): ReturnType<ChatFace["complete"]> {
    return this.#chat?.complete(beginning) ?? [];
  }

  onCompletions(listener: () => void): void {
    this.#listener = listener;
  }

  async *close(signal: AbortSignal): AsyncGenerator<ChatEvent> {
    if (this.#chat !== null) yield* this.#chat.close(signal);
  }
}
