/**
 * Models by way of the AI SDK: who streams, retries and gives up. It is a bundle of its own, `dist/llm.js`, loaded when a model
 * is first asked, since the SDK takes as long to load as a whole command. Nothing is thrown across this seam.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, type LanguageModel, streamText, type TextStreamPart, type ToolSet, tool } from "ai";
import type { ChatModel, ModelEvent, ModelFailure, ModelRequest, Thinking } from "../core/model.ts";
import { aborted, type Trouble, troubleOf } from "./failures.ts";
import { instructionsOf, messagesOf } from "./messages.ts";
import { costOf } from "./prices.ts";
import { Reply } from "./reply.ts";
import { pauseAfter, triesFor } from "./retry.ts";
import type { ModelSpec } from "./spec.ts";
import { REAL_TIMING, type Timing } from "./timing.ts";
import { Watch } from "./watch.ts";
import { Wire } from "./wire.ts";

/** Where servers that speak OpenAI's protocol differ; learnt from what they refuse. */
interface Habits {
  /** Asks for the count of tokens, which some know no way to be asked for. */
  asksUsage: boolean;
  /** Newer models of OpenAI have another name for the longest answer. */
  newLimit: boolean;
}

/** How a try ended: well, for good, or with a trouble that another try may be spared. */
type Outcome =
  | { readonly last: ModelEvent }
  | { readonly trouble: Trouble; readonly started: boolean; readonly thinking: readonly Thinking[] };

export function openChatModel(spec: ModelSpec, timing: Timing = REAL_TIMING): ChatModel {
  // The SDK would tell the terminal what it thinks of a request.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const habits: Habits = { asksUsage: true, newLimit: spec.provider === "openai" };
  return {
    name: `${spec.provider}/${spec.model}`,
    contextTokens: spec.contextTokens,
    costOf: (usage) => costOf(spec, usage),
    stream: (request, signal) => streamWithRetries(spec, habits, request, signal, timing),
  };
}

async function* streamWithRetries(
  spec: ModelSpec,
  habits: Habits,
  request: ModelRequest,
  signal: AbortSignal,
  timing: Timing,
): AsyncGenerator<ModelEvent> {
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
}

/** Whether the server refused a part of the request that it can be spared from now on. */
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

async function* streamOnce(
  spec: ModelSpec,
  habits: Habits,
  request: ModelRequest,
  signal: AbortSignal,
  timing: Timing,
): AsyncGenerator<ModelEvent, Outcome> {
  const wire = new Wire(timing);
  const reply = new Reply();
  const over = new AbortController();
  const trouble = (error: unknown): Outcome => ({
    trouble: troubleOf(error, wire, spec, reply.started),
    started: reply.started,
    thinking: reply.thinking,
  });
  try {
    const parts = partsOf(spec, habits, request, AbortSignal.any([signal, over.signal]), wire);
    const watch = new Watch(wire, spec, timing, signal, over.signal);
    while (reply.end === null && reply.error === null) {
      const next = await watch.orGiveUp(parts.next());
      if ("kind" in next) return { last: failed(next, reply.thinking) };
      if (next.done) break;
      yield* reply.take(next.value);
    }
    if (reply.end === null) return trouble(reply.error);
    return { last: { type: "end", ...reply.end, thinking: reply.thinking } };
  } catch (error) {
    return signal.aborted ? { last: failed(aborted(), reply.thinking) } : trouble(error);
  } finally {
    // Whatever the reason to stop: the connection ends, and nobody waits for a silence any more.
    over.abort();
  }
}

function failed(failure: ModelFailure, thinking: readonly Thinking[]): ModelEvent {
  return { type: "failure", failure, thinking };
}

/** One step of the SDK, without its own retries and its own ways of reporting. */
function partsOf(
  spec: ModelSpec,
  habits: Habits,
  request: ModelRequest,
  abortSignal: AbortSignal,
  wire: Wire,
): AsyncIterator<TextStreamPart<ToolSet>> {
  const { fullStream } = streamText({
    model: languageModel(spec, habits, wire),
    instructions: instructionsOf(request, spec),
    messages: messagesOf(request, spec),
    tools: toolsOf(request),
    maxOutputTokens: spec.maxOutputTokens,
    maxRetries: 0,
    abortSignal,
    onError: () => {},
    // Whole inputs, checked by Anthropic, over inputs that come a little sooner.
    ...(spec.api === "anthropic" ? { providerOptions: { anthropic: { toolStreaming: false } } } : {}),
  });
  return fullStream[Symbol.asyncIterator]();
}

/** Everything is given, so that the SDK looks for nothing in the environment. */
function languageModel(spec: ModelSpec, habits: Habits, wire: Wire): LanguageModel {
  const fetch = wire.fetch as typeof globalThis.fetch;
  if (spec.api === "anthropic")
    return createAnthropic({ baseURL: spec.url, apiKey: spec.key ?? "", fetch })(spec.model);
  return createOpenAICompatible({
    name: spec.provider,
    baseURL: spec.url,
    ...(spec.key === null ? {} : { apiKey: spec.key }),
    fetch,
    includeUsage: habits.asksUsage,
    transformRequestBody: ({ max_tokens, ...body }) =>
      habits.newLimit ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens },
  })(spec.model);
}

function toolsOf({ tools }: ModelRequest): ToolSet | undefined {
  if (tools.length === 0) return undefined;
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema) }),
    ]),
  );
}
