import { Option } from "commander";
import type { Retain } from "../../app.ts";
import { namedMoment } from "../../core/dates/named-time.ts";
import { endDay } from "../../core/facts/fact.ts";
import { factInWords, type OwnedFact } from "../../facts/list-facts.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Cell, heading, table } from "../output.ts";

interface FactsOptions extends CommonOptions {
  all?: boolean;
  superseded?: boolean;
  asOf?: string;
  chat?: string;
  unconfirmed?: boolean;
}

export const facts: CliCommand<FactsOptions> = {
  define(command) {
    command
      .addOption(new Option("--all", "include facts that have ended").conflicts("superseded"))
      .option("--superseded", "only facts that have ended")
      .option("--as-of <date>", 'facts that were true at the end of a day: 2026-01-31, "yesterday"')
      .takes("text")
      .option("--chat <name>", "only facts of this chat")
      .takes("chat")
      .option("--unconfirmed", "only unconfirmed facts");
    addExamples(command, ["retain facts", "retain facts --superseded", "retain facts --as-of 2026-01-31"]);
  },

  async run(context, _args, options) {
    const { all, superseded, asOf, chat, unconfirmed } = options;
    const retain = context.open();
    const listed = await retain.facts.list({
      which: all ? "all" : superseded ? "superseded" : "holding",
      ...(asOf === undefined
        ? {}
        : { asOf: new Date(namedMoment(asOf, "until", retain.now(), "--as-of 2026-01-31")) }),
      ...(chat === undefined ? {} : { chat }),
      ...(unconfirmed === undefined ? {} : { unconfirmed }),
    });
    return {
      data: { facts: listed, total: listed.length },
      text: listed.length > 0 ? asTable(context, listed) : nothing(retain, options),
      quiet: listed.map(({ id }) => id).join("\n"),
    };
  },
};

const [FACT, CATEGORY] = [1, 2];

function nothing({ config }: Retain, { superseded, asOf, chat, unconfirmed }: FactsOptions): string {
  if (unconfirmed) return "No facts are unconfirmed.";
  if (superseded || asOf !== undefined || chat !== undefined)
    return "No matching facts. List all facts: retain facts --all";
  return config.settings.memory_backend === "hindsight"
    ? "No facts here: they are on the Hindsight server. Find them: retain search tea"
    : 'No facts yet. Save one: retain remember "Prefers tea"';
}

/** Shows the origin if facts of both home and project are listed: it tells which file to edit. */
function asTable({ terminal }: Context, listed: readonly OwnedFact[]): string {
  const isMixed = listed.some(({ origin }) => origin !== listed[0]?.origin);
  const rows = listed.map((fact): Cell[] => [
    { text: fact.id, style: "cyan" },
    fact.ended_at === null ? factInWords(fact) : { text: factInWords(fact), style: "dim" },
    [fact.chat === null ? "" : `${fact.chat}: `, fact.category].join(""),
    ...(isMixed ? [fact.origin] : []),
    held(fact),
  ]);
  const header = heading("ID", "FACT", "CATEGORY", ...(isMixed ? ["ORIGIN"] : []), "SINCE");
  const count = terminal.style("dim", plural(listed.length, "fact"));
  return [...table(terminal, [header, ...rows], [FACT, CATEGORY]), count].join("\n");
}

/** A cell that is never cut, so an ended fact doesn't look current in a narrow window. */
function held({ created_at, ended_at, until }: OwnedFact): string {
  const since = localDay(created_at);
  return ended_at === null ? since : `${since} to ${endDay({ ended_at, until })}`;
}
