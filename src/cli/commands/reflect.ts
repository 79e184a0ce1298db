import type { Citation } from "../../agent/reflect/passages.ts";
import { oneLine, truncate, withoutControls } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { isTerminal } from "../tty.ts";
import { tellIfEmpty } from "./search.ts";

interface ReflectOptions extends CommonOptions {
  model?: string;
}

export const reflect: CliCommand<ReflectOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("<query...>", "a question, in a whole sentence")
      .option("--model <name>", "who writes the answer, such as ollama/qwen3; 'none' quotes memory alone");
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
    const shown = isTerminal("stdout") ? withoutControls(answer) : answer;
    return {
      data: { query, ...reflection },
      text: citations.length === 0 ? shown : `${shown}\n\n${sources(context, citations)}`,
      quiet: answer,
    };
  },
};

const LONGEST = 100;

function sources({ terminal }: Context, citations: readonly Citation[]): string {
  const lines = citations.map(({ id, kind, text, date }) => {
    const marks = [...(date === null ? [] : [date]), kind].join(", ");
    return `  [${oneLine(id)}] ${terminal.style("dim", `(${marks})`)} ${truncate(oneLine(text), LONGEST)}`;
  });
  return ["Sources:", ...lines].join("\n");
}
