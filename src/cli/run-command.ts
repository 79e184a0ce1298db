/** Runs a command whose arguments are parsed: its context, Ctrl-C, output and exit code. */
import { keysIn } from "../config/key-variables.ts";
import type { CommandName } from "../core/command-effects.ts";
import { RetainError } from "../core/errors.ts";
import { hideProcess } from "../util/private-process.ts";
import { type CliCommand, type Context, createContext } from "./command.ts";
import { debug, debugError } from "./debug.ts";
import type { ParsedOptions } from "./options.ts";
import { Terminal } from "./output.ts";

interface ParsedCommand {
  readonly name: CommandName;
  readonly command: CliCommand;
  readonly args: string[];
  readonly options: ParsedOptions;
}

/** Returns the process's exit code. Errors are printed. */
export async function runCommand(
  { name, command, args, options }: ParsedCommand,
  about: Pick<Context, "commands" | "overview" | "version">,
): Promise<number> {
  // A chat can run a shell, and its settings may name key variables that `keysIn` doesn't recognise.
  if (name === "chat" || keysIn(process.env).length > 0) hideProcess();
  debug("run", name, `options: ${Object.keys(options).join(", ")}`);
  const terminal = new Terminal(options);
  try {
    const context = createContext(terminal, options, about);
    process.on("SIGINT", async () => {
      const said = context.interruption();
      if (said !== null) process.exit(await terminal.fail(name, new RetainError("interrupted", said)));
    });
    try {
      const output = await command.run(context, args, options);
      if (!output.streamed) await terminal.print(name, output);
      else if (output.failure !== undefined) await terminal.failStreamed(output.failure);
      debug("printed");
      return output.failure?.exitCode ?? 0;
    } finally {
      await context.close();
      debug("closed");
    }
  } catch (error) {
    debugError(error);
    return terminal.fail(name, error);
  }
}

/** Runs the process's command and exits with its code. */
export async function runProcess(version: string, run: () => Promise<number>): Promise<never> {
  debug("start", `retain ${version}`, `bun ${Bun.version}`, process.platform, process.arch);
  const code = await run();
  debug("exit", String(code));
  process.exit(code);
}
