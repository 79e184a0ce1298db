/** The command line: parse, run, print, exit code. */
import "./launched.ts";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS, GROUPS } from "./commands.ts";
import { debugError } from "./debug.ts";
import { Terminal } from "./output.ts";
import { overview } from "./overview.ts";
import { parseArguments } from "./parse.ts";
import { runCommand, runProcess } from "./run-command.ts";

const { version } = packageJson;

/** Runs one command and returns the process's exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const terminal = new Terminal({ json: argv.includes("--json"), verbose: argv.includes("--verbose") });
  try {
    const invocation = await parseArguments(argv, version);
    if (invocation.kind === "text") {
      await terminal.print("help", { data: { text: invocation.text }, text: invocation.text });
      return 0;
    }
    const commands = { commands: COMMANDS, overview: () => overview(version, GROUPS), version };
    // Reports its own errors, in the form that its options ask for.
    return await runCommand({ ...invocation, name: invocation.entry.name }, commands);
  } catch (error) {
    debugError(error);
    return terminal.fail(argv.find((word) => !word.startsWith("-")) ?? "", error);
  }
}

if (import.meta.main) void runProcess(version, () => main(process.argv.slice(2)));
