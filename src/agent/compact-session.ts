/**
 * Compacts a conversation for the model: first saves the facts worth keeping, then replaces the older messages with a summary. The
 * messages stay stored, and recall finds them. If saving fails, nothing is replaced.
 */
import PROMPT from "../../prompts/compact-session.md" with { type: "text" };
import { tokensOf } from "../context/tokens.ts";
import { messageOf } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import { readReply, withoutRecalled } from "../core/marks/marks.ts";
import type { ChatModel } from "../core/model.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import type { Message } from "../core/sessions/conversation.ts";
import { asModel } from "../llm/complete.ts";
import { extractSummary } from "../sessions/extract.ts";
import { withoutFence } from "../sessions/summary-text.ts";
import { plural } from "../util/in-words.ts";
import { truncate } from "../util/text.ts";
import { retainTurns } from "./auto-retain.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent, DraftEvent } from "./events.ts";
import { followed, type TurnNews } from "./offers.ts";
import type { ChatPorts } from "./ports.ts";
import { tokensOfMessages } from "./request.ts";
import { saveReplyMarks } from "./save-marks.ts";
import type { Spending } from "./spending.ts";

/** The newest turns stay verbatim. */
const TURNS_KEPT = 3;
const SUMMARY_WORDS = 400;
/** Share of the model's context for the messages to summarise. */
const SHARE_OF_CONTEXT = 0.6;

/** Returns whether anything was summarised. Callers lower `turnsKept` if even those turns do not fit. */
export async function* compactConversation(
  ports: Pick<ChatPorts, "facts" | "isOff" | "autoRetain">,
  conversation: Conversation,
  { model, spending }: { model: ChatModel | null; spending: Spending },
  signal: AbortSignal,
  turnsKept = TURNS_KEPT,
): AsyncGenerator<DraftEvent, boolean> {
  conversation.refresh();
  const older = olderThan(conversation.messages, turnsKept);
  const last = older.at(-1);
  if (last === undefined) return false;
  const size = tokensOfMessages(conversation.forModel());
  const news: TurnNews = { changed: [], usedTools: false };
  yield* followed(retainTurns(ports, conversation, { whenDue: false, upTo: last.id }), news);
  const before = conversation.summary;
  const earlier = before === null ? [] : [before];
  const answer = model === null ? null : yield* byModel(model, spending, older, earlier, signal);
  if (signal.aborted) return false;
  const { visible, marks } = readReply(answer ?? "");
  const failed = yield* followed(saveReplyMarks(ports, conversation, marks, last.id), news);
  if (failed) {
    yield {
      type: "error",
      code: "partial",
      message: "Could not save the facts in the older messages, so they were not summarised.",
      hint: hint`Check disk space, or find out more: ${command("doctor")}`,
    };
    return false;
  }
  // An earlier summary is kept whole: extractSummary would cut it down to a few sentences.
  const summary =
    redactSecrets(visible.trim()) ||
    [...earlier.map(({ content }) => content), extractSummary(older)].join("\n\n");
  await conversation.add("system", summary, { compactsTo: last.id });
  yield {
    ...{ type: "compacted", messages: older.length, summary, kept: conversation.messages.length },
    tokens: { before: size, after: tokensOfMessages(conversation.forModel()) },
    facts: news.changed.filter(({ change }) => change === "saved").length,
  };
  return true;
}

/** Everything before the user's last `turns` messages. */
function olderThan(messages: readonly Message[], turns: number): readonly Message[] {
  const starts = messages.flatMap(({ role }, index) => (role === "user" ? index : []));
  const from = turns === 0 ? messages.length : (starts.at(-turns) ?? 0);
  return messages.slice(0, from);
}

/** null if the call fails: the caller then summarises without a model. */
async function* byModel(
  model: ChatModel,
  spending: Spending,
  older: readonly Message[],
  /** The earlier summary, if there is one. */
  earlier: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, string | null> {
  const room = Math.floor(model.contextTokens * SHARE_OF_CONTEXT);
  const prompt = PROMPT.replace("{{words}}", String(SUMMARY_WORDS)).replace("{{conversation}}", () =>
    transcript([...earlier, ...older], room),
  );
  try {
    return await asModel(model, signal, (usage) => spending.count(usage, model)).complete(prompt);
  } catch (error) {
    if (!signal.aborted)
      yield {
        type: "notice",
        level: "warning",
        text: `${messageOf(error)} Summarised ${plural(older.length, "message")} without a model.`,
      };
    return null;
  }
}

/** If it is longer than `tokens`, every message is truncated to an equal share. */
function transcript(messages: readonly Message[], tokens: number): string {
  const lines = messages.map(lineOf);
  const whole = lines.join("\n\n");
  if (tokensOf(whole) <= tokens) return whole;
  const characters = Math.max(80, Math.floor((tokens * 3) / lines.length));
  return lines.map((line) => truncate(line, characters)).join("\n\n");
}

function lineOf({ role, content, details }: Message): string {
  const files = (details.files ?? []).map(({ text }) => `[attached] ${withoutRecalled(text)}`);
  const calls = (details.calls ?? []).map(({ name, input }) => `[${name} ${JSON.stringify(input)}]`);
  const results = (details.results ?? []).map(
    ({ name, output }) => `[result of ${name}] ${withoutRecalled(readReply(output).visible)}`,
  );
  const text = [content, ...files, ...calls, ...results].filter((part) => part !== "").join("\n");
  return `${role === "system" ? "summary so far" : role}: ${withoutFence(text)}`;
}
