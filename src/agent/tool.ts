/** A tool: how a model calls it, and a plan that says what a call would do before it runs. */
import type { ToolSpec } from "../core/model.ts";
import { squeezed } from "../util/text.ts";

/** How far a tool reaches. */
type Reach = "memory" | "read" | "write" | "run";

/** A call that was checked and has not run yet. */
export interface ToolPlan {
  readonly reach: Reach;
  /** One line for the user: "read src/app.ts", "run `ls -la`". */
  readonly summary: string;
  /** Shown to the user before they approve: a diff, the full command. */
  readonly preview: { readonly kind: "diff" | "command" | "text"; readonly text: string } | null;
  /** It touches something outside the working directory: every mode asks. */
  readonly outside: boolean;
  /** Another reason why every mode asks, for the user, such as possible secrets. */
  readonly caution?: string | null;
  /** What "for this session" would allow, for the user: "run exactly npm test"; null if each call needs its own approval. */
  readonly pattern: string | null;
  /** Why it is blocked regardless of approval; null if it can be approved. */
  readonly denied: string | null;
  /**
   * A tool's own failure is a result with `ok` false; the signal kills what the tool started. While it runs, `onOutput` gets all
   * complete lines of the output so far, not redacted, as often as a person can read them.
   */
  run(signal: AbortSignal, onOutput?: (soFar: string) => void): Promise<ToolOutcome>;
}

/** What a call printed or changed, for the user: a program's output, a diff, or else the text that the model got. */
export interface Shown {
  readonly kind: "output" | "diff" | "text";
  readonly text: string;
}

export interface ToolOutcome {
  readonly ok: boolean;
  /** For the model. It is data: it cannot approve anything, and marks in it are not saved. */
  readonly output: string;
  /** For the user, in one line: "42 lines", "exit 1". */
  readonly brief: string;
  /** By default the output. */
  readonly shown?: Shown;
  /** The user's words, if they denied the call with a reason. */
  readonly reason?: string;
}

export interface Tool extends ToolSpec {
  /** Checks the input and plans the call. Throws RetainError `invalid_input` with a text for the model. */
  plan(input: unknown): Promise<ToolPlan>;
}

/** `none`: no tools; `read`: only reads inside the working directory; `ask`: asks before changes; `all`: does not ask. */
export const TOOL_MODES = ["none", "read", "ask", "all"] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** The user's answer: this once, for the rest of the session if the pattern matches, or no, maybe with a reason. Plain data. */
export type Decision =
  | { readonly answer: "once" | "session" }
  | { readonly answer: "deny"; readonly reason?: string };

/** A decision from another process: whatever doesn't clearly allow the call denies it. The reason becomes one line. */
export function asDecision({
  answer,
  reason,
}: {
  readonly answer: string;
  readonly reason?: unknown;
}): Decision {
  if (answer === "once" || answer === "session") return { answer };
  const why = typeof reason === "string" ? squeezed(reason) : "";
  return why === "" ? { answer: "deny" } : { answer: "deny", reason: why };
}
