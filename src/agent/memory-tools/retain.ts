/** retain: facts that are worth knowing later. It counts what was stored, and says of everything else what became of it. */
import type { Retained } from "../../retention/retain.ts";
import { plural } from "../../util/text.ts";
import type { MemoryTool, MemoryToolResult } from "../memory-tool.ts";
import { memoryTool } from "./define.ts";
import { listOf, mayText, sentence } from "./fields.ts";
import { COUNT, listOfSchema, record, STRING } from "./output.ts";
import type { ConversationPorts } from "./ports.ts";

const MOST_ITEMS = 100;
/** A longer text is a document. */
const LONGEST = 2_000;

const NOT_KEPT = listOfSchema(record({ text: STRING, why: STRING }));

export function retainTool({ memories, origin }: ConversationPorts): MemoryTool {
  return memoryTool({
    name: "retain",
    title: "Keep facts",
    description:
      "Keeps facts for later conversations: preferences, decisions with their reasons, names, dates, how things are done. Call it " +
      "as soon as you learn one, with all of them at once; each is one statement that is understood by itself. Not for secrets, " +
      "small talk, what is known already, or long texts (memory_put). What is kept here needs no mark.",
    example: {
      items: [{ content: "Deploys run on Fridays after the backup.", context: "release planning" }],
    },
    readOnly: false,
    destructive: false,
    idempotent: true,
    fields: {
      items: listOf(
        "What to keep.",
        {
          content: sentence(
            "One self-contained statement, with names instead of 'he', 'it' or 'there'.",
            LONGEST,
          ),
          context: mayText("Where it comes from, in a few words; kept as tags."),
        },
        MOST_ITEMS,
      ),
    },
    output: {
      count: COUNT,
      stored: listOfSchema(record({ id: STRING, text: STRING, file: STRING })),
      known: listOfSchema(record({ text: STRING, id: STRING, why: STRING })),
      superseded: listOfSchema(record({ id: STRING, text: STRING, by: STRING, why: STRING })),
      refused: NOT_KEPT,
      failed: NOT_KEPT,
      queued: listOfSchema(record({ id: STRING, text: STRING })),
    },
    run: async ({ items }) => resultOf(await memories.retain(items, origin())),
  });
}

function resultOf({ saved, skipped, superseded, refused, failed, queued }: Retained): MemoryToolResult {
  const isQueued = queued !== undefined && queued.length > 0;
  const count = saved.length + (queued?.length ?? 0);
  const stored = `${plural(count, "memory", "memories")} ${isQueued ? "queued" : "stored"}`;
  const named = (many: number, one: string, several: string, what: readonly string[]) =>
    many === 0 ? [] : [`${many} ${many === 1 ? one : several}: ${what.join("; ")}.`];
  const newText = new Map(saved.map(({ id, text }) => [id, text]));
  const text = [
    `${stored}.`,
    ...superseded.map(
      ({ text: old, by }) => `${quoted(newText.get(by) ?? by)} took the place of ${quoted(old)}.`,
    ),
    ...named(
      skipped.length,
      "was known already",
      "were known already",
      skipped.map(({ text: said, as }) => `${quoted(said)} (${as})`),
    ),
    ...named(refused.length, "was not kept", "were not kept", refused.map(reason)),
    ...named(failed.length, "could not be stored", "could not be stored", failed.map(reason)),
  ].join(" ");
  return {
    ok: count + skipped.length > 0,
    text,
    brief: stored,
    data: {
      count,
      stored: saved.map(({ id, text: kept, file }) => ({ id, text: kept, file })),
      known: skipped.map(({ text: said, as, why }) => ({ text: said, id: as, why })),
      superseded: superseded.map(({ id, text: old, by, why }) => ({ id, text: old, by, why })),
      refused: refused.map(({ text: said, why }) => ({ text: said, why })),
      failed: failed.map(({ text: said, why }) => ({ text: said, why })),
      queued: (queued ?? []).map(({ id, text: said }) => ({ id, text: said })),
    },
  };
}

function reason({ text, why }: { text: string; why: string }): string {
  return `${quoted(text)}: ${why.replace(/\.$/, "")}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
