/** The decisions in a review, each with its key: the same keys as `retain review` in a terminal. */
import type { Input } from "../../serve/page/table.ts";
import type { KeyHelp } from "../keys.ts";

export type Decision = Input<"review-decide">["decision"] | "confirm" | "reject";

export interface Choice<D = Decision> {
  readonly key: string;
  readonly decision: D;
  readonly label: string;
  /** What it does. */
  readonly detail: string;
  /** Afterwards: "Confirmed". */
  readonly done: string;
}

export const PAIR_CHOICES: readonly Choice<Input<"review-decide">["decision"]>[] = [
  {
    key: "n",
    decision: "newer",
    label: "Newer is right",
    detail: "The older fact ends.",
    done: "Kept the newer",
  },
  {
    key: "b",
    decision: "both",
    label: "Both are true",
    detail: "They are about different things.",
    done: "Kept both",
  },
  {
    key: "o",
    decision: "older",
    label: "Older is right",
    detail: "The newer fact ends.",
    done: "Kept the older",
  },
];

export const FACT_CHOICES: readonly Choice[] = [
  { key: "y", decision: "confirm", label: "Confirm", detail: "It moves to MEMORY.md.", done: "Confirmed" },
  {
    key: "n",
    decision: "reject",
    label: "Reject",
    detail: "It is removed and never proposed again.",
    done: "Rejected",
  },
];

export const EDIT = "e";
export const SKIP = "s";
export const UNDO = "u";

export const REVIEW_KEYS: readonly KeyHelp[] = [
  ...FACT_CHOICES.map(({ key, label }) => ({ keys: [key], what: `${label} an unconfirmed fact` })),
  { keys: [EDIT], what: "Edit an unconfirmed fact, and confirm it" },
  ...PAIR_CHOICES.map(({ key, label }) => ({ keys: [key], what: `Of two facts: ${label.toLowerCase()}` })),
  { keys: [SKIP], what: "Skip" },
  { keys: [UNDO], what: "Undo the last decision" },
];
