/** The parts of a context. What changes seldom stands first: whatever follows a change is not in a provider's prompt cache. */

/** In the order of the text, where instructions stand before all data. */
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

/** What may be another one in every turn. */
const CHANGING: ReadonlySet<PartName> = new Set(["working", "relevant", "sessions"]);

export function mayChangeEachTurn(name: PartName): boolean {
  return CHANGING.has(name);
}

/** What could go in. */
export interface Draft {
  readonly name: PartName;
  readonly title: string;
  /** The file that it is made of. */
  readonly path?: string;
  /** As it would stand in the context. */
  readonly text: string;
  /** The user's own instructions. Everything else is data, and stands in the fence. */
  readonly isInstruction?: boolean;
  /** Why it says only a part of what it stands for, where it does. */
  readonly partial?: string;
  /** The recalled memories in it: "fact 3f9a2xw0c1". */
  readonly memories?: readonly string[];
  /** As much of it as so many tokens hold; null where that is not worth showing. */
  shorten?(tokens: number): string | null;
}

/** Enough to tell which part was left out. */
export type LeftOut = Pick<Draft, "name" | "title" | "path" | "isInstruction">;

/** What became of a part. */
export interface ContextPart {
  readonly name: PartName;
  readonly title: string;
  /** Of what went in; of a part that was left out, what it would have taken. */
  readonly tokens: number;
  readonly included: boolean;
  readonly shortened: boolean;
  /** Why it was left out or shortened; null where it is in as a whole. */
  readonly why: string | null;
  readonly path?: string;
  /** The recalled memories in it: "fact 3f9a2xw0c1". */
  readonly memories?: readonly string[];
}

export interface AssembledContext {
  /** The system prompt. */
  readonly text: string;
  /** How many characters of the text stand before what may be another in every turn. */
  readonly stable_length: number;
  /** An estimate, never more than the budget. */
  readonly tokens: number;
  readonly budget: number;
  /** In the order of the text; those that were left out are at their place. */
  readonly parts: readonly ContextPart[];
}
