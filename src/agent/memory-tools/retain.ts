/** retain: facts that are worth knowing later. It counts what was stored, and says of everything else what became of it. */
import type { Retained } from "../../retention/retain.ts";
import { oneLine, plural } from "../../util/text.ts";
import type { MemoryTool, MemoryToolResult } from "../memory-tool.ts";
import { memoryTool } from "./define.ts";
import { listOf, mayText, sentence } from "./fields.ts";
import { replacedText } from "./memory-text.ts";
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

function resultOf({ saved, skipped, superseded, refused, failed, queued = [] }: Retained): MemoryToolResult {
  const count = saved.length + queued.length;
  const stored = `${plural(count, "memory", "memories")} ${queued.length > 0 ? "queued" : "stored"}`;
  const lines = [
    ...saved.map(({ id, text }) => `stored as fact ${id}: ${JSON.stringify(text)}`),
    ...queued.map(({ id, text }) => `queued as fact ${id}: ${JSON.stringify(text)}`),
    ...skipped.map(({ text, as, why }) => `already known as fact ${as} (${why}): ${JSON.stringify(text)}`),
    ...[...refused, ...failed].map(({ text, why }) => `not stored: ${JSON.stringify(text)}: ${why}`),
  ].map((line) => `\n- ${oneLine(line)}`);
  const replaced = superseded.length === 0 ? "" : `\n\n${replacedText(superseded)}`;
  return {
    ok: count + skipped.length > 0,
    text: `${stored}.${lines.join("")}${replaced}`,
    brief: stored,
    data: {
      count,
      stored: saved.map(({ id, text: kept, file }) => ({ id, text: kept, file })),
      known: skipped.map(({ text: said, as, why }) => ({ text: said, id: as, why })),
      superseded: superseded.map(({ id, text: old, by, why }) => ({ id, text: old, by, why })),
      refused: refused.map(({ text: said, why }) => ({ text: said, why })),
      failed: failed.map(({ text: said, why }) => ({ text: said, why })),
      queued: queued.map(({ id, text: said }) => ({ id, text: said })),
    },
  };
}
