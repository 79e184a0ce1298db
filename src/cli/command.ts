/** What a command of the command line is: how it is called, and what it does. */

import type { Command } from "commander";
import { openRetain, type Retain, type RetainOptions } from "../app.ts";
import type { Scope } from "../config/workspace.ts";
import type { CommandName } from "../core/command-effects.ts";
import { debug } from "./debug.ts";
import { type CommonOptions, scopeOf } from "./options.ts";
import type { Output, Terminal } from "./output.ts";

export interface CliCommand<O extends CommonOptions = CommonOptions> {
  /** Its arguments are somebody's sentence: "-draft" is a word of it, not the options d, r, a, f and t. */
  readonly freeText?: boolean;
  /** The one-letter options of its own that it has nevertheless: "pc". */
  readonly letters?: string;
  /** Declares arguments, options and examples. */
  define(command: Command): void;
  /** Does the work. Throws RetainError; what it returns is printed as text or, with --json, in the envelope. */
  run(context: Context, args: string[], options: O): Promise<Output>;
}

/** A line of the table of commands. */
export interface CommandEntry {
  readonly name: CommandName;
  /** How it is called, for the overview. */
  readonly usage: string;
  readonly summary: string;
  load(): Promise<CliCommand>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

/** What a running command may use. */
export interface Context {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly scope: Scope;
  /** Every command there is. */
  readonly commands: readonly CommandEntry[];
  /** What `retain --help` prints. */
  overview(): string;
  readonly version: string;
  warn(message: string): void;
  /** The memory that the options choose; closed when the command ends. */
  open(options?: RetainOptions): Retain;
  /** What Ctrl-C should say, for a command that has stored something by then. */
  onInterrupt(describe: () => string): void;
  /** The command sees to Ctrl-C itself from now on, and comes to its end. */
  handlesInterrupts(): void;
}

export function createContext(
  terminal: Terminal,
  options: CommonOptions,
  { commands, overview, version }: Pick<Context, "commands" | "overview" | "version">,
): Context & { close(): Promise<void>; interruption(): string | null } {
  const opened: Retain[] = [];
  let describe: (() => string) | null = () => "Interrupted.";
  const scope = scopeOf(options);
  return {
    terminal,
    options,
    scope,
    commands,
    overview,
    version,
    warn: (message) => terminal.warn(message),
    open(more = {}) {
      const retain = openRetain({ scope, onWarning: (message) => terminal.warn(message), ...more });
      opened.push(retain);
      debug("open", retain.workspace.kind, retain.workspace.root);
      terminal.explain(`workspace: ${retain.workspace.root} (${retain.workspace.kind})`);
      for (const reason of retain.choice.reasons) terminal.explain(`because ${reason}`);
      return retain;
    },
    onInterrupt: (text) => {
      describe = text;
    },
    handlesInterrupts: () => {
      describe = null;
    },
    interruption: () => describe?.() ?? null,
    async close() {
      for (const retain of opened) {
        await retain.flush();
        retain.close();
      }
    },
  };
}
