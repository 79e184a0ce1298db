/** retain: saves facts. The result counts those stored and says what happened to each of the others. */

import { fenced } from "../../context/fence.ts";
import { LONGEST_FACT } from "../../core/facts/fact-text.ts";
import { forWhom } from "../../core/facts/memory-changes.ts";
import { withEnd } from "../../core/facts/until.ts";
import type { Retained } from "../../facts/write/retain.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import type { MemoryToolResult } from "../memory-tool.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { listOf, mayChoice, mayText, mayTexts, sentence } from "./fields.ts";
import { replacedText } from "./memory-text.ts";
import type { ConversationPorts } from "./ports.ts";

const MOST_ITEMS = 100;

export function retainTool({ facts, source, usesNetwork }: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "retain",
    title: "Save facts",
    description:
      "Saves facts for later conversations, as soon as you learn them: preferences, decisions with reasons, names, dates, how things " +
      "are done. The result lists similar facts: if one is now outdated, call again with its id in replaces. Not for secrets, small " +
      "talk, known facts or long texts (memory_put).",
    example: {
      items: [{ content: "Fridays after the backup", key: "Deploy day", context: "release planning" }],
    },
    effect: "write",
    destructive: false,
    idempotent: true,
    openWorld: usesNetwork(),
    fields: {
      items: listOf(
        {
          content: sentence(
            "One self-contained statement with names, not 'he' or 'it'; '' only ends the facts in replaces.",
            LONGEST_FACT,
            0,
          ),
          context: mayText("Where it comes from."),
          key: mayText("For state that changes, such as 'Deploy day': the same key replaces the old value."),
          replaces: mayTexts("Ids of known facts that end."),
          scope: mayChoice("'global': about the user, or true everywhere.", ["project", "global"]),
          until: mayText("Its last day: 2026-11-20."),
        },
        MOST_ITEMS,
      ),
    },
    run: async ({ items }) => resultOf(await facts.retain(items, source())),
  });
}

function resultOf(retained: Retained): MemoryToolResult {
  const { saved, skipped, superseded, ended, unknown, refused, failed, queued = [] } = retained;
  const count = saved.length + queued.length;
  const stored = `${plural(count, "memory", "memories")} ${queued.length > 0 ? "queued" : "stored"}`;
  const lines = [
    ...saved.map(
      ({ text, until, ...one }) =>
        `stored as fact ${one.id}${forWhom(one)}: ${withEnd(JSON.stringify(text), until)}`,
    ),
    ...queued.map(({ text, ...one }) => `queued as fact ${one.id}${forWhom(one)}: ${JSON.stringify(text)}`),
    ...skipped.map(({ text, as, why }) => `already known as fact ${as} (${why}): ${JSON.stringify(text)}`),
    ...ended.map(({ id }) => `ended: fact ${id}`),
    ...unknown.map((id) => `no fact has the id ${id}, so none was replaced`),
    ...[...refused, ...failed].map(({ text, why }) => `not stored: ${JSON.stringify(text)}: ${why}`),
  ].map((line) => `\n- ${oneLine(line)}`);
  const similar = saved.flatMap(similarTo);
  return {
    ok: count + skipped.length + ended.length > 0,
    text: [
      `${stored}.${lines.join("")}`,
      ...(superseded.length === 0 ? [] : [replacedText(superseded)]),
      ...(similar.length === 0 ? [] : [similarText(similar)]),
    ].join("\n\n"),
    brief: stored,
    data: {
      count,
      stored: saved.map((one) => ({
        ...{ id: one.id, text: one.text, file: one.file },
        ...{ until: one.until ?? null, similar: similarTo(one) },
      })),
      known: skipped.map(({ text: said, as, why }) => ({ text: said, id: as, why })),
      superseded: superseded.map(({ id, text: old, by, why }) => ({ id, text: old, by, why })),
      ended: ended.map(({ id, text }) => ({ id, text })),
      unknown: [...unknown],
      refused: refused.map(({ text: said, why }) => ({ text: said, why })),
      failed: failed.map(({ text: said, why }) => ({ text: said, why })),
      queued: queued.map(({ id, text: said }) => ({ id, text: said })),
    },
  };
}

function similarTo({ nearby = [] }: Retained["saved"][number]) {
  return nearby.map(({ id, text, created_at, similarity }) => ({
    ...{ id, text, day: created_at === "" ? "" : localDay(created_at) },
    similarity: Math.round(similarity * 100) / 100,
  }));
}

function similarText(similar: ReturnType<typeof similarTo>): string {
  const lines = similar.map(({ id, text, day, similarity }) =>
    oneLine(`- fact ${id}, ${day}, similarity ${similarity}: ${text}`),
  );
  return fenced("Similar facts; replace or end any that are now outdated", lines.join("\n"));
}
