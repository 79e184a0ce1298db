/**
 * A hint says what to do next: text with references to commands and options. In plain text, hints and references read as typed on
 * the command line. The chat, models and the web page read their own equivalents instead (`agent/slash/table.ts`,
 * `agent/error-for-model.ts`, `serve/page/hint.ts`).
 */
import { shellWord } from "../util/shell-word.ts";
import type { ActionOf, CommandName, CommandWithActions } from "./command-effects.ts";

/** A command, or a command with its action: "list", "sessions delete". */
export type CommandLine =
  | CommandName
  | { [N in CommandWithActions]: `${N} ${Exclude<ActionOf<N>, `--${string}`>}` }[CommandWithActions];

export type Hint = string | MixedText;
type Reference = CommandReference | OptionReference;
type Word = string | Slot;

/** For the reader to fill in: "<name>". */
class Slot {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export class OptionReference {
  constructor(
    /** Without the dashes. */
    readonly option: string,
    readonly value: Word | undefined,
  ) {}

  toString(): string {
    return this.value === undefined ? `--${this.option}` : `--${this.option} ${typed(this.value)}`;
  }
}

export class CommandReference {
  constructor(
    readonly command: CommandLine,
    /** In the order in which they are typed. */
    readonly words: readonly (Word | OptionReference)[],
  ) {}

  toString(): string {
    // Plain `retain` opens the chat.
    const name = this.command === "chat" ? [] : [this.command];
    return ["retain", ...name, ...this.words.map(typed)].join(" ");
  }
}

class MixedText {
  constructor(readonly parts: readonly (string | Reference)[]) {}

  toString(): string {
    return this.parts.join("");
  }
}

/** hint`To list all: ${command("list")}`. Values may be hints themselves. */
export function hint(texts: TemplateStringsArray, ...values: readonly (Hint | Reference)[]): Hint {
  const parts = texts.flatMap((text, at) => {
    const value = values[at] ?? "";
    return [text, ...(typeof value === "object" && "parts" in value ? value.parts : [value])];
  });
  return parts.every((part) => typeof part === "string") ? parts.join("") : new MixedText(parts);
}

export function command(name: CommandLine, ...words: CommandReference["words"]): CommandReference {
  return new CommandReference(name, words);
}

export function option(name: string, value?: Word): OptionReference {
  return new OptionReference(name, value);
}

export function slot(name: string): Slot {
  return new Slot(`<${name}>`);
}

/** A value that the reader knows. */
export const ANY = new Slot("…");

/** Works across bundles, each of which has its own class. */
export function isOption(part: Word | Reference): part is OptionReference {
  return typeof part === "object" && "option" in part;
}

/** The text of a hint with its references in other words. */
export function render(text: Hint, say: (reference: Reference) => string): string {
  if (typeof text === "string") return text;
  return text.parts.map((part) => (typeof part === "string" ? part : say(part))).join("");
}

function typed(word: Word | OptionReference): string {
  return typeof word === "string" ? shellWord(word) : String(word);
}
