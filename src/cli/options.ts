/** Options that all commands share. */
import type { Command } from "commander";
import type { Scope } from "../config/workspace.ts";
import type { CommandName } from "../core/command-effects.ts";
import { RetainError } from "../core/errors.ts";

export interface CommonOptions {
  local?: boolean;
  global?: boolean;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

export interface ParsedOptions extends CommonOptions {
  /** Set if the words may be a question about piped text: the error to throw if nothing is piped. */
  readonly withoutInput?: RetainError;
}

export function scopeOf(options: CommonOptions): Scope {
  if (options.local && options.global)
    throw new RetainError(
      "usage",
      "--local and --global cannot be combined.",
      "Pass one of them, or neither.",
    );
  return options.local ? "local" : options.global ? "global" : "auto";
}

/** The heading of the options that all commands share. */
export const EVERYWHERE = "Everywhere:";

export function addCommonOptions(command: Command): void {
  command
    .optionsGroup(EVERYWHERE)
    .option("--local", "use this project's workspace")
    .option("--global", "use the home workspace")
    .option("--json", "print one JSON object to stdout, and nothing else")
    .option("-q, --quiet", "print only what a script needs")
    .option("-v, --verbose", "show which workspace is used, and why")
    .option("--debug", "log phases, times and error locations to stderr for a bug report, without contents")
    .helpOption("-h, --help", "show this help");
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
}

/** Throws `usage` for an argument that the action doesn't accept. */
export function refuseSurplus(command: CommandName, action: string, surplus: string | undefined): void {
  if (surplus === undefined) return;
  const message = `Unexpected argument '${surplus}' for '${command} ${action}'.`;
  throw new RetainError("usage", message, `See: retain ${command} --help`);
}

/** Commander parser for a whole number from 1 to `most`. */
export function countFor(option: string, most = 9_999_999): (value: string) => number {
  return (value) => {
    if (/^[1-9]\d{0,6}$/.test(value) && Number(value) <= most) return Number(value);
    if (/^[1-9]\d*$/.test(value))
      throw new RetainError(
        "usage",
        `${option} must be at most ${most}, not ${value}.`,
        `For example: ${option} 20`,
      );
    throw new RetainError(
      "usage",
      `${option} must be a whole number, 1 or more, not '${value}'.`,
      `For example: ${option} 20`,
    );
  };
}

/** Commander parser for a repeatable option. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
