/**
 * A language model as the chat sees it: one request, answered by a stream of events. The adapter handles protocols, retries and
 * timeouts. Nothing here throws: a failure is the stream's last event.
 */

/** A function that the model may call. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** From the provider; the result carries the same id. */
  readonly id: string;
  readonly name: string;
  /** Parsed JSON; the raw text if it isn't JSON. */
  readonly input: unknown;
  /** Why it cannot be run, such as malformed JSON. */
  readonly invalid?: string;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: string;
  readonly ok: boolean;
}

/** The result of a call that was never started. */
export function notRun({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  return { id, name, ok: false, output: "Not run: stopped by the user." };
}

/** Replaces a missing result: Retain ended before or while the call ran. */
export function resultLost({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  const output = "Result lost: the program ended. The call may have run; check before you repeat it.";
  return { id, name, ok: false, output };
}

/** A model's reasoning. Some providers want it back, signed, with the tool results. */
export interface Thinking {
  readonly text: string;
  /** The provider's own data, returned unchanged. */
  readonly metadata?: unknown;
}

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly thinking: readonly Thinking[];
    }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

export interface ModelRequest {
  /** Instructions and memory that stay the same from turn to turn, so that the provider can cache them. */
  readonly system: string;
  /** Memories recalled for this turn, or "". They go before the text of the last user message, so that nothing above changes. */
  readonly recalled: string;
  /** Oldest first; the last one is the user's or a tool's. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
}

/** Token counts; null if the provider does not report them. */
export interface Usage {
  /** All input tokens, cached or not. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

export type FailureKind =
  /** The key is missing or was rejected. */
  | "auth"
  /** Rate limit reached or server overloaded, even after all retries. */
  | "busy"
  /** The conversation exceeds the model's context window. */
  | "overflow"
  /** The model does not exist. */
  | "model"
  /** The server is unreachable. */
  | "network"
  /** No data for too long. */
  | "timeout"
  /** The stream ended in the middle. */
  | "cut"
  /** The response does not follow the protocol. */
  | "protocol"
  | "aborted"
  | "other";

export interface ModelFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** What to do next. */
  readonly hint: string | null;
}

export type ModelEvent =
  /** Nothing has arrived yet; the request is sent again after this many seconds. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly of: number;
      readonly seconds: number;
      readonly why: string;
    }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** A complete call. A reply may contain several. */
  | { readonly type: "call"; readonly call: ToolCall }
  | {
      readonly type: "end";
      readonly reason: "stop" | "tools" | "length" | "refused" | "other";
      readonly usage: Usage;
      readonly thinking: readonly Thinking[];
    }
  /** The last event, instead of "end". Earlier events stay valid. */
  | { readonly type: "failure"; readonly failure: ModelFailure; readonly thinking: readonly Thinking[] };

export interface ChatModel {
  /** "anthropic/claude-haiku-4-5". */
  readonly name: string;
  /** Size of its context window in tokens, including the answer. */
  readonly contextTokens: number;
  /** In dollars; null if the price is unknown. */
  costOf(usage: Usage): number | null;
  /** Loads the SDK ahead of the first request. */
  prepare?(): void;
  /** Always ends with "end" or "failure"; with a "failure" of kind "aborted" if the signal aborts. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
