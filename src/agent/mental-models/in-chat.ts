/**
 * Mental models during a conversation: refreshed in the background at its start and after turns. The conversation keeps showing the
 * answers it began with, so that a provider's cache stays valid; an edit by the user, a compaction or a removed source changes them.
 */
import type { FirstShown } from "../../context/ports.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { MentalModel } from "../../core/mental-model.ts";
import type { ChatModel, Usage } from "../../core/model.ts";
import type { Timing } from "../../llm/timing.ts";
import type { MentalModels } from "./models.ts";

/** How long the first turn waits for the first refresh. */
export const FIRST_TURN_MS = 1_500;

interface ChatMentalModelsOptions {
  readonly models: Pick<MentalModels, "refreshInBackground" | "list" | "show">;
  readonly timing: Timing;
  readonly enabled: boolean;
  /** Minimum time between refreshes. */
  readonly intervalMs: number;
}

/** The chat's model; null for none. */
interface ChatWriter {
  readonly model: ChatModel | null;
  readonly onUsage: (usage: Usage) => void;
}

interface Beginning {
  readonly conversation: object;
  readonly compactedTo: number;
  readonly shown: FirstShown;
}

export class ChatMentalModels {
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #refreshedAt: number | null = null;
  #isFirstTurn = true;
  #beginning: Beginning | null = null;
  readonly #notices: string[] = [];
  readonly #reported = new Set<string>();

  constructor(private readonly options: ChatMentalModelsOptions) {}

  /** Refreshes in the background, without a model; the first turn waits for it. */
  begin(): void {
    this.#start({ model: null, onUsage: () => {} });
  }

  /** Refreshes in the background, if the last time is long enough ago. */
  afterTurn(writer: ChatWriter): void {
    const { timing, intervalMs } = this.options;
    const isDue = this.#refreshedAt === null || timing.now() - this.#refreshedAt >= intervalMs;
    if (isDue && this.#start(writer)) this.#refreshedAt = timing.now();
  }

  /** Returns whether it started. */
  #start(writer: ChatWriter): boolean {
    if (!this.options.enabled || this.#running !== null || this.#stop.signal.aborted) return false;
    this.#running = this.#refresh(writer);
    this.#running.then(
      () => {
        this.#running = null;
      },
      () => {},
    );
    return true;
  }

  async #refresh({ model, onUsage }: ChatWriter): Promise<void> {
    try {
      const { signal } = this.#stop;
      for (const { notice, name } of await this.options.models.refreshInBackground({
        model,
        onUsage,
        signal,
      }))
        if (notice !== null) this.#report(`Mental model ${name}: ${notice}`, notice);
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      if (error.code !== "interrupted") this.#report(messageOf(error), messageOf(error));
    }
  }

  /** A problem that affects several mental models is reported once. */
  #report(text: string, trouble: string): void {
    if (this.#reported.has(trouble)) return;
    this.#reported.add(trouble);
    this.#notices.push(text);
  }

  /** New notices since the last call. */
  notices(): string[] {
    return this.#notices.splice(0);
  }

  /** Before the first turn: waits briefly for the first refresh. */
  async ready(signal: AbortSignal): Promise<void> {
    if (!this.#isFirstTurn) return;
    this.#isFirstTurn = false;
    if (this.#running === null) return;
    const enough = new AbortController();
    const waiting = AbortSignal.any([signal, enough.signal]);
    await Promise.race([this.#running.catch(() => {}), this.options.timing.sleep(FIRST_TURN_MS, waiting)]);
    enough.abort();
  }

  /** The answers shown in this conversation: current ones the first time, then the same ones. */
  shownIn(conversation: { readonly compactedTo: number }): FirstShown {
    const { compactedTo } = conversation;
    const known = this.#beginning;
    if (known !== null && known.conversation === conversation && known.compactedTo === compactedTo)
      return known.shown;
    const models = new Map<string, MentalModel>();
    const facts: FirstShown["facts"] = new Map();
    this.#beginning = {
      conversation,
      compactedTo,
      shown: { facts, answer: (origin, model) => stillShown(models, `${origin} ${model.name}`, model) },
    };
    return {
      facts,
      answer(origin, model) {
        models.set(`${origin} ${model.name}`, model);
        return model.answer;
      },
    };
  }

  list() {
    return this.options.models.list();
  }

  /** Throws `not_found`, `invalid_name`. */
  show(name: string) {
    return this.options.models.show(name);
  }

  /** Stops a running refresh; the next start repeats it. Throws errors of the background refresh. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

function stillShown(models: Map<string, MentalModel>, key: string, current: MentalModel): string {
  const begun = models.get(key);
  const isByRetain = current.isAsWritten && current.by !== null;
  if (begun === undefined && isByRetain) return "";
  if (begun !== undefined && isByRetain && begun.sources.every((one) => current.sources.includes(one)))
    return begun.answer;
  models.set(key, current);
  return current.answer;
}
