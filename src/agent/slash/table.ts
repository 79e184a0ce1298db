/** The slash commands, in the order in which help shows them. */
import { RetainError } from "../../core/errors.ts";
import { type CommandReference, type Hint, isOption, render } from "../../core/hint.ts";
import { nearest } from "../../util/text.ts";
import { setup } from "../first-start.ts";
import type { SlashContext } from "../slash-context.ts";
import { type Choice, output, type SlashCommand } from "./command.ts";
import { context } from "./context.ts";
import { learn } from "./learn.ts";
import { confirm, forget, remember } from "./memory.ts";
import { mentalModels } from "./mental-models.ts";
import { review } from "./review.ts";
import { edit, saved, undo } from "./saved.ts";
import { memory, search } from "./search.ts";
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
import { model, quit, skills, tools } from "./setup.ts";
import { why } from "./why.ts";

const help: SlashCommand = {
  name: "help",
  usage: "[command|keys]",
  detail: "list the commands and the keys, or explain one command",
  choices: () => [
    { value: "keys", detail: "the keys" },
    ...COMMANDS.map(({ name, detail }) => ({ value: name, detail })),
  ],
  async *run(_, said) {
    const called = ({ name, usage }: SlashCommand) => `/${name} ${usage}`.trim();
    const wanted = said.replace(/^\//, "").toLowerCase();
    const command = COMMANDS.find(({ name }) => name === wanted);
    if (wanted === "keys") yield output(KEYS);
    else if (command !== undefined) yield output(`\`${called(command)}\`: ${command.detail}`);
    else if (wanted !== "") throw unknown(wanted);
    else {
      const commands = COMMANDS.map((one) => ({ value: one.name, label: called(one), detail: one.detail }));
      const keys = { value: "keys", label: "Keys", detail: "what each key does" };
      yield { type: "picker", picker: { title: "Help", command: "/help", items: [keys, ...commands] } };
    }
  },
};

const KEYS = `**Keys:** Enter sends; Shift+Enter, Alt+Enter, Ctrl-J, or \\\\ at the end insert a new line. Esc stops a reply. Up
recalls earlier input, Ctrl-R searches it, Ctrl-G opens the draft in your editor. \`@\` attaches a file. Tab completes, Ctrl-T
lists the memories that the last reply used, Ctrl-S undoes or edits what the last turn saved, Ctrl-V confirms a fact, Ctrl-X
stops a command, Ctrl-C twice quits. Text inside \`<private>…</private>\` is not stored.`;

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
  saved,
  edit,
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
  const same = COMMANDS.find(({ commands }) => commands?.some((command) => command === name.toLowerCase()));
  const names = COMMANDS.map((one) => one.name);
  const guess = same?.name ?? nearest(name, names);
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
  const options = words.flatMap((word) => (isOption(word) ? `--${word.option}` : []));
  const name = [command, ...options].join(" ");
  const slash = COMMANDS.find(({ commands }) => commands?.some((one) => one === name));
  const args = words.flatMap((word) => (isOption(word) ? [] : String(word)));
  if (slash === undefined || (args.length > 0 && slash.usage === "")) return null;
  return [`/${slash.name}`, ...args].join(" ");
}

/** Completed lines. */
export function completeSlash(chat: SlashContext, beginning: string): Choice[] {
  const [, name, args] = /^\/([a-z-]*)(?:\s+(.*))?$/i.exec(beginning) ?? [];
  if (name === undefined) return [];
  if (args === undefined)
    return COMMANDS.filter((one) => one.name.startsWith(name.toLowerCase())).map(
      ({ name: full, detail }) => ({
        value: `/${full}`,
        detail,
      }),
    );
  const command = COMMANDS.find((one) => one.name === name.toLowerCase());
  if (command === undefined) return [];
  const named =
    command.names === undefined ? [] : chat.known.find(command.names, chat.conversation.chat, args);
  const choices = command.choices?.(chat).filter(({ value }) => value.startsWith(args)) ?? [];
  return [...choices, ...named].map(({ value, detail }) => ({ value: `/${command.name} ${value}`, detail }));
}
