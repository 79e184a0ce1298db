/** A turn without a model: a request to remember something is honoured at once; recall answers anything else. */
import { RetainError } from "../core/errors.ts";
import type { SearchHit } from "../recall/search.ts";
import { requestsIn } from "../retention/requests.ts";
import type { Retained } from "../retention/retain.ts";
import { ownText } from "../retention/transcript.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent } from "./events.ts";
import { tellKept } from "./keep-reply.ts";
import { BY_MEMORY } from "./model-messages.ts";
import { answers, fromMemory, MOST_LOOKED_AT, MOST_PASSAGES, toldOf } from "./offline.ts";
import type { ChatPorts } from "./ports.ts";

/** `asked` is the number of the stored message, which is no answer to itself. */
export async function* answerFromMemory(
  {
    memories,
    recall,
    place,
    isOff,
    clock,
  }: Pick<ChatPorts, "memories" | "recall" | "place" | "isOff" | "clock">,
  conversation: Conversation,
  text: string,
  asked: number | null,
): AsyncGenerator<ChatEvent, void> {
  const asksToRemember = requestsIn(ownText(text)).length > 0;
  const { id: session, incognito } = conversation;
  let answer: string;
  let hits: readonly SearchHit[] = [];
  if (asksToRemember && isOff) answer = "Not saved: memory is switched off.";
  else if (asksToRemember && (incognito || session === null || asked === null))
    answer = "Nothing of this conversation is kept.";
  else if (asksToRemember && session !== null && asked !== null) {
    const kept = await memories.keepRequests(session, [
      { message: asked, content: text, at: clock().toISOString() },
    ]);
    const [failure] = kept.failed;
    if (failure !== undefined) throw new RetainError("partial", `Not saved: ${failure.why}`);
    answer = answerTo(kept);
    yield* tellKept(kept);
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

function answerTo({ saved, queued = [], refused }: Retained): string {
  if (saved.length + queued.length > 0) return "I will remember that.";
  const [refusal] = refused;
  return refusal === undefined ? "I know that already." : `Not saved: ${refusal.why}.`;
}
