import { RetainError } from "../../core/errors.ts";
import type { CliCommand } from "../command.ts";
import { readTextInput, STDIN } from "../input.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { keptLines } from "./remember.ts";

interface IngestOptions extends CommonOptions {
  session?: string;
  chat?: string;
  allowSecret?: boolean;
}

export const ingest: CliCommand<IngestOptions> = {
  define(command) {
    command
      .argument("<file>", "a model's reply: a file, or '-' for stdin")
      .takes("file")
      .option("--session <id>", "the session it belongs to (default: a new one)")
      .takes("session")
      .option("--chat <name>", "the chat (default: the project's, or 'main')")
      .takes("chat")
      .option("--allow-secret", "save text that looks like a key or a password");
    addExamples(command, [
      "some-model < prompt.txt | retain ingest - --session monday",
      "retain ingest reply.md --chat work --json",
    ]);
  },

  async run(context, [file = STDIN], { session, chat, allowSecret }) {
    const retain = context.open();
    const reply = await readTextInput(file, retain.config.settings.max_document_bytes);
    const ingested = await retain.facts.ingest(reply, { session, chat, allowSecret });
    await retain.learning.start();
    const { terminal } = context;
    for (const line of keptLines(ingested, (_, text) => text)) terminal.say(line);
    for (const { text, why, isTooLong } of ingested.refused)
      terminal.warn(
        `Not saved: ${text} (${why}).${isTooLong ? "" : " To save it anyway, pass --allow-secret."}`,
      );
    if (ingested.failed.length === 0) return { data: ingested, text: ingested.visible };
    const problems = ingested.failed.map(({ text, why }) => `Not saved: ${text} (${why})`);
    const failure = new RetainError("partial", "The reply is stored, but some marked facts are not.");
    return { data: ingested, text: ingested.visible, problems, failure };
  },
};
