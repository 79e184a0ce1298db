import { HOOK_EVENTS } from "../../agent/hooks/events.ts";
import { RetainError } from "../../core/errors.ts";
import type { CliCommand } from "../command.ts";
import { runHookProcess } from "../hook-guard.ts";
import { addExamples } from "../options.ts";
import type { Output } from "../output.ts";
import { isTerminal } from "../tty.ts";

const SILENT: Output = { data: null, text: "", streamed: true };

const EXPLANATION = `
Claude Code runs this automatically if Retain's plugin is installed. It passes the
event as JSON on stdin and adds the output to the conversation.

  session-start       prints memory, and how to mark facts to save
  user-prompt-submit  prints memory relevant to the prompt; often nothing
  subagent-start      prints memory for a sub-agent
  stop                saves marked facts, and every few turns the turns and what
                      was done: files changed, commands run
  subagent-stop       saves facts that a sub-agent marked, and what it did
  pre-compact         saves everything not saved yet
  session-end         the same, and sends pending data to the server

Gemini CLI and opencode run it after 'retain connect gemini --hooks' (or opencode):

  before-agent        as user-prompt-submit
  after-agent         saves the exchange and its marked facts

It always exits with code 0, within a time limit. Errors are logged to hook.log in
the home workspace (retain where --global). Turn off parts of it with the settings
hook_context, hook_recall, hook_retain and hook_activity, or all of it with
RETAIN_HOOKS=off in the environment.`;

export const hook: CliCommand = {
  define(command) {
    command
      .argument("[event]", `one of: ${HOOK_EVENTS.join(", ")}`)
      .takes(HOOK_EVENTS)
      .addHelpText("after", EXPLANATION)
      // Exit code 2 would block Claude Code, and an argument from another plugin version isn't the user's mistake.
      .allowUnknownOption()
      .allowExcessArguments();
    addExamples(command, [
      "retain hook session-start < event.json",
      `echo '{"session_id":"1","prompt":"how do we deploy?"}' | retain hook user-prompt-submit`,
    ]);
  },

  async run(_context, [said = ""]) {
    if (said === "" || isTerminal("stdin")) throw byHand(said);
    await runHookProcess(said);
    return SILENT;
  },
};

function byHand(said: string): RetainError {
  const what = said === "" ? "The event is missing." : "The event's JSON is missing on stdin.";
  return new RetainError("usage", `${what} Claude Code runs this automatically.`, "See: retain hook --help");
}
