/**
 * The connection below the AI SDK: `fetch`, watched. It tells when something was last heard, so that a silence is one of the
 * line and not of the words; it ends a broken stream instead of failing it, so that what came before is not lost; and it takes
 * no key to where a server redirects.
 */
import type { Timing } from "./timing.ts";

/** What is known of a connection once it is over. */
export interface WireFacts {
  /** Why there was no answer at all; null where there was one. */
  readonly unreachable: unknown;
  /** Whether an answer began. */
  readonly answered: boolean;
  /** Why the line broke after an answer had begun; null where it did not. */
  readonly broken: unknown;
  /** Where the server would send us; null where it does not. */
  readonly redirect: string | null;
  readonly contentType: string | null;
}

export class Wire implements WireFacts {
  /** When a header or a byte came last; at first, when it was opened. */
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
    const { status, statusText, headers, body } = await this.#reach(input, init);
    if (status >= 300 && status < 400) {
      this.redirect = headers.get("location") ?? "";
      throw new Error("The server redirects.");
    }
    this.answered = true;
    this.contentType = headers.get("content-type");
    return new Response(body === null ? null : this.#watched(body), { status, statusText, headers });
  };

  async #reach(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    try {
      // Silence is watched by us; Bun's own limit of five minutes is switched off.
      const response = await fetch(input, { ...init, redirect: "manual", timeout: false } as RequestInit);
      this.heardAt = this.timing.now();
      return response;
    } catch (error) {
      this.unreachable = error;
      throw error;
    }
  }

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
