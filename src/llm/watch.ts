/** Gives up on a reply if the user stops it, or if the connection is silent for too long. */
import type { ModelFailure } from "../core/model.ts";
import { aborted, silent } from "./failures.ts";
import type { ModelSpec } from "./spec.ts";
import type { Timing } from "./timing.ts";

export class Watch {
  #waitingSince: number | null = null;
  readonly #givenUp: Promise<ModelFailure>;

  /** `signal`: the user stopped the reply. `over`: the reply has ended, so the watch ends too. */
  constructor(
    private readonly line: { readonly heardAt: number },
    spec: Pick<ModelSpec, "label" | "timeoutSeconds">,
    private readonly timing: Timing,
    signal: AbortSignal,
    over: AbortSignal,
  ) {
    const stopped = Promise.withResolvers<ModelFailure>();
    if (signal.aborted) stopped.resolve(aborted());
    signal.addEventListener("abort", () => stopped.resolve(aborted()), { signal: over });
    void this.#silence(spec.timeoutSeconds * 1000, over).then(() => stopped.resolve(silent(spec)));
    this.#givenUp = stopped.promise;
  }

  /** The result of `next`, or why the wait was given up. */
  async orGiveUp<T>(next: Promise<T>): Promise<T | ModelFailure> {
    this.#waitingSince = this.timing.now();
    try {
      return await Promise.race([next, this.#givenUp]);
    } finally {
      this.#waitingSince = null;
      next.catch(() => {});
    }
  }

  /** Resolves after `limit` without data; only time spent waiting for data counts. */
  async #silence(limit: number, over: AbortSignal): Promise<void> {
    for (let left = limit; left > 0; ) {
      await this.timing.sleep(left, over);
      if (over.aborted) return;
      const since = this.#waitingSince;
      left = since === null ? limit : limit - (this.timing.now() - Math.max(since, this.line.heardAt));
    }
  }
}
