/**
 * Calls models through the AI SDK, with timeouts. It is a separate bundle, `dist/llm.js`, loaded at the first request, since loading
 * the SDK takes as long as a whole command.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, type LanguageModel, streamText, type TextStreamPart, type ToolSet, tool } from "ai";
import type { ModelEvent, ModelRequest, Thinking } from "../core/model.ts";
import { aborted, failed, type Trouble, troubleOf } from "./failures.ts";
import { instructionsOf, messagesOf } from "./messages.ts";
import { Reply } from "./reply.ts";
import type { ModelSpec } from "./spec.ts";
import type { Timing } from "./timing.ts";
import { Watch } from "./watch.ts";
import { Wire } from "./wire.ts";

/** Differences between OpenAI-compatible servers, learnt from the errors they return. */
export interface Habits {
  /** Request token usage; some servers reject the option. */
  asksUsage: boolean;
  /** Use `max_completion_tokens`, the name that newer OpenAI models require. */
  newLimit: boolean;
}

/** How an attempt ended: with its last event, or with a problem that a retry may solve. */
type Outcome =
  | { readonly last: ModelEvent }
  | { readonly trouble: Trouble; readonly started: boolean; readonly thinking: readonly Thinking[] };

// The SDK would print warnings to the terminal.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** One request, without a retry. */
export async function* streamOnce(
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
    // In every case, close the connection and stop the silence timer.
    over.abort();
  }
}

/** One SDK call, without the SDK's own retries and error logging. */
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
    // Prefers complete tool inputs, validated by Anthropic, over slightly earlier partial ones.
    ...(spec.api === "anthropic" ? { providerOptions: { anthropic: { toolStreaming: false } } } : {}),
  });
  return fullStream[Symbol.asyncIterator]();
}

/** Passes everything explicitly, so that the SDK reads nothing from the environment. */
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
