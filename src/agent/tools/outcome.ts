/** How a tool says that it did not do what was asked. */
import type { ToolOutcome } from "../tool.ts";

export function failed(output: string, brief = "failed"): ToolOutcome {
  return { ok: false, output, brief };
}

/** What is denied is not run, whoever asks. */
export function refused(why: string): ToolOutcome {
  return failed(`Not done: ${why}`, "refused");
}
