/**
 * What is done beside the conversation: old notes become facts, and conversations that are over get their summaries. A model is
 * asked in the background, and nothing waits for it: what is not done when the chat ends, the next start does.
 */
import { RetainError } from "../core/errors.ts";
import type { ChatModel } from "../core/model.ts";
import { asModel } from "../llm/complete.ts";
import { plural } from "../util/text.ts";
import { retainLeft, retainTurns } from "./auto-retain.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";

export class Upkeep {
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  readonly #told: ChatEvent[] = [];

  constructor(
    private readonly ports: Pick<
      ChatPorts,
      "facts" | "sessions" | "store" | "self" | "isGone" | "autoRetain"
    >,
  ) {}

  /** What was done in the background since it was asked last. */
  told(): ChatEvent[] {
    return this.#told.splice(0);
  }

  async *compactNotes(): AsyncGenerator<ChatEvent, void> {
    for (const { removed, notes } of await this.ports.facts.compactIfDue())
      if (removed.length > 0)
        yield {
          type: "notice",
          level: "info",
          text: `${plural(notes.length, "old note")} taken into MEMORY.md. To take that back: retain undo`,
        };
  }

  /** Sessions that were killed; what they say is kept first. */
  summariseLeft(model: ChatModel | null): void {
    const { signal } = this.#stop;
    const asked = model === null ? null : asModel(model, signal);
    this.#inBackground(async () => {
      for await (const event of retainLeft(this.ports)) this.#told.push(event);
      await this.ports.sessions.summariseLeft(asked, signal);
    });
  }

  /** A conversation that another one takes the place of; it may be taken up again meanwhile, as `isOpen` tells. */
  leaveBehind(conversation: Conversation, model: ChatModel | null, isOpen: () => boolean): void {
    this.#inBackground(() => this.#leave(conversation, model, this.#stop.signal, isOpen));
  }

  /** The last one. The signal ends the wait for the model. */
  async end(conversation: Conversation, model: ChatModel | null, signal: AbortSignal): Promise<void> {
    this.#inBackground(() => this.#leave(conversation, model, signal, () => false));
    signal.addEventListener("abort", () => this.#stop.abort(), { once: true });
    if (signal.aborted) this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #leave(
    conversation: Conversation,
    model: ChatModel | null,
    signal: AbortSignal,
    isOpen: () => boolean,
  ): Promise<void> {
    const { id } = conversation;
    if (id === null) return;
    for await (const event of retainTurns(this.ports, conversation, { whenDue: false }))
      this.#told.push(event);
    const { sessions, store, self } = this.ports;
    await sessions.summarise(id, model === null || signal.aborted ? null : asModel(model, signal), signal);
    if (!isOpen()) await store.release(id, self);
  }

  /** What a person could mend costs a summary, which the next start makes; a bug is thrown at the end. */
  #inBackground(work: () => Promise<void>): void {
    const running = work().catch((error: unknown) => {
      if (!(error instanceof RetainError)) throw error;
    });
    running.then(
      () => this.#running.delete(running),
      () => {},
    );
    this.#running.add(running);
  }
}
