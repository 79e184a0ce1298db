/** A compaction strategy's decisions about notes. */
import type { Fact } from "../../core/facts/fact.ts";
import type { KnownFact } from "../compare/decide.ts";

/** The label of a compaction's change. */
export const COMPACTION = "compact";

/** A note of a due log. */
export interface DueNote {
  /** Below memories/. */
  readonly log: string;
  /** 1-based, of its heading. */
  readonly line: number;
  readonly chat: string | null;
  /** ISO 8601, in seconds: when it was noted. */
  readonly at: string;
  /** As the text of a bullet; "" if the note is empty. */
  readonly text: string;
  /** Without the note's title. */
  readonly body: string;
  /** The id it would have as a fact. */
  readonly id: string;
}

/** Known facts to compare the notes with. */
export interface Known {
  /** Current facts of the notes' own chat or workspace. A note may replace one. */
  readonly own: readonly Fact[];
  /** For a chat's notes: the workspace's facts. */
  readonly above: readonly KnownFact[];
  /** Ended facts of the notes' own chat or workspace. */
  readonly ended: readonly Fact[];
}

/** Applied in order; each note is in at least one. */
export type Step =
  /** A new fact. Notes with other words are merged into it. `since` is when it was noted. */
  | {
      readonly kind: "add";
      readonly text: string;
      readonly notes: readonly DueNote[];
      readonly since: string;
      readonly supersedes: readonly string[];
      readonly because: string | null;
    }
  /** The fact `as` says the same. */
  | { readonly kind: "known"; readonly note: DueNote; readonly as: string; readonly why: string }
  /** The fact `by` replaces it: the note goes only into HISTORY.md. */
  | {
      readonly kind: "superseded";
      readonly note: DueNote;
      readonly by: string;
      readonly why: string;
      readonly merged: boolean;
    }
  /** According to HISTORY.md, it was a fact that ended after the note. */
  | { readonly kind: "ended"; readonly note: DueNote; readonly by: string | null; readonly why: string }
  | { readonly kind: "empty"; readonly note: DueNote };

export interface Plan {
  readonly steps: readonly Step[];
  readonly warnings: readonly string[];
}

export interface CompactionStrategy {
  /** The notes belong to one chat or to the workspace, oldest first. Changes nothing. */
  plan(notes: readonly DueNote[], known: Known): Promise<Plan>;
}
