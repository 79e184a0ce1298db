/** Slash commands that save, confirm and forget. */

import { RetainError } from "../../core/errors.ts";
import { forWhom } from "../../core/facts/memory-changes.ts";
import { hint } from "../../core/hint.ts";
import { MOST_SHOWN, passageLine, unremoved } from "../../facts/forget/passages.ts";
import { forgetHeadline, forgetRemarks } from "../../facts/forget/report.ts";
import { oneLine, truncate } from "../../util/text.ts";
import { reportSaved } from "../save-marks.ts";
import { notice, requireWords, type SlashCommand } from "./command.ts";

export const remember: SlashCommand = {
  name: "remember",
  usage: "<fact>",
  detail: "save a fact",
  commands: ["remember"],
  async *run(chat, fact) {
    requireWords(fact, "/remember I prefer tea");
    if (chat.conversation.incognito)
      throw new RetainError(
        "conflict",
        "Not saved: this conversation is not being stored.",
        "Start a new one: /new",
      );
    yield* reportSaved(await chat.ports.facts.remember(fact));
  },
};

export const confirm: SlashCommand = {
  name: "confirm",
  usage: "[id…|all]",
  detail: "confirm facts, so that they move to MEMORY.md",
  commands: ["confirm", "facts --unconfirmed"],
  names: "unconfirmed",
  async *run(chat, said) {
    const { facts } = chat.ports;
    if (said === "") {
      const waiting = await facts.list({ unconfirmed: true });
      const items = waiting.map(({ id, text }) => ({ value: id, label: text, detail: "unconfirmed" }));
      if (items.length === 0) yield notice("No facts are unconfirmed.");
      else yield { type: "picker", picker: { title: "Which of these is true?", command: "/confirm", items } };
      return;
    }
    const { confirmed, skipped } = await facts.confirm(said === "all" ? "all" : said.split(/\s+/));
    const texts = confirmed.map(({ text }) => text);
    if (texts.length + skipped.length === 0) yield notice("No facts are unconfirmed.");
    else if (texts.length === 0) yield notice("Already known.");
    else {
      const shared = confirmed.some((fact) => fact.shared);
      yield notice(`Confirmed${forWhom({ shared })}: ${texts.join(" ")} Undo: /undo`);
    }
  },
};

/** After `/forget` and an id: the fact ends, but its history stays. */
export const ENDED = "from now on";

export const forget: SlashCommand = {
  name: "forget",
  usage: "<words or id>",
  detail: "erase a fact or note everywhere, permanently",
  commands: ["forget"],
  names: "facts",
  async *run(chat, said) {
    requireWords(said, "/forget my old address");
    const { facts } = chat.ports;
    if (said.endsWith(` ${ENDED}`)) {
      const { id: session } = chat.conversation;
      const replaces = [said.slice(0, -ENDED.length - 1)];
      const kept = await facts.retain([{ content: "", replaces }], { session, message: null });
      yield* reportSaved(kept);
      if (kept.ended.length > 0)
        yield notice(
          "Retain no longer uses it. Undo: /undo. To erase it everywhere, type /forget and a few of its words.",
        );
      return;
    }
    const confirmed = /^(\S+) for good$/.exec(said)?.[1];
    if (confirmed !== undefined) {
      const forgotten = await facts.forget(confirmed);
      chat.conversation.refresh();
      const text = forgetRemarks(forgotten).reduce(
        (all, remark) => hint`${all}\n${remark}`,
        forgetHeadline(forgotten),
      );
      yield { type: "notice", level: forgotten.left.length > 0 ? "warning" : "info", text };
      return;
    }
    const { by, found, passages, unasked } = await facts.findToForget(said);
    if (by === "passages") {
      const { message, advice = "" } = unremoved(said, passages);
      const lines = passages.slice(0, MOST_SHOWN).map(passageLine);
      yield notice(hint`${message}\n${lines.join("\n")}\n${advice}`);
      return;
    }
    if (unasked !== null && by === "near") throw unasked;
    if (found.length === 0) {
      await facts.eraseRemoved();
      yield notice("No matches, and the index has no trace of removed memories.");
      return;
    }
    const items = found.map(({ kind, id, text, file }) => ({
      value: `${id} for good`,
      label: truncate(oneLine(text), 100),
      detail: `${kind}, ${file || "in the bank"}`,
    }));
    const title =
      by === "near"
        ? "No exact match. Erase one of these permanently? Esc keeps them all"
        : "Which one do you want to erase permanently? Esc keeps them all";
    yield { type: "picker", picker: { title, command: "/forget", items, isPermanent: true } };
  },
};
