/** Gives up on a reply that is not wanted any more, or on a line that has been silent for too long while it was waited for. */
import type { ModelFailure } from "../core/model.ts";
import { aborted, silent } from "./failures.ts";
import type { ModelSpec } from "./spec.ts";
import type { Timing } from "./timing.ts";

export class Watch {
  #waitingSince: number | null = null;
  readonly #givenUp: Promise<ModelFailure>;

  /** `signal`: the person wants no more of it. `over`: nothing is waited for any more. */
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
    this.#silence(spec.timeoutSeconds * 1000, over).then(() => stopped.resolve(silent(spec)));
    this.#givenUp = stopped.promise;
  }

  /** What is waited for, or why it is not waited for any longer. */
  async orGiveUp<T>(next: Promise<T>): Promise<T | ModelFailure> {
    this.#waitingSince = this.timing.now();
    try {
      return await Promise.race([next, this.#givenUp]);
    } finally {
      this.#waitingSince = null;
      next.catch(() => {});
    }
  }

  /** Comes back once nothing has been heard for so long; time in which nobody listened does not count. */
  async #silence(limit: number, over: AbortSignal): Promise<void> {
    for (let left = limit; left > 0; ) {
      await this.timing.sleep(left, over);
      if (over.aborted) return;
      const since = this.#waitingSince;
      left = since === null ? limit : limit - (this.timing.now() - Math.max(since, this.line.heardAt));
    }
  }
}
