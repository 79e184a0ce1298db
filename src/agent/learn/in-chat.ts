/** Learning in the chat: shows new facts and asks, once, whether a model may read conversations. */
import { SHOWN_ID } from "../../context/memory-facts.ts";
import { command, option } from "../../core/hint.ts";
import { exchangesOf } from "../../facts/transcript.ts";
import { plural } from "../../util/in-words.ts";
import type { Conversation } from "../conversation.ts";
import type { ChatEvent } from "../events.ts";
import type { ChatPorts } from "../ports.ts";

/** More would push the conversation off the screen. */
const MOST_SHOWN = 3;

/** Shows what was learned and not shown yet. Returns the ids of the facts that it named. */
export async function* learnedNews({
  learning,
  facts,
}: Pick<ChatPorts, "learning" | "facts">): AsyncGenerator<ChatEvent, readonly string[]> {
  const { lines, done } = learning.unshown();
  if (lines.length === 0) return [];
  const ids = new Set(lines.flatMap(({ kept }) => kept));
  const ended = lines.reduce((sum, line) => sum + line.replaced + line.ended, 0);
  const learned =
    ids.size === 0 ? [] : (await facts.list({ unconfirmed: true })).filter(({ id }) => ids.has(id));
  if (learned.length > 0) {
    const shown = learned.slice(0, MOST_SHOWN).map(({ id, text }) => `${text} (${id.slice(0, SHOWN_ID)})`);
    const more = learned.length > MOST_SHOWN ? [`and ${learned.length - MOST_SHOWN} more.`] : [];
    const text = `Learned ${plural(learned.length, "fact")}: ${[...shown, ...more].join(" ")} Keep or reject: /review`;
    yield { type: "notice", level: "info", text };
  }
  if (ended > 0) {
    const text = `Learning ended ${plural(ended, "known fact")}. To see them: ${command("facts", option("superseded"))}. Rejecting the new fact in /review restores the old one.`;
    yield { type: "notice", level: "info", text };
  }
  done();
  return learned.map(({ id }) => id);
}

/** Asks once, when there is something to read for the first time. */
export async function* offerLearning(
  { learning }: Pick<ChatPorts, "learning">,
  conversation: Pick<Conversation, "said" | "incognito">,
  model: string,
): AsyncGenerator<ChatEvent, void> {
  if (conversation.incognito || !learning.isOffered()) return;
  if (exchangesOf(conversation.said).length < learning.everyTurns) return;
  learning.setOffered();
  const title = `Let ${model} read finished conversations and note facts for your review?`;
  const items = [
    {
      value: `on ${model}`,
      label: "Yes",
      detail: `up to $${learning.dailyLimit.toFixed(2)} a day; switch off with /learn off`,
    },
    { value: "off", label: "No", detail: "switch on later with /learn on" },
  ];
  yield { type: "picker", picker: { title, command: "/learn", items, isUnprompted: true } };
}
