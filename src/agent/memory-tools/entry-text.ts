/** A fact or a note as text, for memory_get and MCP resources. */
import { fenced } from "../../context/fence.ts";
import { endInWords } from "../../core/facts/fact.ts";
import { shareableText } from "../../core/secrets/shareable.ts";
import type { DayNote } from "../../facts/notes.ts";
import type { Provenance } from "../../facts/why.ts";
import { localDay } from "../../util/days.ts";
import type { Entry } from "./ports.ts";

/** Fenced as data, without private text and secrets. */
export function entryText(entry: Entry): string {
  if (entry.kind === "statement") return fenced("Fact", shareableText(entry.statement.text));
  return entry.kind === "fact"
    ? fenced("Fact", shareableText(factText(entry.provenance)))
    : fenced("Note", shareableText(noteText(entry.note)));
}

function factText({ fact, after, before }: Provenance): string {
  const { text, category, created_at, source } = fact;
  const end = endInWords(fact);
  const lines = [
    `- category: ${category}`,
    `- since: ${localDay(created_at)}${end === "" ? "" : `, ${end}`}`,
    `- trust: ${source.trust}`,
    ...(after === null ? [] : [`- superseded by: ${after.text}`]),
    ...before.map((old) => `- replaced fact ${old.id}: ${old.text}`),
  ];
  return `${text}\n\n${lines.join("\n")}`;
}

function noteText({ day, time, title, text }: DayNote): string {
  return `## ${day} ${time} - ${title}\n\n${text}`;
}
