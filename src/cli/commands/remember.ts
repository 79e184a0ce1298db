import { forWhom } from "../../core/facts/memory-changes.ts";
import { withEnd } from "../../core/facts/until.ts";
import type { Written } from "../../facts/write/written.ts";
import { truncate } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { textOfWords } from "../input.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import type { Output } from "../output.ts";

interface RememberOptions extends CommonOptions {
  category?: string;
  chat?: string;
  tags?: string;
  key?: string;
  replaces?: string;
  until?: string;
  allowSecret?: boolean;
}

export const remember: CliCommand<RememberOptions> = {
  freeText: true,

  define(command) {
    command
      .argument("<fact...>", "one self-contained sentence, or '-' for stdin")
      .takes("text")
      .option("--category <name>", "the heading in MEMORY.md to save it under")
      .takes("text")
      .option("--chat <name>", "only for this chat")
      .takes("chat")
      .option("--tags <tags>", "separated by commas")
      .takes({ listOf: "tag" })
      .option("--key <name>", "save it under this name, replacing the fact saved there before")
      .takes("text")
      .option("--replaces <ids>", "ids of the facts it replaces, separated by commas")
      .takes({ listOf: "fact" })
      .option("--until <day>", 'the last day it is valid: 2026-11-20, friday, "next week"')
      .takes("text")
      .option("--allow-secret", "save it even if it looks like a key or a password");
    addExamples(command, [
      'retain remember "Prefers TypeScript over JavaScript"',
      'retain remember "Timezone: Europe/Madrid" --category "User Preferences"',
      'retain remember --key "Deploy day" "Tuesdays after the backup"',
      'retain remember --until friday "Nora is on leave"',
      'retain remember --global "Birthday: March 15"',
    ]);
  },

  async run(context, words, { category, chat, tags, key, replaces, until, allowSecret }) {
    const retain = context.open();
    const text = await textOfWords(words, retain.config.settings.max_document_bytes);
    const kept = await retain.facts.remember(text, {
      category,
      chat,
      allowSecret,
      key,
      tags: listed(tags),
      replaces: listed(replaces),
      ...(until === undefined ? {} : { until }),
    });
    return keptOutput(context, kept);
  },
};

/** "a, b" */
function listed(words: string | undefined): string[] | undefined {
  return words
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** A long fact fits on a few lines. */
const LONGEST_SHOWN = 200;

const KEEP_PRIVATE =
  "  others can read it once it is committed; to keep it private: retain undo, then --global";

/** Saved, already known, replaced and ended facts. */
export function keptOutput({ terminal }: Context, kept: Written): Output {
  const paint: Paint = terminal.style.bind(terminal);
  const isShared = kept.saved.some(({ shared }) => shared);
  return {
    data: kept,
    text: [...keptLines(kept, paint), ...(isShared ? [paint("dim", KEEP_PRIVATE)] : [])].join("\n"),
    quiet: [...kept.saved, ...(kept.queued ?? [])]
      .map(({ id }) => id)
      .concat(kept.skipped.map(({ as }) => as))
      .join("\n"),
  };
}

type Paint = Context["terminal"]["style"];

export function keptLines(
  { saved, skipped, superseded, ended, unknown, queued = [], working }: Written,
  paint: Paint,
): string[] {
  const shown = (text: string) => truncate(text, LONGEST_SHOWN);
  const lines = saved.map(
    ({ id, text, until, ...one }) =>
      `${paint("green", `✦ Memory saved${forWhom(one)}:`)} ${withEnd(shown(text), until)} ${paint("dim", id)}`,
  );
  for (const { doubts } of saved)
    if (doubts !== undefined)
      lines.push(paint("dim", `  may replace: ${shown(doubts)} (decide: retain review)`));
  for (const { id, text, everywhere } of queued)
    lines.push(
      `${paint("green", `✦ Memory queued${forWhom({ everywhere })}:`)} ${shown(text)} ${paint("dim", id)}`,
    );
  for (const { text, why } of superseded)
    lines.push(paint("dim", `  replaces: ${shown(text)} (${why}; undo: retain undo)`));
  for (const { text } of ended) lines.push(paint("dim", `  ended: ${shown(text)} (undo: retain undo)`));
  for (const id of unknown) lines.push(paint("dim", `  no fact has the id ${id}, so none was replaced`));
  for (const { text, as, why } of skipped)
    lines.push(paint("dim", `  already known: ${shown(text)} (${why}: ${as})`));
  if (working !== "unchanged") lines.push(paint("dim", `  working memory ${working}`));
  return lines;
}
