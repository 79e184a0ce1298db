/**
 * Mental models that a server answers, fetched for a context. Answers are cached as files, so a context that does not wait long enough
 * uses the last ones.
 */
import { RetainError } from "../../core/errors.ts";
import { within } from "../../util/within.ts";
import type { MentalModelParts } from "./mental-model-ports.ts";

/** The share of a recall's time limit that a context waits for them; the recall gets the rest. */
const SHARE = 0.25;

export class ServerModels {
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #fetchedAt: number | null = null;

  constructor(private readonly parts: () => MentalModelParts) {}

  /** Returns how many milliseconds it waited. Never throws for a server's failure. */
  async ready(): Promise<number> {
    const { wiring, config } = this.parts();
    const { remote, remoteModels } = wiring();
    const { mental_models_enabled, incognito, hindsight_recall_timeout_ms } = config.settings;
    if (remoteModels === null || !mental_models_enabled || incognito || remote?.isResting) return 0;
    const began = performance.now();
    if (this.#isDue(began)) this.#start(began);
    if (this.#running === null) return 0;
    await within(hindsight_recall_timeout_ms * SHARE, this.#running, () => {});
    return performance.now() - began;
  }

  #isDue(now: number): boolean {
    const { mental_model_refresh_interval_ms } = this.parts().config.settings;
    const isRecent = this.#fetchedAt !== null && now - this.#fetchedAt < mental_model_refresh_interval_ms;
    return this.#running === null && !isRecent && !this.#stop.signal.aborted;
  }

  #start(now: number): void {
    this.#running = this.#fetch()
      .then((isFetched) => {
        if (isFetched) this.#fetchedAt = now;
      })
      .finally(() => {
        this.#running = null;
      });
    // Whoever waits for it gets the error.
    this.#running.catch(() => {});
  }

  /** false if the server failed. */
  async #fetch(): Promise<boolean> {
    const { modelsOf } = await import("./agents.ts");
    const { signal } = this.#stop;
    try {
      const done = await modelsOf(this.parts()).refreshInBackground({ model: null, signal });
      return done.every(({ outcome }) => outcome !== "failed");
    } catch (error) {
      if (error instanceof RetainError) return false;
      throw error;
    }
  }

  close(): void {
    this.#stop.abort();
  }
}
