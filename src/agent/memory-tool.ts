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
  /** A second call with the same input changes nothing. */
  readonly idempotent: boolean;
  /** It may send something over the network: to a language model, an embedding model or a memory server. */
  readonly openWorld: boolean;
  /** Why a person must approve a confirmed call in every mode. */
  readonly caution?: string;
  /** What is wrong with an input and how to fix it, for the model; null if it is valid. `run` checks it too. */
  check(input: unknown): string | null;
  /** Invalid input and RetainErrors become a result with `ok` false; only bugs throw. */
  run(input: unknown, signal: AbortSignal): Promise<MemoryToolResult>;
}

export interface MemoryToolResult {
  readonly ok: boolean;
  /**
   * For the model, with everything it needs for its next call: ids, versions, what was not done and why, an error's code. Memories
   * in it are fenced as data. A count includes only what was stored.
   */
  readonly text: string;
  /** The same as fields, for programs. */
  readonly data: Readonly<Record<string, unknown>>;
  /** For a person, in a few words: "2 memories stored". */
  readonly brief?: string;
}
