/**
 * One turn: assembles the context, then the model answers and calls tools until it is done. Each message is durable before the next
 * step, and a reply is stored as far as it came, however it ends.
 */
import type { AssembledContext } from "../context/parts.ts";
import type { ChatModel, FailureKind, ModelFailure } from "../core/model.ts";
import { plural } from "../util/in-words.ts";
import { compactConversation } from "./compact-session.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent, DraftEvent, EventOf } from "./events.ts";
import { contextFor } from "./given-context.ts";
import type { ChatPorts } from "./ports.ts";
import { type Reply, streamReply } from "./reply.ts";
import { contextEvent, givenParts, NO_USAGE, requestOf, tokensOfRequest } from "./request.ts";
import { type CallRunner, runCalls } from "./run-calls.ts";
import { saveReplyMarks } from "./save-marks.ts";
import type { Spending } from "./spending.ts";

export type TurnEnd = EventOf<"done">["reason"];

interface Turn {
  readonly ports: ChatPorts;
  readonly conversation: Conversation;
  readonly model: ChatModel;
  readonly runner: CallRunner;
  readonly spending: Spending;
  /** The lines about skills in the system prompt. */
  readonly skills: string;
}

/** The outcome of one request. */
interface Asked {
  readonly reply: Reply;
  readonly context: AssembledContext;
  /** Tokens of the request, as estimated. */
  readonly estimated: number;
}

/** A model that needs more steps is probably stuck in a loop. */
const MOST_STEPS = 40;

/** The user's message is already stored; `text` is the query for recall. */
export async function* answerByModel(
  turn: Turn,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, TurnEnd> {
  const { ports, conversation, runner } = turn;
  let context = await contextFor(ports, conversation, turn.model, text);
  yield contextEvent(givenParts(context, turn.skills), context.tokens);
  for (let step = 0; step < MOST_STEPS; step++) {
    const asked = yield* ask(turn, text, context, signal);
    const { reply } = asked;
    context = asked.context;
    const message = yield* storeReply(turn, asked);
    yield* saveReplyMarks(ports, conversation, reply.marks, message);
    if (reply.failure?.kind === "aborted") return "interrupted";
    if (reply.failure !== null) {
      if (isUnanswered(reply, reply.failure, step)) await conversation.markFailed();
      return yield* fail(reply.failure);
    }
    if (reply.calls.length === 0) {
      if (reply.declined && isEmpty(reply)) await conversation.markFailed();
      return yield* finish(reply);
    }
    yield* runCalls(runner, reply.calls, signal, (result, reason) =>
      conversation.add("tool", reason, { results: [result] }),
    );
    if (signal.aborted) return "interrupted";
  }
  yield {
    type: "notice",
    level: "warning",
    text: `Stopped after ${plural(MOST_STEPS, "round")} of tool calls. To let the model continue, send: continue`,
  };
  return "limit";
}

/** Failures that are about the content of the request: every request that repeats it would fail too. */
const OF_THE_CONTENT: readonly FailureKind[] = ["overflow", "rejected"];

/** Whether nothing answers the message. After tool calls, the turn only fails if it would make later requests fail. */
function isUnanswered(reply: Reply, { kind }: ModelFailure, step: number): boolean {
  return isEmpty(reply) && (step === 0 || OF_THE_CONTENT.includes(kind));
}

function isEmpty({ raw }: Reply): boolean {
  return raw.trim() === "";
}

/** Share of the context that may be full before older messages are summarised; the rest is for the reply. */
const FULL = 0.75;

/** If a conversation is too long: summarise all but the last 3 turns, then all but the newest, then send it anyway. */
const TURNS_KEPT = [3, 1, null] as const;

async function* ask(
  turn: Turn,
  text: string,
  given: AssembledContext,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, Asked> {
  const { ports, conversation, model } = turn;
  let context = given;
  for (const kept of TURNS_KEPT) {
    const request = requestOf(context, turn.skills, conversation.forModel(), turn.runner.tools);
    const estimated = tokensOfRequest(request);
    if (kept === null || estimated <= model.contextTokens * FULL) {
      const reply = yield* streamReply(model, request, signal);
      if (kept === null || !overflowed(reply)) return { reply, context, estimated };
    }
    if (yield* compactConversation(ports, conversation, { model, spending: turn.spending }, signal, kept))
      context = await contextFor(ports, conversation, turn.model, text);
  }
  throw new Error("The last way to ask returns");
}

function overflowed({ failure, raw }: Reply): boolean {
  return failure?.kind === "overflow" && raw === "";
}

/**
 * The id of the stored message; null if the reply was empty or nothing is stored. A stopped reply is stored even if it is empty:
 * otherwise nothing would tell it from one that a killed process never got.
 */
async function* storeReply(
  { conversation, model, spending, skills }: Turn,
  { reply, context, estimated }: Asked,
): AsyncGenerator<ChatEvent, number | null> {
  const { raw, visible, calls, thinking, failure } = reply;
  const usage = reply.usage ?? NO_USAGE;
  const interrupted = failure !== null;
  let message: number | null = null;
  if (!isEmpty(reply) || calls.length > 0 || failure?.kind === "aborted") {
    const details = {
      model: model.name,
      usage,
      context: givenParts(context, skills),
      ...(calls.length > 0 && { calls }),
      ...(thinking.length > 0 && { thinking }),
      ...(interrupted && { interrupted }),
    };
    message = await conversation.add("assistant", raw, details, usage.output ?? undefined);
    yield { type: "message", id: message, text: visible.trim(), interrupted };
  }
  yield spending.add(usage, model, estimated);
  return message;
}

async function* finish(reply: Reply): AsyncGenerator<ChatEvent, TurnEnd> {
  const { tooLong, declined } = reply;
  if (declined) yield { type: "notice", level: "warning", text: "The model declined to continue." };
  if (tooLong)
    yield {
      type: "notice",
      level: "warning",
      text: "The reply reached the model's length limit. For the rest, send: continue",
    };
  else if (isEmpty(reply)) yield { type: "notice", level: "info", text: "The model sent an empty reply." };
  return "finished";
}

async function* fail({ kind, message, hint }: ModelFailure): AsyncGenerator<DraftEvent, TurnEnd> {
  yield { type: "error", code: kind, message, hint };
  return "failed";
}
