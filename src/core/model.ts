/**
 * A language model as the chat sees it: one request, answered by a stream of events. Who speaks which vendor's protocol,
 * retries and times out is the adapter's business. Nothing here throws: a stream's failure is its last event.
 */

/** A function that the model may ask for. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** The provider's; names the result. */
  readonly id: string;
  readonly name: string;
  /** As parsed JSON; a text where it was none. */
  readonly input: unknown;
  /** Why it cannot be run as it came: malformed JSON, for one. */
  readonly invalid?: string;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: string;
  readonly ok: boolean;
}

/** A call that was never begun. */
export function notRun({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  return { id, name, ok: false, output: "Not run: stopped by the user." };
}

/** What stands for a result that there is none of: the program ended while it ran, or before. */
export function resultLost({ id, name }: Pick<ToolCall, "id" | "name">): ToolResult {
  const output = "Result lost: the program ended. The call may have completed; check before you repeat it.";
  return { id, name, ok: false, output };
}

/** What a model thought before it spoke. Some providers want it back, signed, with the results of tools. */
export interface Thinking {
  readonly text: string;
  /** The provider's own data, returned as it came. */
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
  /** Instructions and memory that stay the same from turn to turn: the part that a provider's cache is to hold. */
  readonly system: string;
  /** What was recalled for this turn, or "". Stands before the text of the last user message, so that nothing above changes. */
  readonly recalled: string;
  /** Oldest first; the last one is of the user or of tools. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
}

/** Tokens; what the provider does not tell is null. */
export interface Usage {
  /** All that was read, from a cache or not. */
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

export type FailureKind =
  /** The key is missing or refused. */
  | "auth"
  /** Too many requests, or overloaded, also after all retries. */
  | "busy"
  /** The conversation is longer than the model takes. */
  | "overflow"
  /** No such model. */
  | "model"
  /** Cannot be reached. */
  | "network"
  /** Nothing came for too long. */
  | "timeout"
  /** The stream ended in the middle. */
  | "cut"
  /** What came was not the protocol. */
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
  /** Nothing has come yet; the request is sent again after so many seconds. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly of: number;
      readonly seconds: number;
      readonly why: string;
    }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  /** A call is whole. Several may come in one reply. */
  | { readonly type: "call"; readonly call: ToolCall }
  | {
      readonly type: "end";
      readonly reason: "stop" | "tools" | "length" | "refused" | "other";
      readonly usage: Usage;
      readonly thinking: readonly Thinking[];
    }
  /** The last event, in the place of "end". What came before it counts. */
  | { readonly type: "failure"; readonly failure: ModelFailure; readonly thinking: readonly Thinking[] };

export interface ChatModel {
  /** "anthropic/claude-haiku-4-5". */
  readonly name: string;
  /** How many tokens it takes, those of the answer included. */
  readonly contextTokens: number;
  /** In dollars; null where the price is not known. */
  costOf(usage: Usage): number | null;
  /** Loads what it needs, ahead of the first request. */
  prepare?(): void;
  /** Ends with "end" or "failure", always; with "failure" of kind "aborted" where the signal says so. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
