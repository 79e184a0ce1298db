/**
 * The `fetch` below the AI SDK. It records when data last arrived, so that any byte, not only text, counts against the timeout. It
 * ends a broken stream instead of failing it, so that the data before it is not lost. It does not follow redirects, so that no key
 * is sent to another server.
 */
import { request } from "../util/runtime.ts";
import type { Timing } from "./timing.ts";

/** What is known about a connection after it ended. */
export interface WireFacts {
  /** Why there was no response; null if there was one. */
  readonly unreachable: unknown;
  /** Whether a response began. */
  readonly answered: boolean;
  /** Why the connection broke during the response; null if it did not. */
  readonly broken: unknown;
  /** The target of a redirect, if any. */
  readonly redirect: string | null;
  readonly contentType: string | null;
}

export class Wire implements WireFacts {
  /** When a header or a byte last arrived; initially, when it was opened. */
  heardAt: number;
  unreachable: unknown = null;
  answered = false;
  broken: unknown = null;
  redirect: string | null = null;
  contentType: string | null = null;

  constructor(private readonly timing: Timing) {
    this.heardAt = timing.now();
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    // Watch handles timeouts, so Bun's own limit of five minutes is off.
    const manual = { ...init, redirect: "manual", timeout: false } as RequestInit;
    let response: Response;
    try {
      response = await request(input, manual);
    } catch (error) {
      this.unreachable = error;
      throw error;
    }
    this.heardAt = this.timing.now();
    const { status, statusText, headers, body } = response;
    if (status >= 300 && status < 400) {
      this.redirect = headers.get("location") ?? "";
      throw new Error("The server redirects.");
    }
    this.answered = true;
    this.contentType = headers.get("content-type");
    return new Response(body === null ? null : this.#watched(body), { status, statusText, headers });
  };

  #watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          this.heardAt = this.timing.now();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          this.broken = error;
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }
}
