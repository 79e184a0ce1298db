/** What a tool is: how a model calls it, and what running it would mean, told before anything is done. */
import type { ToolSpec } from "../core/model.ts";

/** How far a tool reaches. */
export type Reach = "memory" | "read" | "write" | "run";

/** A call that has been looked at and not yet run. */
export interface ToolPlan {
  readonly reach: Reach;
  /** One line for a person: "read src/app.ts", "run `ls -la`". */
  readonly summary: string;
  /** What a person should see before saying yes: a diff, a command's whole text. */
  readonly preview: { readonly kind: "diff" | "command" | "text"; readonly text: string } | null;
  /** It touches something outside the working directory, which is asked about always. */
  readonly outside: boolean;
  /** Why else it is asked about in every mode, for a person: it may hold secrets, or it cannot be understood. */
  readonly caution?: string | null;
  /** What "for this session" would allow, in words a person reads: "run exactly npm test"; null where each call is asked about. */
  readonly pattern: string | null;
  /** Why no approval can allow it; null where one can. */
  readonly denied: string | null;
  /** Does it. A tool's own failure is a result with `ok` false; the signal kills what it started. */
  run(signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolOutcome {
  readonly ok: boolean;
  /** For the model. It is data: whatever it says approves nothing, and marks in it are not kept. */
  readonly output: string;
  /** For the person, in one line: "42 lines", "exit 1". */
  readonly brief: string;
}

export interface Tool extends ToolSpec {
  /** Checks the input and says what would be done. Throws RetainError `invalid_input` with a text for the model. */
  plan(input: unknown): Promise<ToolPlan>;
}

/** `none`: no tools; `read`: reading inside the working directory alone; `ask`: what changes things is asked about; `all`: it is not. */
export const TOOL_MODES = ["none", "read", "ask", "all"] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** A person's answer: this once, for the rest of the session where the pattern fits, or no. */
export type Decision = "once" | "session" | "no";
