import { RetainError } from "../../core/errors.ts";
import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";

interface ReflectOptions extends CommonOptions {
  model?: string;
}

export const reflect: CliCommand<ReflectOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("<query...>", "a question")
      .option("--model <name>", "who writes the answer: provider/model, or 'none'");
    addExamples(command, ['retain reflect "what did we decide about deploys?"']);
  },

  async run() {
    throw new RetainError("usage", "This is not there yet.");
  },
};
