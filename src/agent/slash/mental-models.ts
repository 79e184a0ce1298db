import { command, hint } from "../../core/hint.ts";
import { MENTAL_MODEL_STATES } from "../../core/mental-model.ts";
import { notice, output, type SlashCommand } from "./command.ts";

export const mentalModels: SlashCommand = {
  name: "mental-models",
  usage: "[name]",
  detail: "list standing questions, or show an answer",
  commands: ["mental-models", "mental-models list", "mental-models show"],
  names: "mental-models",
  async *run({ ports }, name) {
    if (name !== "") {
      const { question, answer } = await ports.mentalModels.show(name);
      yield output([`**${question || name}**`, "", answer || "No answer yet."].join("\n"));
      return;
    }
    const found = await ports.mentalModels.list();
    if (found.length === 0) {
      yield notice(
        hint`There are no mental models. Add one: ${command("mental-models add", "team", "Who is in the team?")}`,
      );
      return;
    }
    yield output(
      found
        .map(
          (model) =>
            `- **${model.name}** (${MENTAL_MODEL_STATES[model.state]}): ${model.problem ?? (model.question || "your own text")}`,
        )
        .join("\n"),
    );
  },
};
