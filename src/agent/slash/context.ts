/** Shows what fills the model's context window. */
import { BY_MEMORY } from "../../core/sessions/conversation.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, truncate } from "../../util/text.ts";
import { contextFor } from "../given-context.ts";
import { offeredTools } from "../offered-tools.ts";
import { givenParts, tokensOfMessages, tokensOfTools } from "../request.ts";
import { skillsPrompt } from "../skills/skills.ts";
import type { SlashContext } from "../slash-context.ts";
import { output, type SlashCommand } from "./command.ts";

const LONGEST_TEXT = 100;

interface Row {
  readonly part: string;
  readonly tokens: number;
  readonly state: "yes" | "in part" | "no";
  readonly memories?: readonly string[];
  readonly why?: string;
}

export const context: SlashCommand = {
  name: "context",
  usage: "[message]",
  detail: "show what fills the model's context, part by part",
  commands: ["context"],
  async *run(chat, query) {
    const { ports, conversation, model } = chat;
    const last = conversation.messages.findLast(({ role }) => role === "user")?.content;
    const fresh = await contextFor(ports, conversation, model, query || last, false);
    const sent = query === "" ? lastSent(chat) : null;
    const given = sent ?? givenParts(fresh, skillsPrompt(ports.skills()));
    const rows: Row[] = given.map(({ name, title, tokens, memories }) => {
      const now = fresh.parts.find((part) => part.name === name && part.title === title);
      return {
        ...{ part: title, tokens, state: now?.shortened ? "in part" : "yes" },
        ...(memories && { memories }),
        why: [now?.path, now?.included ? now.why : null].filter(Boolean).join(", "),
      };
    });
    const leftOut = fresh.parts
      .filter(({ name, included }) => !included && !given.some((part) => part.name === name))
      .map(({ title, tokens, why, path }): Row => {
        return { part: title, tokens, state: "no", why: [path, why].filter(Boolean).join(", ") };
      });
    const tools = model === null ? [] : offeredTools(chat);
    const talk: Row[] = [
      { part: `Tools (${tools.length})`, tokens: tokensOfTools(tools), state: "yes" },
      {
        part: `Conversation (${plural(conversation.messages.length, "message")})`,
        tokens: tokensOfMessages(conversation.forModel()),
        state: "yes",
      },
    ];
    const window = model?.contextTokens ?? null;
    const all = [...rows, ...talk];
    const used = all.reduce((sum, { tokens }) => sum + tokens, 0);
    const recalled = await namesIn(
      chat,
      rows.flatMap(({ memories = [] }) => memories),
    );
    const table = [...all, ...leftOut].map((row) => line(row, window));
    const heading = sent === null ? "The model would get:" : "With the last message, the model got:";
    yield output(
      [
        ...[heading, ""],
        ...["| part | tokens | share | included | memories | file, reason |", "|---|--:|--:|---|---|---|"],
        ...table,
        ...(recalled.length === 0 ? [] : ["", "Memories:", "", ...recalled]),
        ...["", total(used, window)],
        `Instructions and memory: ${given.reduce((sum, { tokens }) => sum + tokens, 0)} of ${fresh.budget} tokens.`,
      ].join("\n"),
    );
  },
};

/** A line for each recalled memory: "fact 3f9a2xw0c1", and a fact's text. */
async function namesIn({ ports }: SlashContext, memories: readonly string[]): Promise<string[]> {
  if (memories.length === 0) return [];
  const facts = await ports.facts.list({ which: "all" });
  const texts = new Map(facts.map(({ id, text }) => [`fact ${id}`, text]));
  return memories.map((name) => {
    const text = texts.get(name);
    return `- ${name}${text === undefined ? "" : `: ${truncate(oneLine(text), LONGEST_TEXT)}`}`;
  });
}

/** The parts stored with the model's last reply; null if there is none. */
function lastSent({ conversation }: SlashContext) {
  const reply = conversation.messages.findLast(({ role }) => role === "assistant");
  if (reply === undefined || reply.details.model === BY_MEMORY) return null;
  return reply.details.context ?? null;
}

function line({ part, tokens, state, memories = [], why = "" }: Row, window: number | null): string {
  const share = window === null || state === "no" ? "" : percent(tokens / window);
  return `| ${[part, String(tokens), share, state, memories.length === 0 ? "" : String(memories.length), why].map(cell).join(" | ")} |`;
}

function total(used: number, window: number | null): string {
  if (window === null) return `${used} tokens in total. There is no model, so nothing is sent.`;
  const left = Math.max(0, window - used);
  return `${used} of ${window} tokens used (estimated), ${left} left (${percent(left / window)}).`;
}

/** "<0.1%", "0.4%", "12%". */
function percent(share: number): string {
  const number = 100 * share;
  if (number > 0 && number < 0.1) return "<0.1%";
  return `${number > 0 && number < 10 ? number.toFixed(1) : Math.round(number)}%`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s+/g, " ");
}
