/** From the words that were typed to a command, its arguments and options. Commander does the parsing. */
import { CommanderError } from "commander";
import { RetainError } from "../core/errors.ts";
import { nearest } from "../util/text.ts";
import type { CliCommand, CommandEntry } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import type { CommonOptions } from "./options.ts";
import { buildParser, sentence } from "./parser.ts";

export type Invocation =
  | { kind: "run"; entry: CommandEntry; command: CliCommand; args: string[]; options: CommonOptions }
  | { kind: "text"; text: string };

/** Options that may stand before the command's name. */
const LEADING = new Set(["--local", "--global", "--json", "--quiet", "-q", "--verbose", "-v"]);

/** Throws `usage` for words that make no sense. */
export async function parseArguments(argv: readonly string[], version: string): Promise<Invocation> {
  const position = argv.findIndex((word) => !LEADING.has(word));
  const leading = position < 0 ? [...argv] : argv.slice(0, position);
  const [name, ...rest] = position < 0 ? [] : argv.slice(position);
  if (name === undefined || name === "--help" || name === "-h")
    return { kind: "text", text: overview(version) };
  if (name === "--version" || name === "-V") return { kind: "text", text: version };
  if (name === "help")
    return rest[0] === undefined
      ? { kind: "text", text: overview(version) }
      : parseArguments([rest[0], "--help"], version);

  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (entry === undefined) throw unknownCommand(name);
  const command = await entry.load();
  const parser = buildParser(entry, command);
  let help = "";
  parser.configureOutput({ writeOut: (text) => (help += text), writeErr: () => {} }).exitOverride();
  try {
    parser.parse([...leading, ...(command.freeText ? rest.map(shield) : rest)], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { kind: "text", text: help };
    throw new RetainError("usage", readable(error.message), `See: retain ${name} --help`);
  }
  const given: string[] = parser.processedArgs
    .flat()
    .filter((word) => word !== undefined)
    .map(unshield);
  return { kind: "run", entry, command, args: given, options: parser.opts() };
}

const SHIELD = "\u0001";

/** Hides a word such as "-draft" from commander. */
function shield(word: string): string {
  return /^-(?![qvh]$|-|\d)./u.test(word) ? SHIELD + word : word;
}

function unshield(word: string): string {
  return word.startsWith(SHIELD) ? word.slice(SHIELD.length) : word;
}

function overview(version: string): string {
  const shown = GROUPS.filter(({ summary }) => summary === undefined).flatMap(({ commands }) => commands);
  const width = Math.max(...shown.map((entry) => entry.usage.length)) + 2;
  const groups = GROUPS.flatMap(({ title, summary: together, commands }) => {
    if (together !== undefined)
      return `${title.padEnd(9)}${commands.map(({ name }) => name).join(", ")}: ${together}`;
    return commands.map(
      ({ usage, summary }, index) =>
        `${(index === 0 ? title : "").padEnd(9)}${usage.padEnd(width)}${summary}`,
    );
  });
  return [
    `retain ${version} - long-term memory in plain Markdown, for agents and people`,
    "",
    ...groups,
    "",
    "retain <command> --help tells more, with examples.",
    "Every command takes --local, --global, --json, --quiet, --verbose and --help.",
    "Exit codes: 0 done, 1 failed, 2 wrong use, 3 refused, 130 interrupted.",
    "New here? Try: retain demo",
  ].join("\n");
}

function unknownCommand(name: string): RetainError {
  const guess = nearest(
    name,
    COMMANDS.map((entry) => entry.name),
  );
  const hint = guess === null ? "'retain --help' lists the commands." : `Did you mean 'retain ${guess}'?`;
  return new RetainError(
    "usage",
    `'${name}' is not ${name.startsWith("-") ? "an option here" : "a command"}.`,
    hint,
  );
}

/** Commander starts its messages with "error: " and puts suggestions on a line of their own. */
function readable(message: string): string {
  return sentence(message.replace(/^error: /, "").replace(/\s*\n\s*/g, " "));
}
