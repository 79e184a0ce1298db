import { endInWords, type Fact, shownTrust } from "../../core/facts/fact.ts";
import type { Message } from "../../core/sessions/conversation.ts";
import type { Provenance } from "../../facts/why.ts";
import { localDay, oneLine, truncate } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples } from "../options.ts";

export const why: CliCommand = {
  define(command) {
    command.argument("<id>", "the id of a fact, or its prefix");
    addExamples(command, ["retain why 3f9a2xw0c1", "retain why 3f9a --json"]);
  },

  async run(context, [id = ""]) {
    const found = await context.open().facts.why(id);
    return { data: found, text: lines(context, found).join("\n") };
  },
};

function lines(
  { terminal }: Context,
  { fact, before, after, message, around, origin }: Provenance,
): string[] {
  const dim = (text: string) => terminal.style("dim", text);
  const found = [
    `${fact.text} ${dim(fact.id)}`,
    `${dim("in")} ${origin === "home" ? "home" : "project"}: ${fact.file}, ${fact.category}`,
    `${dim("since")} ${localDay(fact.created_at)}, ${source(fact)}`,
  ];
  if (after !== null)
    found.push(`${dim("superseded")} by ${after.text} ${dim(after.id)}, ${localDay(fact.ended_at ?? "")}`);
  else if (endInWords(fact) !== "") found.push(endInWords(fact));
  for (const old of before)
    found.push(`${dim("replaces")} ${old.text} ${dim(`${old.id}, since ${localDay(old.created_at)}`)}`);
  if (fact.because !== null) found.push(`${dim("because")} ${fact.because}`);
  if (message !== null) {
    found.push("", dim(`session ${message.session}, message ${message.id}:`));
    const turns = [...around, message].sort((a, b) => a.id - b.id);
    for (const turn of turns) found.push(spoken(turn, turn.id === message.id));
  } else if (fact.source.message !== null) found.push(dim("The source message no longer exists."));
  return found;
}

function source(fact: Fact): string {
  const { by, session, message } = fact.source;
  const from =
    session === null ? "" : `, session ${session}${message === null ? "" : `, message ${message}`}`;
  return `${by === "hand" ? "written by hand" : `by ${by}`}${from} (${shownTrust(fact)})`;
}

const EXCERPT = 200;

/** The source message in full, its neighbours on one line each. */
function spoken({ speaker, role, content }: Message, whole: boolean): string {
  const text = whole ? content.trim() : truncate(oneLine(content), EXCERPT);
  return `${whole ? "> " : "  "}${speaker ?? role}: ${text.replaceAll("\n", whole ? "\n> " : " ")}`;
}
