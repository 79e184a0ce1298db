import { RetainError } from "../../core/errors.ts";
import { notice, type SlashCommand } from "./command.ts";

export const learn: SlashCommand = {
  name: "learn",
  usage: "[on [model]|off]",
  detail: "let a model read finished conversations and note facts",
  choices: () => [
    { value: "on", detail: "read finished conversations" },
    { value: "off", detail: "read none" },
  ],
  async *run(chat, said) {
    const { learning } = chat.ports;
    const [word = "", name] = said.split(/\s+/);
    if (word === "") {
      const state =
        learning.model === null ? "No model reads conversations" : `${learning.model} reads conversations`;
      yield notice(`${state}. To change it: /learn on, /learn off. To see what it found: /review`);
      return;
    }
    if (word !== "on" && word !== "off")
      throw new RetainError("usage", `'${word}' is neither on nor off.`, "For example: /learn on");
    const model = word === "off" ? null : (name ?? chat.model?.name);
    if (model === undefined)
      throw new RetainError("usage", "No model is in use.", "Choose one: /learn on ollama/llama3.2");
    // The current conversation is read, too.
    await learning.use(model, chat.conversation.said[0]?.timestamp);
    yield notice(
      model === null
        ? "No model reads conversations."
        : `${model} reads finished conversations from now on. Review what it finds: /review`,
    );
  },
};
