import type { Identified } from "../../app/find-by-id.ts";
import type { Retain } from "../../app.ts";
import { RetainError, unlessMissing } from "../../core/errors.ts";
import { endInWords, type Fact, shownTrust } from "../../core/facts/fact.ts";
import type { Message } from "../../core/sessions/conversation.ts";
import { clearlyNamed, type ToForget } from "../../facts/forget/find.ts";
import type { Provenance } from "../../facts/why.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import { addExamples } from "../options.ts";
import { severalMemories } from "../several-memories.ts";

export const why: CliCommand = {
  freeText: true,

  define(command) {
    command
      .argument(
        "<id|query...>",
        "any id that Retain lists, the start of a fact's id, or words from a fact or note",
      )
      .takes("fact");
    addExamples(command, ["retain why 3f9a2xw0c1", 'retain why "dentist"', "retain why 3f9a --json"]);
  },

  async run(context, words) {
    const retain = context.open();
    const said = words.join(" ").trim();
    if (said === "")
      throw new RetainError(
        "usage",
        "Which memory? Pass an id or words of it.",
        "To list facts with their ids: retain facts",
      );
    const found = (await unlessMissing(retain.find(said))) ?? (await named(retain, said));
    if ("by" in found) return severalMemories(context, found, "Pass one id: retain why <id>");
    if (found.kind === "fact")
      return { data: found.provenance, text: factLines(context, found.provenance).join("\n") };
    const { kind, ...data } = found;
    return { data: { kind, ...data }, text: otherLines(context, found).join("\n") };
  },
};

/** The one memory with these words, or all that may be meant. Throws `not_found`. */
async function named(retain: Retain, said: string): Promise<Identified | ToForget> {
  const sought = await retain.facts.findToForget(said);
  const clear = clearlyNamed(sought);
  if (clear !== null) return retain.find(clear.id);
  if (sought.found.length > 0) return sought;
  throw new RetainError(
    "not_found",
    `No memory has the id or the words ${JSON.stringify(said)}.`,
    "List the facts with their ids: retain facts",
  );
}

function factLines(
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

/** Where a document, note, message or conversation is, since when, and who wrote it. */
function otherLines({ terminal }: Context, found: Exclude<Identified, { kind: "fact" }>): string[] {
  const dim = (text: string) => terminal.style("dim", text);
  if (found.kind === "document") {
    const { title, id, file_path, created_at, created_by, updated_at, updated_by } = found.document;
    return [
      `${title} ${dim(id)}`,
      `${dim("in")} ${file_path}`,
      `${dim("since")} ${created_at === null ? "unknown" : localDay(created_at)}${created_by === null ? "" : `, by ${created_by}`}`,
      ...(updated_at === null
        ? []
        : [`${dim("changed")} ${localDay(updated_at)}${updated_by === null ? "" : `, by ${updated_by}`}`]),
    ];
  }
  if (found.kind === "note") {
    const { id, origin, day, time, title } = found.note;
    return [
      `${title} ${dim(id)}`,
      `${dim("in")} ${origin}: the log of ${day}`,
      `${dim("since")} ${day} ${time}`,
    ];
  }
  if (found.kind === "message") {
    const { message, around } = found;
    const turns = [...around.filter(({ id }) => id !== message.id), message].sort((a, b) => a.id - b.id);
    return [
      `${dim("in")} session ${message.session}, message ${message.id}`,
      `${dim("since")} ${localDay(message.timestamp)}`,
      ...turns.map((turn) => spoken(turn, turn.id === message.id)),
    ];
  }
  const { id, title, chat, origin, created_at, messages } = found.session;
  return [
    `${title ?? "Untitled"} ${dim(id)}`,
    `${dim("in")} ${origin}: chat ${chat}, ${plural(messages, "message")}`,
    `${dim("since")} ${localDay(created_at)}`,
  ];
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
