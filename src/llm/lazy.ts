/** A model that is known by its name at once, and whose SDK is loaded when it is first asked, or a little before. */
import type { ChatModel } from "../core/model.ts";
import { costOf } from "./prices.ts";
import type { ModelSpec } from "./spec.ts";

export function lazyChatModel(spec: ModelSpec): ChatModel {
  let loading: Promise<ChatModel> | null = null;
  const load = () => {
    loading ??= import("./ai-sdk.ts").then(({ openChatModel }) => openChatModel(spec));
    return loading;
  };
  // Where it cannot be loaded, whoever asks the model first is told.
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
