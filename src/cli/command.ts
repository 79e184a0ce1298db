/** What a command of the command line is: how it is called, and what it does. */
import type { Command } from "commander";
import { openRetain, type Retain, type RetainOptions } from "../app.ts";
import type { Scope } from "../config/workspace.ts";
import { type CommonOptions, scopeOf } from "./options.ts";
import type { Output, Terminal } from "./output.ts";

export interface CliCommand<O extends CommonOptions = CommonOptions> {
  /** Its arguments are somebody's sentence: "-draft" is a word of it, not the options d, r, a, f and t. */
  readonly freeText?: boolean;
  /** Declares arguments, options and examples. */
  define(command: Command): void;
  /** Does the work. Throws RetainError; what it returns is printed as text or, with --json, in the envelope. */
  run(context: Context, args: string[], options: O): Promise<Output>;
}

/** A line of the table of commands. */
export interface CommandEntry {
  readonly name: string;
  /** How it is called, for the overview. */
  readonly usage: string;
  readonly summary: string;
  load(): Promise<CliCommand>;
}

/** What a running command may use. */
export interface Context {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly scope: Scope;
  /** Every command there is. */
  readonly commands: readonly CommandEntry[];
  warn(message: string): void;
  /** The memory that the options choose; closed when the command ends. */
  open(options?: RetainOptions): Retain;
  /** What Ctrl-C should say, for a command that has stored something by then. */
  onInterrupt(describe: () => string): void;
}

export function createContext(
  terminal: Terminal,
  options: CommonOptions,
  commands: readonly CommandEntry[],
): Context & { close(): void; interruption(): string } {
  const opened: Retain[] = [];
  let describe = () => "Interrupted.";
  const scope = scopeOf(options);
  return {
    terminal,
    options,
    scope,
    commands,
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
