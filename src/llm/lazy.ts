/** A model whose SDK is loaded at its first request, or by `prepare`. */
import type { ChatModel } from "../core/model.ts";
import { costOf } from "./prices.ts";
import type { ModelSpec } from "./spec.ts";

export function lazyChatModel(spec: ModelSpec): ChatModel {
  let loading: Promise<ChatModel> | null = null;
  const load = () => {
    loading ??= import("./ai-sdk.ts").then(({ openChatModel }) => openChatModel(spec));
    return loading;
  };
  // If loading fails, the first request reports it.
  const prepare = () => void load().catch(() => {});
  return {
    name: `${spec.provider}/${spec.model}`,
    contextTokens: spec.contextTokens,
    costOf: (usage) => costOf(spec, usage),
    prepare,
    async *stream(request, signal) {
      yield* (await load()).stream(request, signal);
    },
  };
}
