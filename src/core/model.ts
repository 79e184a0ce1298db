/**
 * A language model as the chat sees it: one request, answered by a stream of events. The adapter handles the vendor's protocol,
 * retries and timeouts. Nothing here throws: a failure is the stream's last event.
 */
import type { CommandLine, Hint } from "./hint.ts";

/** A function that the model may call. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly schema: ObjectSchema;
  /** The commands that it replaces: where a hint names one of them, a model reads the tool. */
  readonly commands?: Readonly<Partial<Record<CommandLine, CommandInput>>>;
}

/** A command's words as a tool's input. */
interface CommandInput {
  /** The fields for the command's arguments, in order. Default: the required ones. */
  readonly takes?: readonly string[];
  /** Fields that are always set. */
  readonly sets?: Readonly<Record<string, unknown>>;
}

export type ObjectSchema = Readonly<Record<string, unknown>> & {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
};

export interface ToolCall {
  /** The provider's id, which the result refers to. */
  readonly id: string;
  readonly name: string;
  /** Parsed JSON, or text if it isn't JSON. */
  readonly input: unknown;
  /** Why it can't be run, such as malformed JSON. */
  readonly invalid?: string;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: string;
  readonly ok: boolean;
  /** For the user, in one line: "exit 1". */
  readonly brief?: string;
  /** The diff that the call wrote, for the user. */
  readonly diff?: string;
}

/** The result of a call that was never started. */
export function notRun({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  return { id, name, ok: false, output: "Not run: stopped by the user." };
}

/** The result for a call whose own was lost because the program ended. */
export function resultLost({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  const output = "Result lost: the program ended. The call may have completed; check before you repeat it.";
  return { id, name, ok: false, output };
}

/** A model's thinking. Some providers require it back, signed, with the tool results. */
export interface Thinking {
  readonly text: string;
  /** The provider's data, returned unchanged. */
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
  /** Instructions and memory that stay the same between turns, for the provider's cache. */
  readonly system: string;
  /** Memories recalled for this turn, or "". Inserted before the text of the last user message, so that nothing above changes. */
  readonly recalled: string;
  /** Oldest first; the last one is from the user or from tools. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
}

/** Token counts; null if the provider doesn't report them. */
export interface Usage {
  /** All input, cached or not. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

export type FailureKind =
  /** The key is missing or rejected. */
  | "auth"
  /** Rate limit or overload, after all retries. */
  | "busy"
  /** The conversation exceeds the context window. */
  | "overflow"
  /** The provider doesn't accept the content of the request. */
  | "rejected"
  /** Unknown model. */
  | "model"
  /** The server can't be reached. */
  | "network"
  /** No data for too long. */
  | "timeout"
  /** The stream was cut off. */
  | "cut"
  /** The response violates the protocol. */
  | "protocol"
  | "aborted"
  | "other";

export interface ModelFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** What to do next. */
  readonly hint: Hint | null;
}

export type ModelEvent =
  /** Nothing received yet; the request is retried after this many seconds. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly of: number;
      readonly seconds: number;
      readonly why: string;
    }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** A complete call. One reply may contain several. */
  | { readonly type: "call"; readonly call: ToolCall }
  | {
      readonly type: "end";
      readonly reason: "stop" | "tools" | "length" | "refused" | "other";
      readonly usage: Usage;
      readonly thinking: readonly Thinking[];
    }
  /** The last event, instead of "end". Earlier events still count. */
  | { readonly type: "failure"; readonly failure: ModelFailure; readonly thinking: readonly Thinking[] };

export interface ChatModel {
  /** "anthropic/claude-haiku-4-5". */
  readonly name: string;
  /** The context window in tokens, including the answer. */
  readonly contextTokens: number;
  /** In dollars; null if the price is unknown. */
  costOf(usage: Usage): number | null;
  /** Loads what it needs before the first request. */
  prepare?(): void;
  /** Always ends with "end" or "failure"; after an abort, with a "failure" of kind "aborted". */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
