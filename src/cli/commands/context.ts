import type { BlockChange } from "../../app/context-files.ts";
import type { AssembledContext, ContextPart } from "../../context/parts.ts";
import { RetainError } from "../../core/errors.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions, countFor } from "../options.ts";
import { heading, type Output, table } from "../output.ts";

interface ContextCommandOptions extends CommonOptions {
  query?: string;
  chat?: string;
  session?: string;
  budget?: number;
  write?: string;
  undo?: boolean;
}

/** A file that an agent reads in every session should stay small. */
const BLOCK_TOKENS = 2_000;

export const context: CliCommand<ContextCommandOptions> = {
  define(command) {
    command
      .option("--query <text>", "the user's message; adds memory relevant to it")
      .takes("text")
      .option("--chat <name>", "the chat whose memory to include (default: the project's, or 'main')")
      .takes("chat")
      .option("--session <id>", "the session whose working memory to include")
      .takes("session")
      .option("--budget <tokens>", "maximum size (default: the setting context_budget)", countFor("--budget"))
      .takes("text")
      .option("--write <file>", "keep a block of facts up to date in a file such as AGENTS.md")
      .takes("file")
      .option("--undo", "with --write: remove the block again");
    addExamples(command, [
      "retain context",
      'retain context --query "how do we deploy?" --session monday',
      "retain context --budget 2000 --verbose > prompt.md",
      "retain context --write AGENTS.md",
    ]);
  },

  async run(cli, _args, { query, chat, session, budget, write, undo }) {
    if (write !== undefined) {
      if (query !== undefined || chat !== undefined || session !== undefined)
        throw new RetainError("usage", "--write takes no query, chat or session.", "Omit them.");
      return block(cli, write, undo ? null : (budget ?? BLOCK_TOKENS));
    }
    if (undo) throw new RetainError("usage", "--undo needs --write.", "Name the file with --write.");
    const assembled = await cli.open().context({ query, chat, session, budget });
    const { text, parts } = assembled;
    if (cli.options.verbose) explain(cli, assembled);
    else
      for (const { name, title, included, shortened, why } of parts) {
        const isNoNews = included ? !shortened : name === "relevant" && !query?.trim();
        if (!isNoNews) cli.terminal.say(`${included ? "shortened" : "left out"}: ${title}: ${why}`);
      }
    return { data: assembled, text };
  },
};

/** Writes the block, or removes it if there is no budget. */
async function block(cli: Context, path: string, budget: number | null): Promise<Output> {
  const { writeContextFile, removeContextFile } = await import("../../app/context-files.ts");
  const retain = cli.open();
  const cwd = process.cwd();
  const change =
    budget === null
      ? removeContextFile(retain, path, cwd)
      : await writeContextFile(retain, path, { budget, cwd, isGlobal: cli.scope === "global" });
  return { data: change, text: said(change), quiet: change.file };
}

function said({ action, file, facts }: BlockChange): string {
  const count = plural(facts, "fact");
  if (action === "added") return `Added a block with ${count} to ${file}. Later commands keep it up to date.`;
  if (action === "updated") return `Updated the block in ${file}: ${count}.`;
  if (action === "unchanged") return `The block in ${file} is up to date: ${count}.`;
  return action === "removed" ? `Removed the block from ${file}.` : `There is no block in ${file}.`;
}

function explain({ terminal }: Context, { parts, tokens, budget }: AssembledContext): void {
  const rows = parts.map((part) => [
    part.title,
    String(part.tokens),
    stateOf(part),
    part.path ?? "",
    part.why ?? "",
  ]);
  const header = heading("PART", "TOKENS", "IN", "FILE", "WHY");
  for (const line of table(terminal, [header, ...rows], null)) terminal.explain(line);
  terminal.explain(`${tokens} of ${budget} tokens`);
}

function stateOf({ included, shortened }: ContextPart): string {
  if (!included) return "no";
  return shortened ? "in part" : "yes";
}
