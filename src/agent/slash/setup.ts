/** Slash commands on the model, its context and its tools. */
import { tokensOf } from "../../context/tokens.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, slot } from "../../core/hint.ts";
import { NO_MODEL } from "../../llm/spec.ts";
import { contextFor } from "../given-context.ts";
import { offeredTools } from "../offered-tools.ts";
import { skillsPrompt } from "../skills/skills.ts";
import { TOOL_MODES, type ToolMode } from "../tool.ts";
import { Approvals } from "../tools/approval.ts";
import { notice, output, type SlashCommand } from "./command.ts";

export const context: SlashCommand = {
  name: "context",
  usage: "[message]",
  detail: "show the model's context, part by part",
  commands: ["context"],
  async *run(chat, query) {
    const last = chat.conversation.messages.findLast(({ role }) => role === "user")?.content;
    const { ports, conversation, model: answering } = chat;
    const { parts, tokens, budget } = await contextFor(ports, conversation, answering, query || last, false);
    const rows = parts.map(({ title, tokens: size, included, shortened, why, path }) => {
      const state = included ? (shortened ? "in part" : "yes") : "no";
      return `| ${[title, String(size), state, path ?? "", why ?? ""].map(cell).join(" | ")} |`;
    });
    const offered = skillsPrompt(ports.skills());
    if (offered !== "") rows.push(`| Skills | ${tokensOf(offered)} | yes | | |`);
    const head = ["| part | tokens | included | file | why |", "|---|--:|---|---|---|"];
    yield output([...head, ...rows, "", `${tokens} of ${budget} tokens.`].join("\n"));
  },
};

export const skills: SlashCommand = {
  name: "skills",
  usage: "",
  detail: "list skills",
  commands: ["skills", "skills list"],
  async *run(chat) {
    const found = chat.ports.skills();
    if (found.length === 0) {
      yield notice(hint`No skills yet. Create one: ${command("skills new", slot("name"))}`);
      return;
    }
    yield output(
      found
        .map(({ name, description, trusted, problem }) => {
          const state =
            problem !== null
              ? ` (broken: ${problem})`
              : trusted
                ? ""
                : ` (untrusted; read it, then: ${command("skills trust", name)})`;
          return `- **${name}**${state}: ${description}`;
        })
        .join("\n"),
    );
  },
};

export const model: SlashCommand = {
  name: "model",
  usage: "[name]",
  detail: "show or change the model, for this chat",
  commands: ["model", "model list", "model use"],
  async *run(chat, name) {
    if (name === "") {
      const offers = await chat.ports.models.offers();
      const items = [
        ...offers.map((offer) => ({ value: offer.name, label: offer.name, detail: offer.detail })),
        { value: NO_MODEL, label: NO_MODEL, detail: "answer from memory alone" },
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

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s+/g, " ");
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
