/** The slash commands, in the order in which help shows them. */
import { RetainError } from "../../core/errors.ts";
import { type CommandReference, type Hint, isOption, render } from "../../core/hint.ts";
import { nearest } from "../../util/text.ts";
import { setup } from "../first-start.ts";
import type { SlashContext } from "../slash-context.ts";
import { type Choice, output, type SlashCommand } from "./command.ts";
import { learn } from "./learn.ts";
import { confirm, forget, memory, remember, search, undo, why } from "./memory.ts";
import { mentalModels } from "./mental-models.ts";
import { review } from "./review.ts";
import {
  compact,
  exportSession,
  incognito,
  newSession,
  resume,
  retry,
  sessions,
  tag,
  title,
} from "./session.ts";
import { context, model, quit, skills, tools } from "./setup.ts";

const help: SlashCommand = {
  name: "help",
  usage: "",
  detail: "show these commands and the keys",
  async *run() {
    const rows = COMMANDS.map(({ name, usage, detail }) => {
      const called = `${name} ${usage}`.trim().replaceAll("|", "\\|");
      return `| \`/${called}\` | ${detail} |`;
    });
    yield output(["| command | what it does |", "|---|---|", ...rows, "", KEYS].join("\n"));
  },
};

const KEYS = `**Keys:** Enter sends; Shift+Enter, Alt+Enter, Ctrl-J, or \\\\ at the end insert a new line. Esc stops a reply. Up recalls
what you typed before, Ctrl-R searches it, Ctrl-G opens the draft in your editor. \`@\` attaches a file. Tab completes, Ctrl-C twice quits. Text inside \`<private>…</private>\` is not stored.`;

const COMMANDS: readonly SlashCommand[] = [
  search,
  sessions,
  resume,
  newSession,
  retry,
  compact,
  remember,
  review,
  confirm,
  learn,
  forget,
  undo,
  memory,
  why,
  mentalModels,
  context,
  skills,
  model,
  setup,
  tools,
  exportSession,
  title,
  tag,
  incognito,
  help,
  quit,
];

/** A path such as "/usr/bin" isn't a command, and neither is a line that starts with a space. */
const COMMAND = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/i;

export interface FoundCommand {
  readonly command: SlashCommand;
  readonly args: string;
}

/** null for a message. For an unknown command, returns one whose `run` throws. */
export function findSlash(line: string): FoundCommand | null {
  const [, name, args = ""] = COMMAND.exec(line.trimEnd()) ?? [];
  if (name === undefined) return null;
  const command = COMMANDS.find((one) => one.name === name.toLowerCase()) ?? unknownCommand(name);
  return { command, args: args.trim() };
}

function unknownCommand(name: string): SlashCommand {
  return {
    name,
    usage: "",
    detail: "",
    // biome-ignore lint/correctness/useYield: it only throws
    async *run() {
      throw unknown(name);
    },
  };
}

function unknown(name: string): RetainError {
  const guess = nearest(
    name,
    COMMANDS.map((one) => one.name),
  );
  return new RetainError(
    "usage",
    `There is no command /${name}.`,
    guess === null ? "To list commands: /help" : `Did you mean /${guess}?`,
  );
}

/** A hint for the chat: names slash commands where they do the same as commands. */
export function hintInChat(text: Hint): string {
  return render(text, (reference) => (isOption(reference) ? null : slashFor(reference)) ?? String(reference));
}

function slashFor({ command, words }: CommandReference): string | null {
  const slash = COMMANDS.find(({ commands }) => commands?.includes(command));
  const args = words.flatMap((word) => (isOption(word) ? [] : String(word)));
  if (slash === undefined || args.length < words.length || (args.length > 0 && slash.usage === ""))
    return null;
  return [`/${slash.name}`, ...args].join(" ");
}

/** Completed lines. */
export function completeSlash(chat: SlashContext, beginning: string): Choice[] {
  const [, name, args] = /^\/([a-z-]*)(?:\s+(\S*))?$/i.exec(beginning) ?? [];
  if (name === undefined) return [];
  if (args === undefined)
    return COMMANDS.filter((one) => one.name.startsWith(name.toLowerCase())).map(
      ({ name: full, detail }) => ({
        value: `/${full}`,
        detail,
      }),
    );
  const command = COMMANDS.find((one) => one.name === name.toLowerCase());
  return (command?.choices?.(chat) ?? [])
    .filter(({ value }) => value.startsWith(args))
    .map(({ value, detail }) => ({ value: `/${command?.name} ${value}`, detail }));
}
