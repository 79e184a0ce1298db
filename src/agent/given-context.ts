/** What is known, put together for one message: the same for the model and for a person who asks what it is given. */
import type { AssembledContext } from "../context/parts.ts";
import type { ChatModel } from "../core/model.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatPorts } from "./ports.ts";

/** What is pasted behind a question says less about what is wanted than the question. */
const LONGEST_QUERY = 2_000;
/** Of what a model takes; the rest is for the conversation. */
const SHARE_OF_MODEL = 0.25;
/** Instructions and a little memory need this much, however small a model is. */
const LEAST_FOR_MODEL = 1_500;

export async function contextFor(
  ports: Pick<ChatPorts, "context" | "settings" | "mentalModels">,
  conversation: Conversation,
  model: ChatModel | null,
  query: string | undefined,
  counts = true,
): Promise<AssembledContext> {
  const { id, chat, incognito, compactedTo } = conversation;
  const share = model === null ? Number.POSITIVE_INFINITY : Math.floor(model.contextTokens * SHARE_OF_MODEL);
  const wanted = {
    chat,
    compactedTo,
    budget: Math.min(ports.settings.context_budget, Math.max(LEAST_FOR_MODEL, share)),
    ...(query !== undefined && { query: query.slice(0, LONGEST_QUERY) }),
    ...(id !== null && { session: id }),
    ...((incognito || !counts) && { incognito: true }),
  };
  return ports.context(wanted, ports.mentalModels.shownIn(conversation));
}
