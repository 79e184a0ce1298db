/**
 * Tracks all running calls, so that a server can wait for writes before it exits. Turns errors into protocol errors, and reports
 * bugs in full.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { errorForModel } from "../agent/error-for-model.ts";
import type { MemoryTool } from "../agent/memory-tool.ts";
import { RetainError } from "../core/errors.ts";
import { within } from "../util/within.ts";

export class Running {
  readonly #calls = new Set<Promise<unknown>>();

  constructor(private readonly reportBug: (error: unknown) => void) {}

  /** Throws only ProtocolError; its hint names the tools. Errors of cancelled work are not reported as bugs. */
  async during<T>(work: () => Promise<T>, tools: readonly MemoryTool[], signal?: AbortSignal): Promise<T> {
    const call = work();
    this.#calls.add(call);
    try {
      return await call;
    } catch (error) {
      throw this.#asProtocolError(error, tools, signal?.aborted ?? false);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Resolves when all calls have ended, at the latest after `limit` ms. */
  async settled(limit: number): Promise<void> {
    await within(limit, Promise.allSettled(this.#calls), () => {});
  }

  #asProtocolError(error: unknown, tools: readonly MemoryTool[], isCancelled: boolean): ProtocolError {
    if (error instanceof ProtocolError) return error;
    if (error instanceof RetainError)
      return new ProtocolError(ProtocolErrorCode.InvalidParams, errorForModel(error, tools));
    if (!isCancelled) this.reportBug(error);
    return new ProtocolError(
      ProtocolErrorCode.InternalError,
      "Internal error in Retain. Its log on stderr has details.",
    );
  }
}
