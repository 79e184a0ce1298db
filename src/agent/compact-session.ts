/**
 * Makes a conversation shorter for the model: what is worth keeping is kept first, then a summary takes the place of the older
 * messages. They stay stored, and recall finds them. Where keeping fails, nothing is shortened.
 */
import PROMPT from "../../prompts/compact-session.md" with { type: "text" };
import { tokensOf } from "../context/tokens.ts";
import { messageOf } from "../core/errors.ts";
import { readReply, withoutRecalled } from "../core/marks/marks.ts";
import type { ChatModel } from "../core/model.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import type { Message } from "../core/sessions/conversation.ts";
import { asModel } from "../llm/complete.ts";
import { extractSummary } from "../sessions/extract.ts";
import { withoutFence } from "../sessions/summary-text.ts";
import { plural, truncate } from "../util/text.ts";
import { retainTurns } from "./auto-retain.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import type { ChatPorts } from "./ports.ts";
import { saveReplyMarks } from "./save-marks.ts";
import type { Spending } from "./spending.ts";

/** The newest turns are told word by word. */
const TURNS_KEPT = 3;
const SUMMARY_WORDS = 400;
/** Of the model's context, for what is summarised. */
const SHARE_OF_CONTEXT = 0.6;

/** Whether there was anything to shorten. `turnsKept` may be less where even those do not fit. */
export async function* compactConversation(
  ports: Pick<ChatPorts, "facts" | "isOff" | "autoRetain">,
  conversation: Conversation,
  { model, spending }: { model: ChatModel | null; spending: Spending },
  signal: AbortSignal,
  turnsKept = TURNS_KEPT,
): AsyncGenerator<ChatEvent, boolean> {
  conversation.refresh();
  const older = olderThan(conversation.messages, turnsKept);
  const last = older.at(-1);
  if (last === undefined) return false;
  yield* retainTurns(ports, conversation, { whenDue: false, upTo: last.id });
  const before = conversation.summary;
  const answer = model === null ? null : yield* byModel(model, spending, older, before, signal);
  if (signal.aborted) return false;
  const { visible, marks } = readReply(answer ?? "");
  const failed = yield* saveReplyMarks(ports, conversation, marks, last.id);
  if (failed) {
    yield {
      type: "error",
      code: "partial",
      message: "What is worth keeping could not be kept, so nothing was shortened.",
      hint: "Free some space, or see: retain doctor",
    };
    return false;
  }
  // A summary that was made before is not cut down to a few of its sentences.
  const summary =
    redactSecrets(visible.trim()) ||
    [...told(before).map(({ content }) => content), extractSummary(older)].join("\n\n");
  await conversation.add("system", summary, { compactsTo: last.id });
  yield { type: "compacted", messages: older.length, summary };
  return true;
}

/** Everything before the last few of the person's messages. */
function olderThan(messages: readonly Message[], turns: number): readonly Message[] {
  const starts = messages.flatMap(({ role }, index) => (role === "user" ? index : []));
  const from = turns === 0 ? messages.length : (starts.at(-turns) ?? 0);
  return messages.slice(0, from);
}

function told(summary: Message | null): Message[] {
  return summary === null ? [] : [summary];
}

/** null where the model cannot be asked: the summary is made without. */
async function* byModel(
  model: ChatModel,
  spending: Spending,
  older: readonly Message[],
  before: Message | null,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, string | null> {
  const room = Math.floor(model.contextTokens * SHARE_OF_CONTEXT);
  const prompt = PROMPT.replace("{{words}}", String(SUMMARY_WORDS)).replace("{{conversation}}", () =>
    transcript([...told(before), ...older], room),
  );
  try {
    return await asModel(model, signal, (usage) => spending.count(usage, model)).complete(prompt);
  } catch (error) {
    if (!signal.aborted)
      yield {
        type: "notice",
        level: "warning",
        text: `${messageOf(error)} ${plural(older.length, "message is", "messages are")} summarised without a model.`,
      };
    return null;
  }
}

/** Where it is too long, every message is cut to what keeps the whole within so many tokens. */
function transcript(messages: readonly Message[], tokens: number): string {
  const lines = messages.map(lineOf);
  const whole = lines.join("\n\n");
  if (tokensOf(whole) <= tokens) return whole;
  const characters = Math.max(80, Math.floor((tokens * 3) / lines.length));
  return lines.map((line) => truncate(line, characters)).join("\n\n");
}

function lineOf({ role, content, details }: Message): string {
  const calls = (details.calls ?? []).map(({ name, input }) => `[${name} ${JSON.stringify(input)}]`);
  const results = (details.results ?? []).map(
    ({ name, output }) => `[result of ${name}] ${withoutRecalled(readReply(output).visible)}`,
  );
  const text = [content, ...calls, ...results].filter((part) => part !== "").join("\n");
  return `${role === "system" ? "summary so far" : role}: ${withoutFence(text)}`;
}
