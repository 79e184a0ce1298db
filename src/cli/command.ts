/** What a command of the command line is: how it is called, and what it does. */
import type { Command } from "commander";
import { openRetain, type Retain, type RetainOptions } from "../app.ts";
import type { Scope } from "../config/workspace.ts";
import { RetainError } from "../core/errors.ts";
import type { Output, Terminal } from "./output.ts";

/** On every command. */
export interface CommonOptions {
  local?: boolean;
  global?: boolean;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
}

export interface CliCommand<O extends CommonOptions = CommonOptions> {
  /** Declares arguments, options and examples. */
  define(command: Command): void;
  /** Does the work. Throws RetainError; what it returns is printed as text or, with --json, in the envelope. */
  run(context: Context, args: string[], options: O): Promise<Output>;
}

/** What a running command may use. */
export interface Context {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly scope: Scope;
  warn(message: string): void;
  /** The memory that the options choose; closed when the command ends. */
  open(options?: RetainOptions): Retain;
  /** What Ctrl-C should say, for a command that has stored something by then. */
  onInterrupt(describe: () => string): void;
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
    .helpOption("-h, --help", "show this help");
}

export function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
}

export function createContext(
  terminal: Terminal,
  options: CommonOptions,
): Context & { close(): void; interruption(): string } {
  const opened: Retain[] = [];
  let describe = () => "Interrupted.";
  const scope = scopeOf(options);
  return {
    terminal,
    options,
    scope,
    warn: (message) => terminal.warn(message),
    open(more = {}) {
      const retain = openRetain({ scope, onWarning: (message) => terminal.warn(message), ...more });
      opened.push(retain);
      terminal.explain(`workspace: ${retain.workspace.root} (${retain.workspace.kind})`);
      for (const reason of retain.choice.reasons) terminal.explain(`because ${reason}`);
      return retain;
    },
    onInterrupt: (text) => {
      describe = text;
    },
    interruption: () => describe(),
    close() {
      for (const retain of opened) retain.close();
    },
  };
}
