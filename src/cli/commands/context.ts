import type { AssembledContext, ContextPart } from "../../context/parts.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions, countFor } from "../options.ts";
import { heading, table } from "../output.ts";

interface ContextCommandOptions extends CommonOptions {
  query?: string;
  chat?: string;
  session?: string;
  budget?: number;
}

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
      .takes("text");
    addExamples(command, [
      "retain context",
      'retain context --query "how do we deploy?" --session monday',
      "retain context --budget 2000 --verbose > prompt.md",
    ]);
  },

  async run(cli, _args, { query, chat, session, budget }) {
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
