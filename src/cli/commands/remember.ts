import type { Kept } from "../../retention/keep.ts";
import type { CliCommand, Context } from "../command.ts";
import { textOfWords } from "../input.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface RememberOptions extends CommonOptions {
  category?: string;
  chat?: string;
  tags?: string;
  allowSecret?: boolean;
}

export const remember: CliCommand<RememberOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("<fact...>", "one sentence that stands by itself, or '-' for stdin")
      .option("--category <name>", "the heading in MEMORY.md that it goes under")
      .option("--chat <name>", "for this chat alone")
      .option("--tags <tags>", "separated by commas")
      .option("--allow-secret", "keep it although it looks like a key or a password");
    addExamples(command, [
      'retain remember "Prefers TypeScript over JavaScript"',
      'retain remember "Timezone: Europe/Madrid" --category "User Preferences"',
      'retain remember --global "Birthday: March 15"',
    ]);
  },

  async run(context, words, { category, chat, tags, allowSecret }) {
    const retain = context.open();
    const text = await textOfWords(words, retain.config.settings.max_document_bytes);
    const kept = await retain.memories.remember(text, {
      category,
      chat,
      allowSecret,
      tags: tags
        ?.split(",")
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ""),
    });
    return keptOutput(context, kept);
  },
};

/** What was stored, what was known already, and what went. */
export function keptOutput({ terminal }: Context, kept: Kept): Output {
  return {
    data: kept,
    text: keptLines(kept, terminal.style.bind(terminal)).join("\n"),
    quiet: [...kept.saved, ...(kept.queued ?? [])]
      .map(({ id }) => id)
      .concat(kept.skipped.map(({ as }) => as))
      .join("\n"),
  };
}

type Paint = Context["terminal"]["style"];

export function keptLines(
  { saved, skipped, superseded, queued = [], working }: Kept,
  paint: Paint,
): string[] {
  const lines = saved.map(
    ({ id, text }) => `${paint("green", "✦ Memory saved:")} ${text} ${paint("dim", id)}`,
  );
  for (const { id, text } of queued)
    lines.push(`${paint("green", "✦ Memory queued:")} ${text} ${paint("dim", id)}`);
  for (const { text, why } of superseded)
    lines.push(paint("dim", `  in the place of: ${text} (${why}; undo: retain undo)`));
  for (const { text, as, why } of skipped)
    lines.push(paint("dim", `  known already: ${text} (${why}: ${as})`));
  if (working !== "unchanged") lines.push(paint("dim", `  working memory ${working}`));
  return lines;
}
