/** Parses the command line into a command, its arguments and options, with commander. */
import { type Command, CommanderError } from "commander";
import { LEADING_OPTIONS } from "../core/command-effects.ts";
import { RetainError } from "../core/errors.ts";
import { shellWord } from "../util/shell-word.ts";
import { nearest } from "../util/text.ts";
import type { CliCommand, CommandEntry } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import type { ParsedOptions } from "./options.ts";
import { everyCommand, overview } from "./overview.ts";
import { buildParser } from "./parser.ts";

export type Invocation =
  | { kind: "run"; entry: CommandEntry; command: CliCommand; args: string[]; options: ParsedOptions }
  | { kind: "text"; text: string };

/** Throws `usage` for an invalid command line. */
export async function parseArguments(argv: readonly string[], version: string): Promise<Invocation> {
  const position = argv.findIndex((word) => !LEADING_OPTIONS.has(word));
  const leading = position < 0 ? [...argv] : argv.slice(0, position);
  const [name, ...rest] = position < 0 ? [] : argv.slice(position);
  if (name === "--help" || name === "-h") return { kind: "text", text: overview(version, GROUPS) };
  if (name === "--version" || name === "-V") return { kind: "text", text: version };
  if (name === "help" && rest[0] === "all") return { kind: "text", text: everyCommand(GROUPS) };
  if (name === "help") {
    const [about] = rest;
    if (about === undefined) return { kind: "text", text: overview(version, GROUPS) };
    if (!COMMANDS.some((entry) => entry.name === about)) throw unknownCommand([about], nearestCommand(about));
    return parseArguments([about, "--help"], version);
  }

  if (name === undefined || isForChat(name)) return parseArguments(["chat", ...argv], version);
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (entry === undefined) return perhapsAboutInput(argv, [name, ...rest], version);
  const command = await entry.load();
  const parser = buildParser(entry, command);
  let help = "";
  parser.configureOutput({ writeOut: (text) => (help += text), writeErr: () => {} }).exitOverride();
  try {
    const words = command.freeText ? shielded(rest, valued(parser), command.letters) : rest;
    parser.parse([...leading, ...words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.code === "commander.helpDisplayed")
      return { kind: "text", text: help };
    throw error;
  }
  const given: string[] = parser.processedArgs
    .flat()
    .filter((word) => word !== undefined)
    .map(unshield);
  return { kind: "run", entry, command, args: given, options: parser.opts() };
}

/** Options of the chat, which work without a command name. */
const CHAT_OPTION = /^(?:-[pc]+|--(?:print|continue|resume|model|chat|tools|incognito|take|plain)(?:=.*)?)$/s;

/** Contains a space, ends in a question mark (ASCII, fullwidth or Arabic), or is written without spaces between words. */
const QUESTION =
  /\S\s+\S|[?？؟]\s*$|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;

function isForChat(word: string): boolean {
  return word === "--" || CHAT_OPTION.test(word) || (!word.startsWith("-") && QUESTION.test(word));
}

/** One letter away from the commands "chat" and "why", but not typos. */
const QUESTION_WORD = /^(?:what|who)$/i;

/** An unknown command may be a question about piped text. Only the chat reads stdin, so the chat checks for it. */
async function perhapsAboutInput(
  argv: readonly string[],
  words: readonly [string, ...string[]],
  version: string,
): Promise<Invocation> {
  const [name] = words;
  const guess = nearestCommand(name);
  const withoutInput = unknownCommand(words, guess);
  if (guess !== null || name.startsWith("-")) throw withoutInput;
  const asked = await parseArguments(["chat", ...argv], version).catch(() => null);
  if (asked?.kind !== "run") throw withoutInput;
  return { ...asked, options: { ...asked.options, withoutInput } };
}

function nearestCommand(name: string): string | null {
  const names = COMMANDS.map((entry) => entry.name);
  return QUESTION_WORD.test(name) ? null : nearest(name, names);
}

const SHIELD = "\u0001";

/** Hides words such as "-draft" from commander. Values of options need no shield. */
function shielded(words: readonly string[], options: ReadonlySet<string>, letters = ""): string[] {
  const aWord = new RegExp(`^-(?![qvh${letters}]+$|-|\\d).`, "u");
  return words.map((word, index) =>
    aWord.test(word) && !options.has(words[index - 1] ?? "") ? SHIELD + word : word,
  );
}

/** Options whose value is the next word, whatever it looks like. */
function valued({ options }: Command): Set<string> {
  return new Set(options.filter(({ required }) => required).map(({ long }) => long ?? ""));
}

function unshield(word: string): string {
  return word.startsWith(SHIELD) ? word.slice(SHIELD.length) : word;
}

function unknownCommand(words: readonly [string, ...string[]], guess: string | null): RetainError {
  const [name] = words;
  const hint = guess === null ? "List the commands: retain --help" : `Did you mean 'retain ${guess}'?`;
  if (name.startsWith("-")) return new RetainError("usage", `Unknown option '${name}'.`, hint);
  const ask = `Ask it as a question: retain -p ${words.map(shellWord).join(" ")}`;
  return new RetainError("usage", `'${name}' is not a command.`, `${hint}\n${ask}`);
}
