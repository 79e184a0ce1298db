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

export class Streams {
  readonly #ends = new Set<() => void>();

  /** A response that sends what `subscribe` passes to `send`, until the browser leaves or the server stops. */
  open(request: Request, subscribe: (send: (event: StreamEvent) => void) => Unsubscribe): Response {
    let end = () => {};
    const body = new ReadableStream<string>({
      start: (controller) => {
        const unsubscribe = subscribe((event) => controller.enqueue(inWire(event)));
        const beat = setInterval(() => controller.enqueue(BEAT), BEAT_MS);
        end = () => {
          if (!this.#ends.delete(end)) return;
          clearInterval(beat);
          unsubscribe();
          controller.close();
        };
        this.#ends.add(end);
        controller.enqueue(RETRY);
        request.signal.addEventListener("abort", () => end());
      },
      cancel: () => end(),
    });
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
  return `id: ${id}\nevent: ${event}\n${text.replace(/^/gm, "data: ")}\n\n`;
}
