/** The tool calls of a turn that wait for the user's decision or run. */
import type { Decision } from "./tool.ts";

export class OpenCalls {
  /** Aborting a running call stops it alone. */
  readonly running = new Map<string, AbortController>();
  readonly #waiting = new Map<string, (decision: Decision) => void>();

  /** Waits for the answer. An aborted turn denies. */
  readonly ask = (id: string, signal: AbortSignal): Promise<Decision> =>
    new Promise((resolve) => {
      const settle = (decision: Decision) => {
        this.#waiting.delete(id);
        signal.removeEventListener("abort", refuse);
        resolve(decision);
      };
      const refuse = () => settle({ answer: "deny" });
      if (signal.aborted) return refuse();
      signal.addEventListener("abort", refuse);
      this.#waiting.set(id, settle);
    });

  /** Ignored if the call does not wait. */
  answer(id: string, decision: Decision): void {
    this.#waiting.get(id)?.(decision);
  }

  /** Ignored if the call does not run. */
  stop(id: string): void {
    this.running.get(id)?.abort();
  }
}
