/** One answer of a model while it comes: what a person sees of it at once, and all of it at the end. */
import { type Mark, MarkStripper } from "../core/marks/marks.ts";
import type { ChatModel, ModelFailure, ModelRequest, Thinking, ToolCall, Usage } from "../core/model.ts";
import type { ChatEvent } from "./events.ts";

export interface Reply {
  /** As the model wrote it, marks included. */
  readonly raw: string;
  readonly visible: string;
  /** Those that may be kept: of a reply that broke off, only what had been read to its end. */
  readonly marks: readonly Mark[];
  readonly calls: readonly ToolCall[];
  readonly thinking: readonly Thinking[];
  readonly usage: Usage | null;
  /** Why it is not whole; null where it is. */
  readonly failure: ModelFailure | null;
  /** It is as long as the model may answer. */
  readonly tooLong: boolean;
  /** The model, or its provider, would not say more. */
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
  // A call that came before the stream broke off may lack its siblings: none of them is run.
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

/** A provider that is told of these again refuses names it would not have taken, and two calls of one id. */
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
  message: "The answer broke off.",
  hint: "Ask again, or say: go on",
};
