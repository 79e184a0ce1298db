/** The tools that a conversation offers to its model: files, commands and memory. */

import { chatMemoryTools } from "./memory-tools/for-chat.ts";
import type { SlashContext } from "./slash-context.ts";
import type { Tool } from "./tool.ts";

/** All memory tools together take about 1,800 tokens. A model with a smaller context than this gets only the most important ones. */
const SMALL_CONTEXT = 16_000;
const FOR_SMALL_CONTEXTS: ReadonlySet<string> = new Set(["retain", "recall", "memory_get", "memory_update"]);

export function offeredTools({
  ports,
  approvals,
  conversation,
  model,
  spending,
}: Pick<SlashContext, "ports" | "approvals" | "conversation" | "model" | "spending">): readonly Tool[] {
  const { id, chat, incognito, compactedTo } = conversation;
  const isSmall = model !== null && model.contextTokens < SMALL_CONTEXT;
  const memory = ports.memoryTools({
    chat,
    compactedTo,
    incognito,
    model,
    ...(isSmall && { only: FOR_SMALL_CONTEXTS }),
    ...(id !== null && { session: id }),
    message: () => conversation.messages.findLast(({ role }) => role === "assistant")?.id ?? null,
    ...(model !== null && {
      client: () => model.name,
      onUsage: (usage) => spending.count(usage, model),
    }),
  });
  return [...(approvals.mode === "none" ? [] : ports.tools()), ...chatMemoryTools(memory)];
}
