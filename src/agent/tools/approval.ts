/**
 * Decides whether a call may run: by the mode and by what the user allowed for the session, never by anything that a model or tool
 * says. It only looks at the plan.
 */
import type { ToolMode, ToolPlan } from "../tool.ts";

type Verdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "ask" }
  /** `why` is for the model, `brief` for the user. */
  | { readonly verdict: "refuse"; readonly why: string; readonly brief: string };

const ALLOW: Verdict = { verdict: "allow" };
const ASK: Verdict = { verdict: "ask" };

/** The approvals of one session. */
export class Approvals {
  readonly #patterns = new Set<string>();

  constructor(readonly mode: ToolMode) {}

  /** The first matching rule decides; `denied` comes before everything that could allow the call. */
  judge(plan: ToolPlan): Verdict {
    const { reach, denied, outside, caution = null } = plan;
    if (denied !== null)
      return refuse(`Blocked: ${plan.summary}. ${denied} Do not try to work around this.`, denied);
    if (reach === "memory") return ALLOW;
    if (this.mode === "none")
      return refuse(
        `Blocked: ${plan.summary}. In this session, tools may only use memory, and not delete anything.`,
        "--tools none",
      );
    const isWithin = !outside && caution === null;
    if (this.mode === "read")
      return reach === "read" && isWithin
        ? ALLOW
        : refuse(
            `Blocked: ${plan.summary}. In this session, tools may only read files in the working directory.`,
            "--tools read",
          );
    if (plan.pattern !== null && this.#patterns.has(plan.pattern)) return ALLOW;
    if (!isWithin) return ASK;
    return this.mode === "all" || reach === "read" ? ALLOW : ASK;
  }

  /** If the plan has a pattern, calls with the same pattern no longer ask. */
  allowForSession({ pattern, denied }: ToolPlan): void {
    if (pattern !== null && denied === null) this.#patterns.add(pattern);
  }
}

function refuse(why: string, reason: string): Verdict {
  return { verdict: "refuse", why, brief: `blocked: ${reason}` };
}
