/** A tool on memory, defined once for the chat, for MCP and for programs. */
import type { Effect } from "../core/command-effects.ts";
import type { ToolSpec } from "../core/model.ts";

export interface MemoryTool extends ToolSpec {
  /** For a person: "Save facts". */
  readonly title: string;
  readonly effect: Effect;
  /** Its effect is `read`: it changes nothing. */
  readonly readOnly: boolean;
  /** It removes or replaces something. */
  readonly destructive: boolean;
  /** Called twice with the same input, it does no more than once. */
  readonly idempotent: boolean;
  /** JSON Schema of a result's `data`. */
  readonly output: Readonly<Record<string, unknown>>;
  /** What is wrong with an input and how it should be, for the model; null where it can be run. `run` checks it too. */
  check(input: unknown): string | null;
  /** Input that makes no sense, and what a person could mend, is a result with `ok` false; only a bug throws. */
  run(input: unknown, signal: AbortSignal): Promise<MemoryToolResult>;
}

export interface MemoryToolResult {
  readonly ok: boolean;
  /**
   * For the model, and all that it needs for its next call: ids, versions, what was not done and why, an error's code. Memories
   * in it are fenced as data. The count is that of what was stored.
   */
  readonly text: string;
  /** The same as fields, for programs. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For a person, in a few words: "2 memories stored". */
  readonly brief?: string;
}
