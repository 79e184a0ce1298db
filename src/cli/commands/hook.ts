import { BOUND_MS, HOOK_EVENTS, hookEvent, nameInClaudeCode } from "../../agent/hooks/events.ts";
import { RetainError } from "../../core/errors.ts";
import type { CliCommand } from "../command.ts";
import { guardedHook } from "../hook-guard.ts";
import { addExamples } from "../options.ts";
import type { Output } from "../output.ts";
import { isTerminal } from "../tty.ts";

const SILENT: Output = { data: null, text: "", streamed: true };

const EXPLANATION = `
Claude Code starts this by itself, where Retain's plugin is installed; it tells
what happens as JSON on stdin, and takes what is printed into the conversation.

  session-start       gives what is known, and how to mark what is to be kept
  user-prompt-submit  gives what memory has on the prompt; mostly that is nothing
  stop, subagent-stop keep what the reply marks, and the turns after every few
  pre-compact         keeps all that is not kept yet
  session-end         the same, and sends what waits

It never fails and never waits for long: it ends with exit code 0, and what went
wrong is a line in hook.log of the home workspace (retain where --global).
Switch parts off with the settings hook_context, hook_recall and hook_retain,
or all of it with RETAIN_HOOKS=off in the environment.`;

export const hook: CliCommand = {
  define(command) {
    command
      .argument("[event]", `one of: ${HOOK_EVENTS.join(", ")}`)
      .addHelpText("after", EXPLANATION)
      // Exit code 2 would stop Claude Code: whatever a plugin of another version says, it is no mistake of the user's.
      .allowUnknownOption()
      .allowExcessArguments();
    addExamples(command, [
      "retain hook session-start < event.json",
      `echo '{"session_id":"1","prompt":"how do we deploy?"}' | retain hook user-prompt-submit`,
    ]);
  },

  async run(_context, [said = ""]) {
    if (said === "" || isTerminal("stdin")) throw byHand(said);
    if (process.env.RETAIN_HOOKS?.toLowerCase() === "off") return SILENT;
    const event = hookEvent(said);
    await guardedHook(
      said,
      event === null ? null : { event, bound: BOUND_MS[event], name: nameInClaudeCode(event) },
    );
    return SILENT;
  },
};

function byHand(said: string): RetainError {
  const what = said === "" ? "There is no event." : "There is nothing on stdin that tells what happened.";
  return new RetainError("usage", `${what} Claude Code starts this by itself.`, "See: retain hook --help");
}
