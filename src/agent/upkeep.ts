/**
 * Maintenance during a chat: compacts old notes into facts, and summarises finished conversations. Models are called in the
 * background. The next start does what is unfinished when the chat ends.
 */
import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import type { ChatModel } from "../core/model.ts";
import { asModel } from "../llm/complete.ts";
import { plural } from "../util/in-words.ts";
import { retainLeft, retainTurns } from "./auto-retain.ts";
import type { Conversation } from "./conversation.ts";
import type { DraftEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";

export class Upkeep {
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  readonly #notices: DraftEvent[] = [];

  constructor(
    private readonly ports: Pick<
      ChatPorts,
      "facts" | "sessions" | "store" | "self" | "isGone" | "autoRetain"
    >,
  ) {}

  /** Events from the background since the last call. */
  takeNotices(): DraftEvent[] {
    return this.#notices.splice(0);
  }

  async *compactNotes(): AsyncGenerator<DraftEvent, void> {
    for (const { removed, notes } of await this.ports.facts.compactIfDue())
      if (removed.length > 0)
        yield {
          type: "notice",
          level: "info",
          text: hint`Compacted ${plural(notes.length, "old note")} into MEMORY.md. Undo: ${command("undo")}`,
        };
  }

  /** Summarises sessions whose process was killed, after their requests are saved. */
  summariseLeft(model: ChatModel | null): void {
    const { signal } = this.#stop;
    const asked = model === null ? null : asModel(model, signal);
    this.#inBackground(async () => {
      for await (const event of retainLeft(this.ports)) this.#notices.push(event);
      await this.ports.sessions.summariseLeft(asked, signal);
    });
  }

  /** Summarises a conversation that the user switched away from. `isOpen` says whether they have switched back. */
  leaveBehind(conversation: Conversation, model: ChatModel | null, isOpen: () => boolean): void {
    this.#inBackground(() => this.#leave(conversation, model, this.#stop.signal, isOpen));
  }

  /** Summarises the last conversation. If the signal aborts, it stops waiting for the model. */
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
      this.#notices.push(event);
    const { sessions, store, self } = this.ports;
    await sessions.summarise(id, model === null || signal.aborted ? null : asModel(model, signal), signal);
    if (!isOpen()) await store.release(id, self);
  }

  /** A RetainError is ignored: the next start makes the missing summary. A bug is thrown by `end`. */
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
