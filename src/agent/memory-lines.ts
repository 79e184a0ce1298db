/** The lines under a reply that say what was saved, superseded or rejected, for the terminal and for `--print`. */
import type { MemoryChanges } from "./events.ts";

export interface MemoryLine {
  readonly tone: "done" | "minor" | "refused" | "failed";
  readonly mark: string;
  readonly label: string;
  readonly text: string;
}

/** The first as spec 000 shows it. */
export function memoryLines(changes: MemoryChanges): MemoryLine[] {
  const done = (label: string, text: string) => ({ tone: "done", mark: "✦", label, text }) as const;
  const refused = (label: string, text: string) => ({ tone: "refused", mark: "✗", label, text }) as const;
  const { saved, queued = [], superseded, ended, unknown, skipped, working } = changes;
  return [
    ...saved.map((text) => done("Memory saved", text)),
    ...queued.map((text) => done("Memory queued", text)),
    ...superseded.map(({ before, after }) => done("Memory superseded", `${before} → ${after}`)),
    ...ended.map((text) => done("Memory ended", text)),
    ...unknown.map((id) => refused("No such fact", id)),
    ...skipped.map((text) => ({ tone: "minor", mark: "·", label: "Already known", text }) as const),
    ...changes.refused.map(({ text, why }) => refused("Not saved", `${text} (${why})`)),
    ...changes.failed.map(
      ({ text, why }) =>
        ({ tone: "failed", mark: "✗", label: "Could not save", text: `${text} (${why})` }) as const,
    ),
    ...(working === "unchanged"
      ? []
      : [{ tone: "minor", mark: "✦", label: "Working memory", text: working } as const]),
  ];
}
