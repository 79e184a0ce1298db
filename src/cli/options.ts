/** The options that every command has. */
import type { Command } from "commander";
import type { Scope } from "../config/workspace.ts";
import { RetainError } from "../core/errors.ts";

export interface CommonOptions {
  local?: boolean;
  global?: boolean;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

export interface ParsedOptions extends CommonOptions {
  /** The words are a question about piped text. If there is none, this is what is wrong. */
  readonly withoutInput?: RetainError;
}

export function scopeOf(options: CommonOptions): Scope {
  if (options.local && options.global)
    throw new RetainError(
      "usage",
      "--local and --global exclude each other.",
      "Give one of them, or neither.",
    );
  return options.local ? "local" : options.global ? "global" : "auto";
}

export function addCommonOptions(command: Command): void {
  command
    .optionsGroup("Everywhere:")
    .option("--local", "work on this project's workspace")
    .option("--global", "work on the home workspace")
    .option("--json", "print JSON, in one envelope, and nothing else on stdout")
    .option("-q, --quiet", "print only what a script would want")
    .option("-v, --verbose", "say which workspace was chosen, and why")
    .option("--debug", "log phases, times and error places to stderr, for a bug report; no contents")
    .helpOption("-h, --help", "show this help");
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
}

/** For commander: a whole number from 1 to `most`. */
export function countFor(option: string, most = 9_999_999): (value: string) => number {
  return (value) => {
    if (/^[1-9]\d{0,6}$/.test(value) && Number(value) <= most) return Number(value);
    if (/^[1-9]\d*$/.test(value))
      throw new RetainError(
        "usage",
        `${option} takes at most ${most}, not ${value}.`,
        `For example: ${option} 20`,
      );
    throw new RetainError(
      "usage",
      `${option} takes a whole number from 1, not '${value}'.`,
      `For example: ${option} 20`,
    );
  };
}

/** For commander: an option that may be repeated. */
export function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}
