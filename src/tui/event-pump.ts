/**
 * From the chat's events to the state. Words come faster than anybody reads, so they are gathered and shown thirty times a
 * second at most; whatever else happens is shown at once, after the words that came before it.
 */
import type { ChatEvent } from "../agent/events.ts";
import { ControlFilter } from "./ansi/clean.ts";
import { harmlessEvent } from "./ansi/visible.ts";
import { BESIDE, type ChatAction } from "./chat-state.ts";
import { MarkdownStream } from "./markdown/stream.ts";

export const FRAME_MS = 33;

export interface PumpOptions {
  dispatch(action: ChatAction): void;
  width(): number;
  readonly colours: boolean;
  now(): number;
  /** Runs it later; the answer takes that back. */
  later(run: () => void, ms: number): () => void;
}

export class EventPump {
  #reply: MarkdownStream | null = null;
  /** As they came: a sequence that the terminal would obey may be in two pieces. */
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
      if (BESIDE.has(event.type)) this.#flush();
      else this.#endReply();
      this.options.dispatch({ type: "event", event: harmlessEvent(event), at: this.options.now() });
    }
  }

  /** What is still live is wrapped anew. */
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
    this.#reply ??= new MarkdownStream({ colours: this.options.colours });
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
