/** What an inference gives: one sentence about the person or their work, what kind it is, and what it is about. */

export type InferredKind =
  | "name"
  | "work"
  | "home"
  | "person"
  | "preference"
  | "tool"
  | "decision"
  | "date"
  | "convention";

export interface InferredFact {
  /** In the third person, with its full stop: "The user's name is Ada." */
  readonly text: string;
  readonly kind: InferredKind;
  /** What it is about, in the person's words: "Postgres 16". */
  readonly entity: string;
}

/** Reads one clause; null where it says nothing that the rule knows. */
export type InferenceRule = (clause: string, greeted: boolean) => InferredFact | null;

/** `sentence` without its full stop. */
export function inferred(kind: InferredKind, sentence: string, entity: string): InferredFact {
  return { kind, text: `${sentence}.`, entity };
}
