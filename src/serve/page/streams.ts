/** Server-sent events. Each has an id: a browser that lost the connection sends the last one that it got. */
import { PAGE_HEADERS } from "./files.ts";

export interface StreamEvent {
  readonly id: string;
  /** "revision" */
  readonly event: string;
  readonly data: unknown;
}

/** Ends a subscription. */
export type Unsubscribe = () => void;

/** A comment now and then shows both sides that the connection still works. */
const BEAT_MS = 15_000;
const BEAT = ": still here\n\n";
/** How soon a browser tries again after it lost the connection, in ms. */
const RETRY = "retry: 1000\n\n";
/** A stream ends if its browser is this many characters behind. */
const MOST_QUEUED = 4_000_000;

export class Streams {
  readonly #ends = new Set<() => void>();

  /** A response that sends what `subscribe` passes to `send`, until the browser leaves or falls behind, or the server stops. */
  open(request: Request, subscribe: (send: (event: StreamEvent) => void) => Unsubscribe): Response {
    let end = () => {};
    const body = new ReadableStream<string>(
      {
        start: (controller) => {
          const push = (text: string) => {
            // What is replayed exists anyway. The browser connects again, and continues after what it got.
            if (this.#ends.has(end) && (controller.desiredSize ?? 0) <= 0) end();
            else controller.enqueue(text);
          };
          const unsubscribe = subscribe((event) => push(inWire(event)));
          const beat = setInterval(() => push(BEAT), BEAT_MS);
          end = () => {
            if (!this.#ends.delete(end)) return;
            clearInterval(beat);
            unsubscribe();
            controller.close();
          };
          controller.enqueue(RETRY);
          this.#ends.add(end);
          if (request.signal.aborted) end();
          else request.signal.addEventListener("abort", () => end());
        },
        cancel: () => end(),
      },
      { highWaterMark: MOST_QUEUED, size: (text = "") => text.length },
    );
    const headers = { ...PAGE_HEADERS, "Content-Type": "text/event-stream", "Cache-Control": "no-store" };
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers });
  }

  /** How many are open. */
  get size(): number {
    return this.#ends.size;
  }

  close(): void {
    for (const end of [...this.#ends]) end();
  }
}

function inWire({ id, event, data }: StreamEvent): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
  return `id: ${id}\nevent: ${event}\n${lines.join("\n")}\n\n`;
}
