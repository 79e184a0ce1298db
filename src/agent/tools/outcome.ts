/** Results of calls that failed or were blocked. */
import type { ToolOutcome } from "../tool.ts";

export function failed(output: string, brief = "failed"): ToolOutcome {
  return { ok: false, output, brief };
}

/** A blocked call. The model and the user get the same reason, a predicate such as "deletes your home directory". */
export function blocked(summary: string, reason: string): ToolOutcome {
  return failed(`Blocked: ${summary} (${reason}). Do not try to work around this.`, `blocked: ${reason}`);
}
