import type { CliCommand } from "../command.ts";
import { textOfWords } from "../input.ts";
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
      .argument("<note...>", `"Title: text", just text, or '-' for stdin`)
      .takes("text")
      .option("--chat <name>", "write to this chat's log")
      .takes("chat")
      .option("--allow-secret", "save it even if it looks like a key or a password");
    addExamples(command, [
      'retain log "Release: 0.2 is out"',
      'retain log --chat work "Met Ana about the budget"',
      'retain log "Bug hunt: the lock was never released"',
    ]);
  },

  async run(context, words, { chat, allowSecret }) {
    const retain = context.open();
    const text = await textOfWords(words, retain.config.settings.max_document_bytes);
    return keptOutput(context, await retain.facts.log(text, { chat, allowSecret }));
  },
};
