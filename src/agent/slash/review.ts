/** Reviews facts one at a time: pairs in doubt first, then unconfirmed facts. */
import { RetainError } from "../../core/errors.ts";
import type { Facts } from "../../facts/facts.ts";
import { DECISIONS } from "../../facts/unconfirmed/review.ts";
import { localDay } from "../../util/days.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { Picker } from "../events.ts";
import { notice, type SlashCommand } from "./command.ts";

/** On a pair in doubt. */
const ANSWERS = [...DECISIONS, "later"] as const;
/** On an unconfirmed fact. */
const VERDICTS = ["yes", "no", "skip"] as const;
const LONGEST_LABEL = 100;

export const review: SlashCommand = {
  name: "review",
  usage: "[id newer|both|older|later|yes|no|skip]",
  detail: "decide about facts that may be outdated or are unconfirmed",
  commands: ["review"],
  async *run(chat, said) {
    const { facts } = chat.ports;
    const [id = "", word = ""] = said.split(/\s+/);
    const answer = ANSWERS.find((one) => one === word);
    const verdict = VERDICTS.find((one) => one === word);
    if (said !== "" && answer === undefined && verdict === undefined)
      throw new RetainError(
        "usage",
        "Answer with newer, both, older or later for a pair, or with yes, no or skip for a fact.",
        "To see what needs a decision: /review",
      );
    const before = verdict === undefined ? await facts.doubts() : await facts.list({ unconfirmed: true });
    if (answer !== undefined && answer !== "later") await facts.decide(id, answer);
    if (verdict === "yes") await facts.confirm([id]);
    if (verdict === "no") {
      const { restored } = await facts.reject(id);
      for (const { text } of restored) yield notice(`Restored: ${text}`);
    }
    // /review alone starts over; otherwise it continues after the last question.
    const at = said === "" ? -1 : before.findIndex((one) => one.id.startsWith(id));
    const passed = new Set(before.slice(0, at + 1).map((one) => one.id));
    const picker =
      verdict === undefined
        ? ((await pairPicker(facts, passed)) ?? (await factPicker(facts, new Set())))
        : await factPicker(facts, passed);
    if (picker === null) yield notice(said === "" ? "Nothing to review." : "That was the last one.");
    else yield { type: "picker", picker };
  },
};

async function pairPicker(facts: Facts, passed: ReadonlySet<string>): Promise<Picker | null> {
  const [pair, ...others] = (await facts.doubts()).filter((one) => !passed.has(one.id));
  if (pair === undefined) return null;
  const { older, newer } = pair;
  const item = (value: (typeof ANSWERS)[number], label: string, detail: string) => ({
    value: `${pair.id} ${value}`,
    ...{ label: truncate(oneLine(label), LONGEST_LABEL), detail },
  });
  const items = [
    item("newer", newer.text, `newer, ${localDay(newer.created_at)}: the other one ends`),
    item("both", "Both are true", "they are about different things"),
    item("older", older.text, `older, ${localDay(older.created_at)}: the other one ends`),
    item("later", "Later", "decide another time"),
  ];
  return { title: `Which is true now?${more(others)} Esc stops`, command: "/review", items };
}

async function factPicker(facts: Facts, passed: ReadonlySet<string>): Promise<Picker | null> {
  const [fact, ...others] = (await facts.list({ unconfirmed: true })).filter(({ id }) => !passed.has(id));
  if (fact === undefined) return null;
  const { id, text, created_at } = fact;
  const items = [
    { value: `${id} yes`, key: "y", label: "Yes", detail: "keep it" },
    { value: `${id} no`, key: "n", label: "No", detail: "drop it, and never propose it again" },
    { value: `${id} skip`, key: "s", label: "Skip", detail: "decide later" },
  ];
  const title = `Is this true?${more(others)} ${truncate(oneLine(text), LONGEST_LABEL)} (${localDay(created_at)})`;
  return { title, command: "/review", items };
}

function more(others: readonly unknown[]): string {
  return others.length === 0 ? "" : ` (${others.length} more)`;
}
