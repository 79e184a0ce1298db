/**
 * Converts a request to AI SDK messages, with cache breakpoints: after the instructions and tools, after the history before the
 * newest turn, and after the tool results so far. Nothing before a breakpoint may change from turn to turn, so recalled memories are
 * only in the last user message.
 */
import type { AssistantModelMessage, ModelMessage as SdkMessage, SystemModelMessage, ToolCallPart } from "ai";
import {
  type ModelMessage,
  type ModelRequest,
  resultLost,
  type Thinking,
  type ToolCall,
  type ToolResult,
} from "../core/model.ts";
import { isRecord } from "../util/json.ts";
import { xxHash64 } from "../util/runtime.ts";
import type { ModelSpec } from "./spec.ts";

type ProviderOptions = NonNullable<SystemModelMessage["providerOptions"]>;
type Speaks = Pick<ModelSpec, "api" | "provider">;

/** Marks a cache breakpoint for Anthropic. */
const CACHED: ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** These reject their own reasoning in a request. The others want it back with the tool results, until the turn is over. */
const WITHOUT_THOUGHTS = new Set(["openai", "groq", "mistral"]);

/** A provider's data for a tool call, stored with the thinking: Gemini signs its calls. */
export interface CallMetadata {
  readonly call: string;
  readonly data: unknown;
}

export function instructionsOf({ system }: ModelRequest, { api }: Speaks): SystemModelMessage | undefined {
  if (system.trim() === "") return undefined;
  return { role: "system", content: system, ...(api === "anthropic" ? { providerOptions: CACHED } : {}) };
}

export function messagesOf({ messages, recalled }: ModelRequest, spec: Speaks): SdkMessage[] {
  const whole = withAllResults(messages);
  const newest = Math.max(
    0,
    whole.findLastIndex(({ role }) => role === "user"),
  );
  const before = whole.slice(0, newest).flatMap((message) => toSdk(message, spec, "", false));
  const turn = whole
    .slice(newest)
    .flatMap((message) => toSdk(message, spec, message.role === "user" ? recalled : "", true));
  if (spec.api !== "anthropic") return [...before, ...turn];
  return [...marked(before), ...(turn.at(-1)?.role === "tool" ? marked(turn) : turn)];
}

function marked(messages: readonly SdkMessage[]): SdkMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, providerOptions: CACHED } : message,
  );
}

/** Drops empty messages: providers reject them. */
function toSdk(message: ModelMessage, spec: Speaks, recalled: string, inTurn: boolean): SdkMessage[] {
  switch (message.role) {
    case "user": {
      const texts = [recalled, message.text].filter((text) => text.trim() !== "");
      if (texts.length === 0) return [];
      // Many OpenAI-compatible servers accept only one text, not a list of parts.
      const parts = spec.api === "anthropic" ? texts : [texts.join("\n\n")];
      return [{ role: "user", content: parts.map((text) => ({ type: "text", text })) }];
    }
    case "assistant":
      return assistant(message, spec, inTurn);
    case "tool":
      return [{ role: "tool", content: message.results.map((result) => toolResult(result, spec)) }];
  }
}

function assistant(
  { text, calls, thinking }: Extract<ModelMessage, { role: "assistant" }>,
  spec: Speaks,
  inTurn: boolean,
): AssistantModelMessage[] {
  const said = text.trim() === "" ? [] : [{ type: "text" as const, text }];
  if (said.length + calls.length === 0) return [];
  const wanted = spec.api === "anthropic" || (inTurn && !WITHOUT_THOUGHTS.has(spec.provider));
  const thoughts = thinking.filter((thought) => wanted && isThought(thought, spec));
  const content = [
    ...thoughts.map((thought) => ({ type: "reasoning" as const, text: thought.text, ...optionsOf(thought) })),
    ...said,
    ...calls.map((call) => toolCall(call, thinking, spec)),
  ];
  return [{ role: "assistant", content }];
}

/** Anthropic only accepts thinking that it signed. */
function isThought({ text, metadata }: Thinking, { api }: Speaks): boolean {
  if (isCallMetadata(metadata)) return false;
  return api === "anthropic" ? isRecord(metadata) && isRecord(metadata.anthropic) : text !== "";
}

function toolCall(call: ToolCall, thinking: readonly Thinking[], spec: Speaks): ToolCallPart {
  const own = thinking
    .map(({ metadata }) => metadata)
    .find((metadata) => isCallMetadata(metadata) && metadata.call === call.id);
  return {
    type: "tool-call",
    toolCallId: wireId(call.id, spec),
    toolName: call.name,
    // Providers only accept objects, even if the model sent something else.
    input: isRecord(call.input) ? call.input : { invalid: call.input },
    ...(isCallMetadata(own) ? optionsOf({ metadata: own.data }) : {}),
  };
}

function toolResult({ id, name, output, ok }: ToolResult, spec: Speaks) {
  return {
    type: "tool-result" as const,
    toolCallId: wireId(id, spec),
    toolName: name,
    output: { type: ok ? ("text" as const) : ("error-text" as const), value: output },
  };
}

function optionsOf({ metadata }: Pick<Thinking, "metadata">): { providerOptions?: ProviderOptions } {
  return isRecord(metadata) ? { providerOptions: metadata as ProviderOptions } : {};
}

/** After a change of models, ids come from another provider, and some providers only accept their own format. */
function wireId(id: string, { api, provider }: Speaks): string {
  if (provider === "mistral") return /^[A-Za-z0-9]{9}$/.test(id) ? id : hashOf(id);
  return api !== "anthropic" || /^[\w-]{1,64}$/.test(id) ? id : hashOf(id);
}

function hashOf(id: string): string {
  return xxHash64(id).toString(36).padStart(9, "0").slice(-9);
}

/** Gives every call a result and drops results without a call: an interrupted chat may lack some. */
function withAllResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const whole: ModelMessage[] = [];
  let calls: readonly ToolCall[] = [];
  let given = new Map<string, ToolResult>();
  const settle = (next: readonly ToolCall[]) => {
    const results = calls.map((call) => given.get(call.id) ?? resultLost(call));
    if (results.length > 0) whole.push({ role: "tool", results });
    calls = next;
    given = new Map();
  };
  for (const message of messages) {
    if (message.role === "tool") {
      for (const result of message.results) if (!given.has(result.id)) given.set(result.id, result);
      continue;
    }
    settle(message.role === "assistant" ? message.calls : []);
    whole.push(message);
  }
  settle([]);
  return whole;
}

function isCallMetadata(metadata: unknown): metadata is CallMetadata {
  return isRecord(metadata) && typeof metadata.call === "string" && "data" in metadata;
}
