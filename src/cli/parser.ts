/** Builds the commander object of one command, for parsing, help, completion, and the reference in docs/. */
import type { CliCommand, CommandEntry } from "./command.ts";
import { CommandParser } from "./command-parser.ts";
import { addCommonOptions } from "./options.ts";

export function buildParser(entry: CommandEntry, command: CliCommand): CommandParser {
  const parser = new CommandParser(`retain ${entry.name}`);
  parser.description(sentence(entry.summary)).configureHelp({ showGlobalOptions: false });
  command.define(parser);
  addCommonOptions(parser);
  return parser;
}

/** Adds a capital letter and a full stop. */
function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!)]$/.test(capital) ? capital : `${capital}.`;
}
