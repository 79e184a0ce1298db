/**
 * Decides whether a call may run: by the mode and by what the user allowed for the session, never by anything that a model or tool
 * says. It only looks at the plan.
 */
import type { ToolMode, ToolPlan } from "../tool.ts";

type Verdict =
  | { readonly verdict: "allow" }
  | { readonly verdict: "ask" }
  /** `why` is a predicate for the model and the user: "deletes your home directory". */
  | { readonly verdict: "refuse"; readonly why: string };

const ALLOW: Verdict = { verdict: "allow" };
const ASK: Verdict = { verdict: "ask" };
const ONLY_MEMORY: Verdict = {
  verdict: "refuse",
  why: "--tools none only allows tools to use memory, without deleting anything",
};
const ONLY_READING: Verdict = {
  verdict: "refuse",
  why: "--tools read only allows tools to read files in the working directory",
};

/** The approvals of one session. */
export class Approvals {
  readonly #patterns = new Set<string>();

  constructor(readonly mode: ToolMode) {}

  /** The first matching rule decides; `denied` comes before everything that could allow the call. */
  judge(plan: ToolPlan): Verdict {
    const { reach, denied, outside, caution = null } = plan;
    if (denied !== null) return { verdict: "refuse", why: denied };
    if (reach === "memory") return ALLOW;
    if (this.mode === "none") return ONLY_MEMORY;
    const isWithin = !outside && caution === null;
    if (this.mode === "read") return reach === "read" && isWithin ? ALLOW : ONLY_READING;
    if (plan.pattern !== null && this.#patterns.has(plan.pattern)) return ALLOW;
    if (!isWithin) return ASK;
    return this.mode === "all" || reach === "read" ? ALLOW : ASK;
  }

  /** If the plan has a pattern, calls with the same pattern no longer ask. */
  allowForSession({ pattern, denied }: ToolPlan): void {
    if (pattern !== null && denied === null) this.#patterns.add(pattern);
  }
}
