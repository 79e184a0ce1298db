/**
 * Everything that is being done for clients passes here: a server that ends waits until nothing is being written any more, and
 * what goes wrong becomes an answer of the protocol. What is nobody's mistake is reported, with all that is known of it.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { within } from "../util/within.ts";
import { refusalOf } from "./refusal.ts";

export class Running {
  readonly #calls = new Set<Promise<unknown>>();

  constructor(private readonly reportBug: (error: unknown) => void) {}

  /** Throws ProtocolError, and nothing else. What comes of work that was cancelled is nobody's mistake. */
  async during<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const call = work();
    this.#calls.add(call);
    try {
      return await call;
    } catch (error) {
      throw this.#asProtocolError(error, signal?.aborted ?? false);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** When all of it has come to an end, one way or the other; at the latest after so many ms. */
  async settled(limit: number): Promise<void> {
    await within(limit, Promise.allSettled(this.#calls), () => {});
  }

  #asProtocolError(error: unknown, isCancelled: boolean): ProtocolError {
    if (error instanceof ProtocolError) return error;
    const refusal = refusalOf(error);
    if (refusal !== null) return new ProtocolError(ProtocolErrorCode.InvalidParams, refusal.text);
    if (!isCancelled) this.reportBug(error);
    return new ProtocolError(
      ProtocolErrorCode.InternalError,
      "Internal error in Retain. Its log on stderr has details.",
    );
  }
}
