import type { CliCommand } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { keptOutput } from "./remember.ts";

interface LogOptions extends CommonOptions {
  chat?: string;
  allowSecret?: boolean;
}

export const log: CliCommand<LogOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("<note...>", '"Title: text", or just text')
      .option("--chat <name>", "in this chat's own log")
      .option("--allow-secret", "keep it although it looks like a key or a password");
    addExamples(command, [
      'retain log "Release: 0.2 is out"',
      'retain log --chat work "Met Ana about the budget"',
      'retain log "Bug hunt: the lock was never released"',
    ]);
  },

  async run(context, words, { chat, allowSecret }) {
    return keptOutput(context, await context.open().memories.log(words.join(" "), { chat, allowSecret }));
  },
};
