/** run_command: runs one `sh` command line in the working directory. Everything it started is killed at its end. */
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { Shown, Tool, ToolOutcome, ToolPlan } from "../tool.ts";
import { judgeCommand } from "./command-judge.ts";
import { count, text, toolInput } from "./input.ts";
import { blocked, failed } from "./outcome.ts";
import { PLAIN_PROGRAMS } from "./plain-command.ts";
import type { Roots } from "./roots.ts";
import { runShell, type ShellEnd, type Timer } from "./run-shell.ts";
import { visible } from "./visible.ts";

const DEFAULT_SECONDS = 120;
const MOST_SECONDS = 600;
const LONGEST = 50_000;

const INPUT = toolInput("run_command", {
  command: text("The command line, for sh."),
  timeout_seconds: count(`The time limit; ${DEFAULT_SECONDS} by default.`, 1, MOST_SECONDS),
});

interface CommandPorts {
  readonly roots: Roots;
  readonly env: Readonly<Record<string, string>>;
  readonly timer: Timer;
  readonly graceMs: number;
}

export function runCommandTool(ports: CommandPorts): Tool {
  return {
    name: "run_command",
    description: `Runs a command with sh in the working directory, without stdin, and returns its output and exit code. It is killed at its time limit, and its background processes are killed when it ends. Plain commands that only read here (${PLAIN_PROGRAMS.join(", ")}; no variables, wildcards or redirections) run at once; others may need the user's approval.`,
    schema: INPUT.schema,
    async plan(input) {
      const { command, timeout_seconds: seconds = DEFAULT_SECONDS } = INPUT.read(input);
      checkReadable(command);
      return planRun(command, seconds, ports);
    },
  };
}

/** The user must see exactly what they approve. */
function checkReadable(command: string): void {
  if (command.length > LONGEST)
    throw new RetainError(
      "invalid_input",
      "The command is longer than 50,000 characters. Write a script instead.",
    );
  if (visible(command) !== command)
    throw new RetainError(
      "invalid_input",
      "The command contains invisible characters: control, zero-width or text-direction characters. Remove them.",
    );
}

function planRun(command: string, seconds: number, ports: CommandPorts): ToolPlan {
  const judgement = judgeCommand(command, ports.roots, ports.env.PATH ?? "");
  const { denied } = judgement;
  const summary = `run \`${truncate(oneLine(command.trim()), 100)}\``;
  return {
    ...judgement,
    summary,
    preview: { kind: "command", text: command },
    async run(signal, onOutput) {
      if (denied !== null) return blocked(summary, denied);
      if (signal.aborted) return failed("Stopped before it ran.", "stopped");
      try {
        const { roots, env, timer, graceMs } = ports;
        const run = { command, cwd: roots.cwd, env, limitMs: seconds * 1_000, graceMs, timer, onOutput };
        return outcomeOf(await runShell(run, signal), seconds);
      } catch (error) {
        return failed(messageOf(ioError(error, "Cannot start the command")));
      }
    },
  };
}

function outcomeOf({ reason, code, signal, output, cutFrom, seconds }: ShellEnd, limit: number): ToolOutcome {
  const isEmpty = output.trim() === "";
  const printed = isEmpty ? "(no output)" : output;
  const shown: Shown = { kind: "output", text: output };
  if (reason === "timeout")
    return { ...failed(`Timed out after ${plural(limit, "second")}.\n\n${printed}`, "timed out"), shown };
  const time = `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (reason === "stopped")
    return {
      ...failed(`Stopped by the user after ${time}.\n\n${printed}`, `stopped by you after ${time}`),
      shown,
    };
  const end = code === null ? `killed by ${signal}` : `exit ${code}`;
  const size = cutFrom ?? plural(output.trimEnd().split("\n").length, "line");
  return {
    ok: code === 0,
    output: `${code === null ? `Killed by ${signal}.` : `Exit code ${code}.`}\n\n${printed}`,
    brief: [end, time, ...(isEmpty ? [] : [size])].join(" · "),
    shown,
  };
}
