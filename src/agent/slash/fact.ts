/** A fact with its source, and what can be done with it. */
import { endInWords, shownTrust } from "../../core/facts/fact.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import type { Provenance } from "../../facts/why.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { SlashContext } from "../slash-context.ts";
import { type Shown, sessionActions } from "./shown.ts";

const LONGEST_QUOTE = 400;
const LONGEST_LABEL = 80;

export function explained({ fact, before, after, message }: Provenance): string {
  const { by, session } = fact.source;
  const said = message === null ? [] : ["", `> ${truncate(oneLine(message.content), LONGEST_QUOTE)}`];
  return [
    `**${fact.text}**`,
    "",
    `- known since ${fact.created_at}, ${shownTrust(fact)}, by ${by}${session === null ? "" : ` in ${session}`}`,
    ...before.map(({ text }) => `- replaced: ${text}`),
    ...(after === null
      ? [endInWords(fact)].filter(Boolean).map((end) => `- ${end}`)
      : [`- replaced by: ${after.text}`]),
    ...said,
  ].join("\n");
}

export function shownFact(chat: SlashContext, provenance: Provenance): Shown {
  const { fact, before, origin } = provenance;
  const { id, file, ended_at, source } = fact;
  const isCurrent = ended_at === null;
  const act = (command: string, label: string, detail: string) => ({ command, value: id, label, detail });
  const earlier = before.find(({ superseded_by }) => superseded_by === id);
  return {
    text: `${explained(provenance)}\n- fact ${id} in ${file}`,
    actions: [
      ...(isCurrent && isInferredFile(file)
        ? [{ ...act("/confirm", "Confirm", "it is true"), key: "y" }]
        : []),
      ...(isCurrent ? [act("/edit", "Edit", "in the input")] : []),
      ...(isCurrent && earlier !== undefined
        ? [act("/undo", "Restore the earlier version", truncate(oneLine(earlier.text), LONGEST_LABEL))]
        : []),
      ...(isCurrent ? [] : [act("/undo", "Restore", "make it current again")]),
      ...(source.session === null ? [] : sessionActions(chat, source.session, origin)),
      act("/forget", "Forget", "permanently"),
    ],
  };
}
