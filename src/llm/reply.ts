/** Turns one reply's AI SDK parts into events, and collects what its last event needs. */
import { NoSuchToolError, type TextStreamPart, type ToolSet } from "ai";
import type { ModelEvent, Thinking, ToolCall, Usage } from "../core/model.ts";
import { oneLine } from "../util/text.ts";
import type { CallMetadata } from "./messages.ts";

type Part = TextStreamPart<ToolSet>;
type PartOf<T extends Part["type"]> = Extract<Part, { type: T }>;
type End = Omit<Extract<ModelEvent, { type: "end" }>, "type" | "thinking">;

/** Anthropic's events. It may add others any time; they are ignored. */
const KNOWN_EVENTS =
  /^(?:message_start|message_delta|message_stop|content_block_start|content_block_delta|content_block_stop|ping|error)$/;

export class Reply {
  /** Whether any event was emitted. */
  started = false;
  /** Set once the reply has ended normally. */
  end: End | null = null;
  /** Set if the SDK reports an error, which arrives as a part. */
  error: unknown = null;
  readonly #thoughts = new Map<string, { text: string; metadata?: unknown }>();
  readonly #signatures: Thinking[] = [];
  readonly #calls: ToolCall[] = [];

  get thinking(): readonly Thinking[] {
    const thoughts = [...this.#thoughts.values()].filter(
      ({ text, metadata }) => text !== "" || metadata !== undefined,
    );
    return [...thoughts, ...this.#signatures];
  }

  *take(part: Part): Generator<ModelEvent> {
    for (const event of this.#eventsOf(part)) {
      this.started = true;
      yield event;
    }
  }

  *#eventsOf(part: Part): Generator<ModelEvent> {
    switch (part.type) {
      case "text-delta":
        if (part.text !== "") yield { type: "text", text: part.text };
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#think(part);
        if (part.type === "reasoning-delta" && part.text !== "") yield { type: "thinking", text: part.text };
        break;
      case "tool-call":
        this.#call(part);
        break;
      case "finish-step":
        // Without the provider's own finish reason, the stream ended but the reply did not.
        if (part.rawFinishReason === undefined) break;
        for (const call of this.#calls) yield { type: "call", call };
        this.end = { reason: this.#reasonOf(part.finishReason), usage: usageOf(part.usage) };
        break;
      case "error":
        if (!isUnknownEvent(part.error)) this.error ??= part.error ?? new Error("unknown");
        break;
    }
  }

  #think(part: PartOf<"reasoning-start" | "reasoning-delta" | "reasoning-end">): void {
    const thought = this.#thoughts.get(part.id) ?? { text: "" };
    if (part.type === "reasoning-delta") thought.text += part.text;
    if (part.providerMetadata !== undefined) thought.metadata = part.providerMetadata;
    this.#thoughts.set(part.id, thought);
  }

  /** Calls are emitted at the end of the reply: until then, an input may be incomplete. */
  #call(part: PartOf<"tool-call">): void {
    const { toolCallId: id, toolName: name, input } = part;
    if (part.providerMetadata !== undefined) {
      const metadata: CallMetadata = { call: id, data: part.providerMetadata };
      this.#signatures.push({ text: "", metadata });
    }
    const missing = NoSuchToolError.isInstance(part.error);
    const invalid = missing ? `There is no tool '${oneLine(name)}'.` : "The input is not valid JSON.";
    this.#calls.push({ id, name, input, ...(part.invalid === true ? { invalid } : {}) });
  }

  /** Some servers report "stop" for a tool call. */
  #reasonOf(reason: PartOf<"finish-step">["finishReason"]): End["reason"] {
    if (reason === "stop") return this.#calls.length > 0 ? "tools" : "stop";
    if (reason === "tool-calls") return "tools";
    if (reason === "length") return "length";
    return reason === "content-filter" ? "refused" : "other";
  }
}

function usageOf(usage: PartOf<"finish-step">["usage"]): Usage {
  return {
    input: usage.inputTokens ?? null,
    output: usage.outputTokens ?? null,
    cacheRead: usage.inputTokenDetails.cacheReadTokens ?? null,
    cacheWrite: usage.inputTokenDetails.cacheWriteTokens ?? null,
  };
}

function isUnknownEvent(error: unknown): boolean {
  const value = (error as { value?: unknown } | null)?.value;
  const type = (value as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" && !KNOWN_EVENTS.test(type);
}
