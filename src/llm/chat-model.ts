/**
 * A language model with retries. The AI SDK is loaded at the first request, or by `prepare`. A failed request doesn't throw: the
 * failure is the stream's last event.
 */
import type { ChatModel } from "../core/model.ts";
import type { Habits } from "./ai-sdk.ts";
import { aborted, failed, type Trouble } from "./failures.ts";
import { costOf } from "./prices.ts";
import { pauseAfter, triesFor } from "./retry.ts";
import type { ModelSpec } from "./spec.ts";
import { REAL_TIMING, type Timing } from "./timing.ts";

export function openChatModel(spec: ModelSpec, timing: Timing = REAL_TIMING): ChatModel {
  const habits: Habits = { asksUsage: true, newLimit: spec.provider === "openai" };
  const load = () => import("./ai-sdk.ts");
  return {
    name: `${spec.provider}/${spec.model}`,
    contextTokens: spec.contextTokens,
    costOf: (usage) => costOf(spec, usage),
    // If loading fails, the first request reports it.
    prepare: () => void load().catch(() => {}),
    async *stream(request, signal) {
      const { streamOnce } = await load();
      for (let attempt = 1; ; attempt++) {
        const outcome = yield* streamOnce(spec, habits, request, signal, timing);
        if ("last" in outcome) return yield outcome.last;
        const { trouble, started, thinking } = outcome;
        if (!started && adapt(habits, trouble)) continue;
        const of = triesFor(trouble, spec);
        const pause = started || attempt >= of ? null : pauseAfter(attempt, trouble, timing);
        if (pause === null) return yield failed(trouble.failure, thinking);
        const why = trouble.failure.message;
        yield { type: "retry", attempt: attempt + 1, of, seconds: Math.round(pause / 100) / 10, why };
        await timing.sleep(pause, signal);
        if (signal.aborted) return yield failed(aborted(), []);
      }
    },
  };
}

/** Whether the server rejected an optional part of the request. If so, later requests omit it. */
function adapt(habits: Habits, { status, said }: Trouble): boolean {
  if (status !== 400 && status !== 422) return false;
  if (habits.asksUsage && said.includes("stream_options")) {
    habits.asksUsage = false;
    return true;
  }
  if (habits.newLimit || !said.includes("max_completion_tokens")) return false;
  habits.newLimit = true;
  return true;
}
