/**
 * Whether a call may be run: by the mode that the person chose, by what they allowed for the rest of the session, and never
 * by anything that a model or a tool says. It looks at the plan alone and does nothing.
 */
import type { ToolMode, ToolPlan } from "../tool.ts";

export type Verdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "ask" }
  /** `why` is for the model. */
  | { readonly verdict: "refuse"; readonly why: string };

const ALLOW: Verdict = { verdict: "allow" };
const ASK: Verdict = { verdict: "ask" };

/** Of one session. What was allowed in it ends with it. */
export class Approvals {
  readonly #patterns = new Set<string>();

  constructor(readonly mode: ToolMode) {}

  /** The first rule that fits decides; what is denied comes before everything that could allow it. */
  judge(plan: ToolPlan): Verdict {
    const { reach, denied, outside, caution = null } = plan;
    if (denied !== null)
      return refuse(`This is never allowed: ${plan.summary}. ${denied} Do not try it in another way.`);
    if (reach === "memory") return ALLOW;
    if (this.mode === "none")
      return refuse(
        `Not allowed: ${plan.summary}. In this session tools may only use memory, and delete nothing.`,
      );
    const isWithin = !outside && caution === null;
    if (this.mode === "read")
      return reach === "read" && isWithin
        ? ALLOW
        : refuse(
            `Not allowed: ${plan.summary}. In this session only files in the working directory are read.`,
          );
    if (plan.pattern !== null && this.#patterns.has(plan.pattern)) return ALLOW;
    if (!isWithin) return ASK;
    return this.mode === "all" || reach === "read" ? ALLOW : ASK;
  }

  /** Where the plan has a pattern, calls with the same one are not asked about any more. */
  allowForSession({ pattern, denied }: ToolPlan): void {
    if (pattern !== null && denied === null) this.#patterns.add(pattern);
  }
}

function refuse(why: string): Verdict {
  return { verdict: "refuse", why };
}
