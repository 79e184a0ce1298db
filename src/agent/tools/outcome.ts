/** Results of calls that failed or were blocked. */
import type { ToolOutcome } from "../tool.ts";

export function failed(output: string, brief = "failed"): ToolOutcome {
  return { ok: false, output, brief };
}

/** A plan's `run` checks `denied` again, whoever calls it. */
export function refused(why: string): ToolOutcome {
  return failed(`Blocked: ${why}`, `blocked: ${why}`);
}
