/** Slash commands on the model, its tools and skills. */
import { RetainError } from "../../core/errors.ts";
import { command, hint, slot } from "../../core/hint.ts";
import { NO_MODEL } from "../../llm/spec.ts";
import { contextInWords, offerInWords } from "../model-offer.ts";
import { offeredTools } from "../offered-tools.ts";
import type { Skill } from "../skills/skills.ts";
import { TOOL_MODES, type ToolMode } from "../tool.ts";
import { Approvals } from "../tools/approval.ts";
import { notice, output, type SlashCommand } from "./command.ts";

export const skills: SlashCommand = {
  name: "skills",
  usage: "[name]",
  detail: "list skills, or show one",
  commands: ["skills", "skills list"],
  names: "skills",
  async *run(chat, name) {
    const all = chat.ports.skills();
    const found = name === "" ? all : all.filter((skill) => skill.name === name);
    if (all.length === 0) {
      yield notice(hint`No skills yet. Create one: ${command("skills new", slot("name"))}`);
      return;
    }
    if (found.length === 0)
      throw new RetainError("not_found", `There is no skill '${name}'.`, "To list skills: /skills");
    const path = ({ path: file }: Skill) => (name === "" ? "" : `\n  ${file}`);
    yield output(
      found
        .map((skill) => `- **${skill.name}**${stateOf(skill)}: ${skill.description}${path(skill)}`)
        .join("\n"),
    );
  },
};

function stateOf({ name, trusted, problem }: Skill): string {
  if (problem !== null) return ` (broken: ${problem})`;
  return trusted ? "" : ` (untrusted; read it, then: ${command("skills trust", name)})`;
}

export const model: SlashCommand = {
  name: "model",
  usage: "[name]",
  detail: "show or change the model, for this chat",
  commands: ["model", "model list", "model use"],
  names: "models",
  async *run(chat, name) {
    if (name === "") {
      const { ready, missing } = await chat.ports.models.catalog();
      const used = chat.model?.name ?? NO_MODEL;
      const item = (value: string, detail: string) => ({
        ...{ value, label: value },
        detail: value === used ? `in use, ${detail}` : detail,
      });
      const unlisted = [...ready.map(({ name: one }) => one), NO_MODEL].includes(used)
        ? []
        : [item(used, contextInWords(chat.model?.contextTokens ?? 0))];
      const items = [
        ...unlisted,
        ...ready.map((offer) => item(offer.name, offerInWords(offer))),
        item(NO_MODEL, "answer from memory alone"),
        ...missing.map(({ name: one, needs }) => item(one, `needs ${needs}`)),
      ];
      const title = `Current model: ${chat.model?.name ?? "none (answers come from memory alone)"}`;
      yield { type: "picker", picker: { title, command: "/model", items } };
      return;
    }
    chat.model = name === NO_MODEL ? null : await chat.ports.models.open(name);
    yield chat.modelEvent();
    if (name !== NO_MODEL) yield notice(`To make it the default: ${command("model use", name)}`);
  },
};

export const tools: SlashCommand = {
  name: "tools",
  usage: "[none|read|ask|all]",
  detail: "show tools, or set what they may do",
  choices: () => TOOL_MODES.map((mode) => ({ value: mode, detail: MEANING[mode] })),
  async *run(chat, said) {
    if (said === "") {
      const lines = offeredTools(chat).map(
        ({ name, description }) => `- **${name}**: ${firstSentence(description)}`,
      );
      const { mode } = chat.approvals;
      yield output([`Mode **${mode}**: ${MEANING[mode]}.`, "", ...lines].join("\n"));
      return;
    }
    const mode = TOOL_MODES.find((one) => one === said);
    if (mode === undefined)
      throw new RetainError("usage", `Unknown mode '${said}'.`, `Use one of: ${TOOL_MODES.join(", ")}`);
    if (chat.options.memoryOnly && mode !== "none")
      throw new RetainError(
        "unsafe",
        "This chat can't use files or run commands, because others on the network can reach its server.",
        "Chat in a terminal, or through a tunnel to a server on a loopback address.",
      );
    chat.approvals = new Approvals(mode);
    yield { type: "tools", mode };
  },
};

const MEANING: Record<ToolMode, string> = {
  none: "memory only: no files, no commands",
  read: "read files in this directory, nothing else",
  ask: "ask before changing files or running commands",
  all: "don't ask inside this directory; a few actions stay blocked",
};

export const quit: SlashCommand = {
  name: "quit",
  usage: "",
  detail: "quit",
  async *run() {
    yield { type: "quit" };
  },
};

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
