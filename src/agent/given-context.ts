/** Assembles the context for one message: the model gets it, and `/context` shows it. */
import type { AssembledContext } from "../context/parts.ts";
import type { ChatModel } from "../core/model.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatPorts } from "./ports.ts";

/** The question usually comes first; text pasted after it says less about what to recall. */
const LONGEST_QUERY = 2_000;
/** Share of the model's context window; the rest is for the conversation. */
const SHARE_OF_MODEL = 0.25;
/** Tokens for instructions and a little memory, however small the model's window is. */
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
