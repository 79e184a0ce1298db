/** The command line: parse, run, print, exit code. */
import packageJson from "../../package.json" with { type: "json" };
import { keysIn } from "../config/key-variables.ts";
import { RetainError } from "../core/errors.ts";
import { hideProcess } from "../util/private-process.ts";
import { createContext } from "./command.ts";
import { COMMANDS, GROUPS } from "./commands.ts";
import { debug, debugError } from "./debug.ts";
import { Terminal } from "./output.ts";
import { overview } from "./overview.ts";
import { parseArguments } from "./parse.ts";

const { version } = packageJson;

/** Runs one command and returns the process's exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const early = new Terminal({ json: argv.includes("--json"), verbose: argv.includes("--verbose") });
  let name = argv.find((word) => !word.startsWith("-")) ?? "";
  let terminal = early;
  debug("start", `retain ${version}`, `bun ${Bun.version}`, process.platform, process.arch);
  try {
    const invocation = await parseArguments(argv, version);
    if (invocation.kind === "text") {
      await early.print("help", { data: { text: invocation.text }, text: invocation.text });
      return 0;
    }
    name = invocation.entry.name;
    // A chat can run a shell, and its settings may name key variables that `keysIn` doesn't recognise.
    if (name === "chat" || keysIn(process.env).length > 0) hideProcess();
    debug("run", name, `options: ${Object.keys(invocation.options).join(", ")}`);
    terminal = new Terminal(invocation.options);
    const context = createContext(terminal, invocation.options, {
      commands: COMMANDS,
      overview: () => overview(version, GROUPS),
      version,
    });
    process.on("SIGINT", async () => {
      const said = context.interruption();
      if (said !== null) process.exit(await terminal.fail(name, new RetainError("interrupted", said)));
    });
    try {
      const output = await invocation.command.run(context, invocation.args, invocation.options);
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

if (import.meta.main)
  main(process.argv.slice(2)).then((code) => {
    debug("exit", String(code));
    process.exit(code);
  });
