/**
 * Runs the chat: sends one line at a time, then the next queued one, and closes it. However it ends, the current reply is stopped and
 * its events are read to the end, so that the chat stores it before it is closed.
 */
import type { ChatEvent, ChatFace, EventOf } from "../agent/events.ts";
import { contentOf, edit } from "./editor/editor.ts";
import { closeSearch } from "./editor/search.ts";
import { EventPump } from "./event-pump.ts";
import type { MarkdownOptions } from "./markdown/stream.ts";
import type { Store } from "./store.ts";
import { readingWidth } from "./views/look.ts";

type End = EventOf<"done">["reason"];

/** How long to wait for a chat that crashed and may never end. */
const GRACE_MS = 2000;

/** After the last frame of a reply is drawn. */
const TIDY_MS = 200;

export class Session {
  readonly #pump: EventPump;
  #running: Promise<void> = Promise.resolve();
  #stop = new AbortController();
  #closing: AbortController | null = null;
  #closed: Promise<void> = Promise.resolve();
  readonly #exit = Promise.withResolvers<number>();
  /** Ends the wait in `#orGivenUp`. */
  #giveUp: () => void = () => {};

  constructor(
    private readonly chat: ChatFace,
    private readonly store: Store,
    markdown: MarkdownOptions,
  ) {
    this.#pump = new EventPump({
      dispatch: (action) => store.chat(action),
      width: () => readingWidth(store.get().size.columns),
      markdown,
      now: () => performance.now(),
      later: (run, ms) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    });
  }

  /** The exit code, once the chat is closed. Rejects if the chat threw, which is a bug. */
  get exited(): Promise<number> {
    return this.#exit.promise;
  }

  start(first: string | undefined): void {
    if (first !== undefined) this.store.chat({ type: "queued", line: first });
    this.#run(this.chat.start());
  }

  resize(): void {
    this.#pump.resize();
  }

  /** The state already shows the line as sent. */
  send(line: string): void {
    this.#stop = new AbortController();
    this.#run(this.chat.send(line, this.#stop.signal));
  }

  interrupt(): void {
    this.#stop.abort();
  }

  /** `atOnce`, after a signal, does not wait for a model. Calling it again shortens the wait. */
  leave(exitCode = 0, { atOnce = false } = {}): void {
    if (this.#closing !== null && !atOnce) this.skip();
    if (this.#closing === null)
      this.#closed = this.#close(exitCode).catch((error: unknown) => this.#exit.reject(error));
    if (atOnce) this.#closing?.abort();
  }

  /** After a crash: stores the partial reply and closes the chat, as far as that still works. */
  async abandon(): Promise<void> {
    this.leave(1, { atOnce: true });
    await Promise.race([this.#closed, Bun.sleep(GRACE_MS)]);
  }

  #run(events: AsyncIterable<ChatEvent>): void {
    this.#running = this.#drain(events)
      .then(({ end, quits, unsent }) => {
        if (this.#closing !== null) return;
        if (quits) this.leave();
        else if (end === "interrupted" || end === "failed") this.#takeBack(unsent);
        else this.#sendNext();
      })
      .catch((error: unknown) => this.#exit.reject(error));
  }

  async #drain(events: AsyncIterable<ChatEvent>): Promise<{ end: End; quits: boolean; unsent: string[] }> {
    let end: End | null = null;
    let quits = false;
    const unsent: string[] = [];
    for await (const event of events) {
      this.#pump.push(event);
      if (event.type === "done") end = event.reason;
      if (event.type === "quit") quits = true;
      if (event.type === "unsent") unsent.push(event.text);
      if (event.type === "draft") this.#intoInput([event.text]);
    }
    if (end === null) this.#pump.push({ type: "done", reason: "failed" });
    setTimeout(() => this.#tidy(), TIDY_MS).unref();
    return { end: end ?? "failed", quits, unsent };
  }

  /** Frees memory, which takes up to 50 ms: not while somebody types. Left alone, the runtime lets a long chat grow by a third. */
  #tidy(): void {
    if (this.store.get().editor.text === "") Bun.gc(true);
  }

  #sendNext(): void {
    const [line] = this.store.get().chat.queue;
    if (line === undefined) return;
    this.store.chat({ type: "unqueued", which: "first" });
    this.store.chat({ type: "sent", line, at: performance.now() });
    this.send(line);
  }

  /** After a failed or interrupted reply, puts unsent and queued lines back into the input, above the current draft. */
  #takeBack(unsent: readonly string[]): void {
    const { queue } = this.store.get().chat;
    for (const _ of queue) this.store.chat({ type: "unqueued", which: "first" });
    this.#intoInput([...unsent, ...queue]);
  }

  /** Puts lines into the input, above the current draft. */
  #intoInput(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { editor } = closeSearch(this.store.get());
    const text = [...lines, ...(editor.text === "" ? [] : [contentOf(editor)])].join("\n");
    const restored = edit(editor, { type: "set", text });
    this.store.change({ editor: restored, browsing: null, completion: null, search: null });
  }

  async #close(exitCode: number): Promise<void> {
    this.#closing = new AbortController();
    this.#stop.abort();
    this.store.chat({ type: "stopping" });
    await this.#orGivenUp(this.#running);
    this.store.chat({ type: "closing", at: performance.now() });
    await this.#orGivenUp(this.#drain(this.chat.close(this.#closing.signal)));
    this.#exit.resolve(exitCode);
  }

  /** The first call stops waiting for the model, the second stops waiting at all. */
  skip(): void {
    if (this.#closing?.signal.aborted) this.#giveUp();
    else this.#closing?.abort();
  }

  async #orGivenUp(work: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#giveUp = resolve;
    await Promise.race([work, promise]);
  }
}
