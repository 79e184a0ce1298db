/** A turn without a model: what is to be remembered is kept, anything else is answered with what recall finds. */
import type { SearchHit } from "../recall/search.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import { changesOf } from "./keep-reply.ts";
import { BY_MEMORY } from "./model-messages.ts";
import { answers, fromMemory, MOST_LOOKED_AT, MOST_PASSAGES, toldOf, toRemember } from "./offline.ts";
import type { ChatPorts } from "./ports.ts";

/** `asked` is the number of the stored message, which is no answer to itself. */
export async function* answerFromMemory(
  { memories, recall, place }: Pick<ChatPorts, "memories" | "recall" | "place">,
  conversation: Conversation,
  text: string,
  asked: number | null,
): AsyncGenerator<ChatEvent, void> {
  const fact = toRemember(text);
  let answer: string;
  let hits: readonly SearchHit[] = [];
  if (fact !== null && conversation.incognito) answer = "Nothing of this conversation is kept.";
  else if (fact !== null) {
    const kept = await memories.remember(fact);
    answer = kept.saved.length > 0 ? "I will remember that." : "I know that already.";
    yield { type: "memory", ...changesOf(kept) };
  } else {
    const found = await recall(text, { limit: MOST_LOOKED_AT, scopes: ["", conversation.chat] });
    const isAsked = (hit: SearchHit) =>
      hit.kind === "message" && hit.id === String(asked) && hit.place === place;
    hits = found.filter((hit) => answers(hit, text) && !isAsked(hit)).slice(0, MOST_PASSAGES);
    answer = fromMemory(hits);
  }
  yield { type: "text", text: answer };
  // What it told is stored by its ids: as text it would be found twice.
  const id = await conversation.add("assistant", "", { model: BY_MEMORY, context: toldOf(hits) });
  yield { type: "message", id, text: answer, interrupted: false };
}
