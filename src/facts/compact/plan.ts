/** What compaction decides about notes, whichever strategy decides it. */
import type { Fact } from "../../core/facts/fact.ts";
import type { KnownFact } from "../compare/decide.ts";

/** What the change that a compaction makes is called. */
export const COMPACTION = "compact";

/** A note of a log that is due. */
export interface DueNote {
  /** Below memories/. */
  readonly log: string;
  /** 1-based, of its heading. */
  readonly line: number;
  readonly chat: string | null;
  /** ISO 8601, in seconds: when it was noted. */
  readonly at: string;
  /** As a bullet says it; "" where the note says nothing. */
  readonly text: string;
  /** The same without the note's title. */
  readonly body: string;
  /** The fact that it would be. */
  readonly id: string;
}

/** What is known where the notes belong. */
export interface Known {
  /** Facts that hold in the notes' own tier: a note may take the place of one. */
  readonly own: readonly Fact[];
  /** Those of the workspace, where the notes are a chat's. */
  readonly above: readonly KnownFact[];
  /** Of the own tier, those that have ended. */
  readonly ended: readonly Fact[];
}

/** In the order in which they are to happen; each note is in at least one. */
export type Step =
  /** A new fact. A note that says it in other words was merged into it. `since` is when it was noted. */
  | {
      readonly kind: "add";
      readonly text: string;
      readonly notes: readonly DueNote[];
      readonly since: string;
      readonly supersedes: readonly string[];
      readonly because: string | null;
    }
  /** The fact `as` says it. */
  | { readonly kind: "known"; readonly note: DueNote; readonly as: string; readonly why: string }
  /** The fact `by` stands in its place: the note goes into HISTORY.md alone. */
  | {
      readonly kind: "superseded";
      readonly note: DueNote;
      readonly by: string;
      readonly why: string;
      readonly merged: boolean;
    }
  /** HISTORY.md has it as a fact that ended after the note. */
  | { readonly kind: "ended"; readonly note: DueNote; readonly by: string | null; readonly why: string }
  | { readonly kind: "empty"; readonly note: DueNote };

export interface Plan {
  readonly steps: readonly Step[];
  /** What did not work as it should have. */
  readonly warnings: readonly string[];
}

export interface CompactionStrategy {
  /** The notes are of one tier, the oldest first. Changes nothing. */
  plan(notes: readonly DueNote[], known: Known): Promise<Plan>;
}
