/** The report of a compaction: the outcome for each note, the logs that stay and why, and a diff. */
import { createTwoFilesPatch } from "diff";
import { factId } from "../../core/facts/fact-text.ts";
import { HISTORY } from "../../core/facts/memory-paths.ts";
import type { ChangedFile } from "../../core/ports/documents.ts";
import type { Account } from "./check.ts";
import type { DueNote, Step } from "./plan.ts";
import { MERGED, type PlannedTier, type Replaced } from "./write.ts";

export interface NoteReport extends Account {
  /** When it was noted. */
  readonly at: string;
  readonly text: string;
  /** The fact that replaced it; null unless it is outdated. */
  readonly by: string | null;
  readonly why: string | null;
}

export interface CompactionReport {
  readonly dry_run: boolean;
  /** Below memories/, like all paths here. */
  readonly removed: readonly string[];
  /** Due logs that weren't compacted, with the lines that are the reason. */
  readonly kept: readonly { readonly log: string; readonly why: string; readonly lines: readonly number[] }[];
  readonly notes: readonly NoteReport[];
  /** Facts from before that were replaced. */
  readonly superseded: readonly Replaced[];
  /** Unified diff of all changed files. */
  readonly diff: string;
  /** Suggestions for the user. */
  readonly hints: readonly string[];
}

/** A larger file of facts takes up much of every context. */
const LARGE_BYTES = 10 * 1024;

/** One for each note, in the order of the logs. */
export function noteReports(
  notes: readonly DueNote[],
  tiers: readonly PlannedTier[],
  replaced: readonly Replaced[],
): NoteReport[] {
  const outcomes = new Map<DueNote, Pick<NoteReport, "outcome" | "as" | "by" | "why">>();
  for (const { steps } of tiers)
    for (const step of steps)
      for (const note of step.kind === "add" ? step.notes : [step.note])
        if (!outcomes.has(note)) outcomes.set(note, outcomeOf(step, note, replaced));
  return notes.flatMap((note) => {
    const outcome = outcomes.get(note);
    const { log, line, at, text } = note;
    return outcome === undefined ? [] : { log, line, at, text, ...outcome };
  });
}

function outcomeOf(
  step: Step,
  { id, chat }: DueNote,
  replaced: readonly Replaced[],
): Pick<NoteReport, "outcome" | "as" | "by" | "why"> {
  switch (step.kind) {
    case "empty":
      return { outcome: "empty", as: null, by: null, why: "empty" };
    case "known":
      return { outcome: "known", as: step.as, by: null, why: step.why };
    case "ended":
      return { outcome: "outdated", as: id, by: step.by, why: step.why };
    case "superseded":
      return step.merged
        ? { outcome: "merged", as: step.by, by: null, why: step.why }
        : { outcome: "outdated", as: id, by: step.by, why: step.why };
    case "add": {
      const as = factId(step.text, chat);
      if (as !== id) return { outcome: "merged", as, by: null, why: MERGED };
      const later = replaced.find((fact) => fact.id === id);
      if (later !== undefined) return { outcome: "outdated", as: id, by: later.by, why: later.why };
      return { outcome: "added", as: id, by: null, why: null };
    }
  }
}

export function diffOf(changes: readonly ChangedFile[]): string {
  return changes
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ path, before, after }) => {
      const names = [before === null ? NOTHING : path, after === null ? NOTHING : path] as const;
      const patch = createTwoFilesPatch(...names, before ?? "", after ?? "", undefined, undefined, {
        context: 3,
      });
      return patch.slice(patch.indexOf("--- "));
    })
    .join("");
}

const NOTHING = "/dev/null";

/** Most interesting first: facts, then removed logs, then the history. */
function rank({ path, after }: ChangedFile): number {
  return path === HISTORY ? 2 : after === null ? 1 : 0;
}

export function hintsOn(changes: readonly ChangedFile[]): string[] {
  return changes.flatMap(({ path, after }) => {
    const bytes = Buffer.byteLength(after ?? "");
    if (path === HISTORY || bytes <= LARGE_BYTES) return [];
    return `${path} is ${Math.round(bytes / 1024)} KB: remove what no longer matters, so that it fits a context.`;
  });
}
