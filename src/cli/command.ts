/** The interface of a CLI command, and the context it runs in. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RetainOptions } from "../app/retain-options.ts";
import { openRetain, type Retain } from "../app.ts";
import type { Scope } from "../config/workspace.ts";
import type { CommandName } from "../core/command-effects.ts";
import type { CommandParser } from "./command-parser.ts";
import { debug } from "./debug.ts";
import { type CommonOptions, scopeOf } from "./options.ts";
import type { Output, Terminal } from "./output.ts";

export interface CliCommand<O extends CommonOptions = CommonOptions> {
  /** Its arguments are free text: "-draft" is a word, not the options d, r, a, f and t. */
  readonly freeText?: boolean;
  /** One-letter options that a free-text command still has: "pc". */
  readonly letters?: string;
  /** Declares arguments, options and examples. */
  define(command: CommandParser): void;
  /** Does the work. The result is printed as text or, with --json, in the envelope. Throws RetainError. */
  run(context: Context, args: string[], options: O): Promise<Output>;
}

/** A row of the command table. */
export interface CommandEntry {
  readonly name: CommandName;
  /** Name and arguments, for the overview. */
  readonly usage: string;
  readonly summary: string;
  load(): Promise<CliCommand>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

/** What a running command can use. */
export interface Context {
  readonly terminal: Terminal;
  readonly options: CommonOptions;
  readonly scope: Scope;
  /** All commands. */
  readonly commands: readonly CommandEntry[];
  /** The text of `retain --help`. */
  overview(): string;
  readonly version: string;
  warn(message: string): void;
  /** Opens the workspace that the options choose; closed when the command ends. */
  open(options?: RetainOptions): Retain;
  /** Sets the message for Ctrl-C, for a command that may have stored something by then. */
  onInterrupt(describe: () => string): void;
  /** From now on the command handles Ctrl-C itself. */
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
      const onWarning = (message: string) => terminal.warn(message);
      const retain = openRetain({ scope, asker: "person", onWarning, ...more });
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
        await retain.uploads.flush();
        retain.close();
      }
      await refreshBlocks(opened[0], terminal);
    },
  };
}

/** Facts may have changed since blocks in other agents' files were written. */
async function refreshBlocks(retain: Retain | undefined, terminal: Terminal): Promise<void> {
  const home = retain?.choice.home.root;
  if (home === undefined || !existsSync(join(home, "context-files.json"))) return;
  const { refreshContextFiles } = await import("../app/context-files.ts");
  const opened: Retain[] = [];
  const open = (cwd: string, isHome: boolean) => {
    const memory = openRetain({ cwd, scope: isHome ? "global" : "auto", onWarning: () => {} });
    opened.push(memory);
    return memory;
  };
  await refreshContextFiles(home, new Date(), open, (message) => terminal.warn(message));
  for (const memory of opened) memory.close();
}
