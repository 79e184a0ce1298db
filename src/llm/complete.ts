/** Adapts a chat model to single prompts, for compaction, summaries and learning. */
import { RetainError } from "../core/errors.ts";
import { ANY, command, hint, option } from "../core/hint.ts";
import type { ChatModel, Usage } from "../core/model.ts";
import type { Model } from "../core/ports/documents.ts";

/** Throws `model` for an incomplete answer. */
export function asModel(
  model: ChatModel,
  signal: AbortSignal = new AbortController().signal,
  onUsage: (usage: Usage) => void = () => {},
): Model {
  return {
    async complete(prompt) {
      const messages = [{ role: "user", text: prompt } as const];
      let text = "";
      for await (const event of model.stream({ system: "", recalled: "", messages, tools: [] }, signal)) {
        if (event.type === "text") text += event.text;
        if (event.type === "end") onUsage(event.usage);
        if (event.type === "failure")
          throw new RetainError("model", event.failure.message, event.failure.hint ?? undefined);
        if (event.type === "end" && event.reason === "length")
          throw new RetainError(
            "model",
            `The answer from ${model.name} exceeded its length limit.`,
            hint`Raise the limit: ${command("config set", option("global"), "model_max_output_tokens", ANY)}`,
          );
        if (event.type === "end" && event.reason === "refused")
          throw new RetainError("model", `${model.name} declined to answer.`);
      }
      return text;
    },
  };
}
