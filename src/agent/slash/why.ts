/** Where a fact came from, and the memories behind the last reply. */
import { unlessMissing } from "../../core/errors.ts";
import { clearlyNamed } from "../../facts/forget/find.ts";
import { NOTHING_FOUND } from "../../recall/outcome.ts";
import type { SearchHit } from "../../recall/search.ts";
import { localDay } from "../../util/days.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { DraftEvent, Picker } from "../events.ts";
import { memoryName } from "../offline.ts";
import type { SlashContext } from "../slash-context.ts";
import { notice, output, type SlashCommand } from "./command.ts";
import { explained } from "./fact.ts";
import { labelOf, MOST_HITS, nameOf } from "./search.ts";

/** Characters of a used memory; the list shows all of the marked one. */
const LONGEST_LABEL = 300;

export const why: SlashCommand = {
  name: "why",
  usage: "[words or id]",
  detail: "show where a fact came from, or the memories of the last reply",
  commands: ["why"],
  names: "facts",
  async *run(chat, said) {
    if (said !== "") {
      yield await named(chat, said);
      return;
    }
    const items = await usedMemories(chat);
    const title = "Memories used for the last reply";
    if (items.length === 0) yield notice("The last reply used no recalled memories.");
    else yield { type: "picker", picker: { title, command: "/memory", items } };
  },
};

/** The fact with this id or these words, or all memories that may be meant. */
async function named({ ports: { facts } }: SlashContext, said: string): Promise<DraftEvent> {
  const provenance = await unlessMissing(facts.why(said));
  if (provenance !== null) return output(explained(provenance));
  const sought = await facts.findToForget(said);
  const clear = clearlyNamed(sought);
  if (clear?.kind === "fact") return output(explained(await facts.why(clear.id)));
  if (sought.found.length === 0) return notice(NOTHING_FOUND);
  const items = sought.found.map(({ kind, id, text }) => {
    return {
      value: `${kind} ${id}`,
      label: truncate(oneLine(text), LONGEST_LABEL),
      detail: `${kind}, ${id}`,
    };
  });
  const title = sought.by === "near" ? "No exact match. The nearest memories" : "Memories with these words";
  return { type: "picker", picker: { title, command: "/memory", items } };
}

/** Their names are stored with the reply. Repeats the recall for their texts, and looks up facts that it no longer finds. */
async function usedMemories(chat: SlashContext): Promise<Picker["items"]> {
  const { said } = chat.conversation;
  const at = said.findLastIndex(({ role }) => role === "assistant");
  const names = new Set(said[at]?.details.context?.flatMap(({ memories = [] }) => memories));
  if (names.size === 0) return [];
  chat.searched = said.slice(0, at).findLast(({ role }) => role === "user")?.content ?? "";
  const hits = await chat.ports.recall(chat.searched, { limit: MOST_HITS });
  return Promise.all(
    [...names].map(async (name) => {
      const hit = hits.find((one) => memoryName(one) === name);
      if (hit !== undefined) return itemOf(hit, name);
      const [kind = "", id = ""] = name.split(" ");
      const fact = kind === "fact" ? await factOf(id) : null;
      const detail = fact === null ? "" : `${localDay(fact.created_at)}, ${name}`;
      return { value: name, label: fact === null ? name : oneLine(fact.text), detail };
    }),
  );

  function itemOf(hit: SearchHit, name: string): Picker["items"][number] {
    const day = hit.at === null ? "" : `${localDay(hit.at)}, `;
    return { value: nameOf(hit), label: labelOf(hit, LONGEST_LABEL), detail: day + name };
  }
  /** null: forgotten since. */
  async function factOf(id: string) {
    const found = await chat.ports.facts.why(id).catch(() => null);
    return found?.fact ?? null;
  }
}
