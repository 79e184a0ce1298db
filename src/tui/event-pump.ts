/**
 * Feeds the chat's events into the state. Text is batched and shown at most thirty times a second; other events are shown at once,
 * after the text that came before them.
 */
import { type ChatEvent, OUTSIDE_TRANSCRIPT } from "../agent/events.ts";
import { ControlFilter } from "./ansi/clean.ts";
import { harmlessEvent } from "./ansi/visible.ts";
import type { ChatAction } from "./chat-state.ts";
import { type MarkdownOptions, MarkdownStream } from "./markdown/stream.ts";

export const FRAME_MS = 33;

interface PumpOptions {
  dispatch(action: ChatAction): void;
  width(): number;
  readonly markdown: MarkdownOptions;
  now(): number;
  /** Runs it later; returns a function that cancels it. */
  later(run: () => void, ms: number): () => void;
}

export class EventPump {
  #reply: MarkdownStream | null = null;
  /** Not cleaned yet: an escape sequence may arrive in two pieces. */
  #text = "";
  #thoughts = new ControlFilter();
  #thinking = "";
  #cancel: (() => void) | null = null;
  #flushedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: PumpOptions) {}

  push(event: ChatEvent): void {
    if (event.type === "text") {
      this.#flushThinking();
      this.#text += event.text;
      this.#schedule();
    } else if (event.type === "thinking") {
      this.#endReply();
      this.#thinking += this.#thoughts.push(event.text);
      this.#schedule();
    } else {
      if (OUTSIDE_TRANSCRIPT.has(event.type)) this.#flush();
      else this.#endReply();
      this.options.dispatch({ type: "event", event: harmlessEvent(event), at: this.options.now() });
    }
  }

  /** Wraps the live lines for the new width. */
  resize(): void {
    if (this.#reply === null) return;
    const rest = this.#reply.live(this.options.width());
    this.options.dispatch({ type: "reply", finished: [], rest, at: this.options.now() });
  }

  #schedule(): void {
    if (this.#cancel !== null) return;
    const wait = this.#flushedAt + FRAME_MS - this.options.now();
    if (wait <= 0) this.#flush();
    else this.#cancel = this.options.later(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#flushedAt = this.options.now();
    this.#flushThinking();
    if (this.#text === "") return;
    this.#reply ??= new MarkdownStream(this.options.markdown);
    this.#reply.push(this.#text);
    this.#text = "";
    const width = this.options.width();
    const finished = this.#reply.take(width);
    this.options.dispatch({ type: "reply", finished, rest: this.#reply.live(width), at: this.options.now() });
  }

  #flushThinking(): void {
    if (this.#thinking === "") return;
    const event = { type: "thinking", text: this.#thinking } as const;
    this.#thinking = "";
    this.options.dispatch({ type: "event", event, at: this.options.now() });
  }

  #endReply(): void {
    this.#flush();
    if (this.#reply === null) return;
    this.#reply.end();
    const finished = this.#reply.take(this.options.width());
    this.#reply = null;
    this.options.dispatch({ type: "reply-end", finished, at: this.options.now() });
  }
}
