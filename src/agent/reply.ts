/** Streams one reply of a model: shows its text without marks as it arrives, and returns the whole at the end. */
import { type Mark, MarkStripper } from "../core/marks/marks.ts";
import type { ChatModel, ModelFailure, ModelRequest, Thinking, ToolCall, Usage } from "../core/model.ts";
import type { ChatEvent } from "./events.ts";

export interface Reply {
  /** As the model wrote it, marks included. */
  readonly raw: string;
  readonly visible: string;
  /** Marks to save. Of a reply that was cut off, only the complete ones. */
  readonly marks: readonly Mark[];
  readonly calls: readonly ToolCall[];
  readonly thinking: readonly Thinking[];
  readonly usage: Usage | null;
  /** Why the reply is incomplete; null if it is complete. */
  readonly failure: ModelFailure | null;
  /** It reached the model's output limit. */
  readonly tooLong: boolean;
  /** The model or its provider refused to continue. */
  readonly declined: boolean;
}

export async function* streamReply(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, Reply> {
  const stripper = new MarkStripper();
  const calls: ToolCall[] = [];
  let raw = "";
  let visible = "";
  let thinking: readonly Thinking[] = [];
  let usage: Usage | null = null;
  let failure: ModelFailure | null = BROKEN_OFF;
  let reason: "stop" | "tools" | "length" | "refused" | "other" = "stop";
  for await (const event of model.stream(request, signal)) {
    if (event.type === "text") {
      raw += event.text;
      const shown = stripper.push(event.text);
      visible += shown;
      if (shown !== "") yield { type: "text", text: shown };
    } else if (event.type === "thinking" || event.type === "retry") yield event;
    else if (event.type === "call") calls.push(event.call);
    else {
      thinking = event.thinking;
      failure = event.type === "failure" ? event.failure : null;
      if (event.type === "end") {
        usage = event.usage;
        reason = event.reason;
      }
    }
  }
  const complete = stripper.marks;
  const rest = stripper.end();
  if (rest !== "") yield { type: "text", text: rest };
  const marks = failure === null ? stripper.marks : complete;
  // If the stream was cut off, later calls of the same reply may be missing, so none of them runs.
  return {
    raw,
    visible: visible + rest,
    marks,
    calls: failure === null ? acceptable(calls) : [],
    thinking,
    usage,
    failure,
    tooLong: reason === "length",
    declined: reason === "refused",
  };
}

/** Providers reject later requests that repeat invalid names or duplicate call ids, so both are cleaned up. */
function acceptable(calls: readonly ToolCall[]): ToolCall[] {
  const ids = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id.replace(/[^\w-]/g, "_");
    const own = id === "" || ids.has(id) ? `${id}_${index + 1}` : id;
    ids.add(own);
    return { ...call, id: own, name: call.name.replace(/[^\w-]/g, "_").slice(0, 64) || "_" };
  });
}

const BROKEN_OFF: ModelFailure = {
  kind: "cut",
  message: "The reply was cut off.",
  hint: "Ask again, or send: continue",
};
