/** A turn without a model: saves what the user asks to remember, and answers anything else from recall. */

import { RetainError } from "../core/errors.ts";
import type { GivenPart } from "../core/sessions/conversation.ts";
import { ownText } from "../facts/transcript.ts";
import { requestsIn } from "../facts/write/requests.ts";
import type { Retained } from "../facts/write/retain.ts";
import type { SearchHit } from "../recall/search.ts";
import { localDay, oneLine, truncate } from "../util/text.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatEvent, Picker } from "./events.ts";
import { BY_MEMORY } from "./model-messages.ts";
import { answers, fromMemory, MOST_LOOKED_AT, nearTheBest, objects, toldOf } from "./offline.ts";
import type { ChatPorts } from "./ports.ts";
import { tellKept } from "./save-marks.ts";
import { ENDED } from "./slash/memory.ts";

/** `asked` is the number of the stored message, so that recall does not return it as its own answer. */
export async function* answerFromMemory(
  { facts, recall, origin, isOff, clock }: Pick<ChatPorts, "facts" | "recall" | "origin" | "isOff" | "clock">,
  conversation: Conversation,
  text: string,
  asked: number | null,
): AsyncGenerator<ChatEvent, void> {
  const asksToRemember = requestsIn(ownText(text)).length > 0;
  const { id: session, incognito } = conversation;
  let answer: string;
  let told: readonly GivenPart[] = [];
  if (objects(text)) {
    told = conversation.said.findLast(({ role }) => role === "assistant")?.details.context ?? [];
    const items = await factsTold(facts, told);
    answer = items.length === 0 ? NO_FACTS : "Which of these facts should end?";
    if (items.length > 0) yield { type: "picker", picker: endingPicker(items) };
  } else if (asksToRemember && isOff) answer = "Not saved: memory is switched off.";
  else if (asksToRemember && (incognito || session === null || asked === null))
    answer = "Not saved: this conversation is not being stored.";
  else if (asksToRemember && session !== null && asked !== null) {
    const kept = await facts.writeRequests(session, [
      { message: asked, content: text, at: clock().toISOString() },
    ]);
    const [failure] = kept.failed;
    if (failure !== undefined) throw new RetainError("partial", `Not saved: ${failure.why}`);
    answer = answerTo(kept);
    told = toldOf(
      [...kept.saved, ...kept.skipped.map(({ as, text: words }) => ({ id: as, text: words }))].map(asFact),
    );
    yield* tellKept(kept);
  } else {
    const found = await recall(text, { limit: MOST_LOOKED_AT, scopes: ["", conversation.chat] });
    const isAsked = (hit: SearchHit) =>
      hit.kind === "message" && hit.id === String(asked) && hit.origin === origin;
    const hits = nearTheBest(found.filter((hit) => answers(hit, text) && !isAsked(hit)));
    answer = fromMemory(hits);
    told = toldOf(hits);
  }
  yield { type: "text", text: answer };
  // Stores the ids of the memories it showed: their text would be found twice.
  const id = await conversation.add("assistant", "", { model: BY_MEMORY, context: told });
  yield { type: "message", id, text: answer, interrupted: false };
}

function asFact({ id, text }: { readonly id: string; readonly text: string }) {
  return { kind: "fact", id, text, collection: null } as const;
}

const NO_FACTS = "The last answer showed no facts. To find one, type /forget and a few words.";

/** Facts that the answer showed and that are still current. */
async function factsTold(facts: ChatPorts["facts"], told: readonly GivenPart[]): Promise<Picker["items"]> {
  const names = new Set(told.flatMap((part) => part.memories ?? []));
  const shown = (await facts.list()).filter(({ id }) => names.has(`fact ${id}`));
  return shown.map(({ id, text, created_at }) => ({
    ...{ value: `${id} ${ENDED}`, label: truncate(oneLine(text), 100), detail: localDay(created_at) },
  }));
}

/** The user named no fact, so none is selected. */
function endingPicker(items: Picker["items"]): Picker {
  return { title: "Which should end? Esc keeps all", command: "/forget", items, isPermanent: true };
}

function answerTo({ saved, queued = [], refused }: Retained): string {
  if (saved.length + queued.length > 0) return "I will remember that.";
  const [refusal] = refused;
  return refusal === undefined ? "I know that already." : `Not saved: ${refusal.why}.`;
}
