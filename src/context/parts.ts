/** The parts of a context. Stable parts come first, because a provider's prompt cache misses everything after a change. */

/** In order; instructions come before all data. */
export const PART_NAMES = [
  "base",
  "marks",
  "user",
  "preferences",
  "files",
  "memory",
  "models",
  "chat",
  "unconfirmed",
  "logs",
  "working",
  "relevant",
  "sessions",
] as const;

export type PartName = (typeof PART_NAMES)[number];

/** Parts that may change in every turn. */
const CHANGING: ReadonlySet<PartName> = new Set(["working", "relevant", "sessions"]);

export function mayChangeEachTurn(name: PartName): boolean {
  return CHANGING.has(name);
}

/** A candidate part. */
export interface Draft {
  readonly name: PartName;
  readonly title: string;
  /** Its source file. */
  readonly path?: string;
  /** The text as shown in the context. */
  readonly text: string;
  /** The user's own instructions. Everything else is data and goes inside the fence. */
  readonly isInstruction?: boolean;
  /** Why the text is incomplete, if it is. */
  readonly partial?: string;
  /** The recalled memories in it: "fact 3f9a2xw0c1". */
  readonly memories?: readonly string[];
  /** Of `memories`, in the same order. */
  readonly scores?: readonly number[];
  /** Shortens to this many tokens; null if the rest is not worth showing. */
  shorten?(tokens: number): string | null;
}

/** Identifies a part that was left out. */
export type LeftOut = Pick<Draft, "name" | "title" | "path" | "isInstruction">;

/** The outcome for a part. */
export interface ContextPart {
  readonly name: PartName;
  readonly title: string;
  /** The tokens included; for a part left out, the tokens it would have taken. */
  readonly tokens: number;
  readonly included: boolean;
  readonly shortened: boolean;
  /** Why it was left out or shortened; null if it is complete. */
  readonly why: string | null;
  readonly path?: string;
  /** The recalled memories in it: "fact 3f9a2xw0c1". */
  readonly memories?: readonly string[];
  /** Of `memories`, in the same order. */
  readonly scores?: readonly number[];
}

export interface AssembledContext {
  /** The system prompt. */
  readonly text: string;
  /** The length of the prefix before parts that may change in every turn. */
  readonly stable_length: number;
  /** An estimate, never more than the budget. */
  readonly tokens: number;
  readonly budget: number;
  /** In the order of the text, including parts that were left out. */
  readonly parts: readonly ContextPart[];
}
