import { sourceLines } from "../../agent/reflect/sources.ts";
import { oneLine } from "../../util/text.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { tellIfEmpty } from "./search.ts";

interface ReflectOptions extends CommonOptions {
  model?: string;
}

export const reflect: CliCommand<ReflectOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("<query...>", "a question, as a full sentence")
      .takes("text")
      .option(
        "--model <name>",
        "the model that writes the answer, such as ollama/qwen3; 'none' quotes memory",
      )
      .takes("model");
    addExamples(command, [
      'retain reflect "why did we move to Postgres?"',
      'retain reflect --model none "what does Ada prefer?"',
    ]);
  },

  async run(context, words, { model }) {
    const query = words.join(" ");
    const retain = context.open();
    const reflection = await retain.reflect(query, model === undefined ? {} : { model });
    const { answer, citations, notices } = reflection;
    for (const notice of notices) context.terminal.say(oneLine(notice));
    if (citations.length === 0) tellIfEmpty(context, retain);
    const sources = sourceLines(citations, (marks) => context.terminal.style("dim", marks)).map(
      (line) => `  ${line}`,
    );
    return {
      data: { query, ...reflection },
      text: citations.length === 0 ? answer : [answer, "", "Sources:", ...sources].join("\n"),
      quiet: answer,
    };
  },
};
