/** Slash commands that correct what was saved. */
import { RetainError, unlessMissing } from "../../core/errors.ts";
import { CHANGE_ACTIONS, type ChangedMemory } from "../../core/facts/memory-changes.ts";
import { undoneLines } from "../../facts/undo.ts";
import { localDay } from "../../util/days.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { Picker } from "../events.ts";
import { NOTHING_CHANGED } from "../save-marks.ts";
import { notice, output, requireWords, type SlashCommand } from "./command.ts";

const LONGEST_LABEL = 100;

export const saved: SlashCommand = {
  name: "saved",
  usage: "",
  detail: "undo or edit what the last turn saved",
  async *run(chat, said) {
    if (said === "keep") chat.changed = [];
    else if (chat.changed.length === 0) yield notice("The last turn saved nothing that can be undone.");
    else yield { type: "picker", picker: pickerOf(chat.changed) };
  },
};

/** A single memory's actions have keys. */
function pickerOf(changed: readonly ChangedMemory[]): Picker {
  const actions = changed.flatMap((memory) => {
    const text = truncate(oneLine(memory.text), LONGEST_LABEL);
    return CHANGE_ACTIONS[memory.change].map(({ key, label, command, detail }) => {
      const item = { command, value: memory.id, label: `${label}: ${text}`, detail };
      return changed.length === 1 ? { ...item, label, key } : item;
    });
  });
  const keep = { value: "keep", label: changed.length === 1 ? "Keep" : "Keep all", detail: "" };
  const [only] = changed;
  return changed.length === 1 && only !== undefined
    ? {
        title: truncate(oneLine(only.text), LONGEST_LABEL),
        command: "/saved",
        items: [...actions, { ...keep, key: "k" }],
      }
    : { title: "Memories of the last turn", command: "/saved", items: [...actions, keep] };
}

export const undo: SlashCommand = {
  name: "undo",
  usage: "[id]",
  detail: "undo one fact, or the last change",
  commands: ["undo"],
  names: "facts",
  async *run(chat, id) {
    if (id !== "") {
      const withdrawn = await unlessMissing(chat.ports.facts.withdraw(id));
      if (withdrawn === null) throw noSuchFact(id);
      const { removed, restored } = withdrawn;
      chat.conversation.refresh();
      const ids = [removed, ...restored].flatMap((fact) => fact?.id ?? []);
      chat.changed = chat.changed.filter((one) => !ids.includes(one.id));
      if (removed !== null) yield notice(`Undone: ${removed.text}`);
      for (const { text } of restored) yield notice(`Restored: ${text}`);
      return;
    }
    const change = await chat.ports.facts.undo();
    chat.conversation.refresh();
    const shown = ["```diff", ...undoneLines(change), "```"];
    yield output([`Undone: ${change.label} (${localDay(change.at)})`, "", ...shown].join("\n"));
  },
};

function noSuchFact(said: string): RetainError {
  return new RetainError(
    "not_found",
    `No fact has the id ${JSON.stringify(said)}.`,
    "/undo takes a fact's id; alone, it undoes the last change. To find an id: /memory <words>",
  );
}

export const edit: SlashCommand = {
  name: "edit",
  usage: "<id> [text]",
  detail: "change a fact",
  names: "texts",
  async *run(chat, said) {
    requireWords(said, "/edit 3f9a2xw0c1 I prefer green tea");
    const [, id = said, text = ""] = /^(\S+)\s+(.+)$/s.exec(said) ?? [];
    const { facts } = chat.ports;
    if (text === "") {
      const { fact } = await facts.why(id);
      yield { type: "draft", text: `/edit ${fact.id} ${fact.text}` };
      return;
    }
    if (chat.conversation.incognito)
      throw new RetainError(
        "conflict",
        "Not saved: this conversation is not being stored.",
        "Start a new one: /new",
      );
    const { action, before, after } = await facts.edit(id, text, { session: chat.conversation.id });
    if (action === "unchanged") {
      yield notice("The text is the same, so nothing changed.");
      return;
    }
    chat.changed = chat.changed.filter((one) => one.id !== before.id);
    yield {
      type: "memory",
      ...NOTHING_CHANGED,
      superseded: [{ before: before.text, after: after.text }],
      changed: [{ ...after, change: "saved" }],
    };
  },
};
