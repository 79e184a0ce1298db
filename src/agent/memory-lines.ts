/** The lines under a reply that say what was saved, changed or rejected. */
import type { MemoryChanges } from "./events.ts";

/** As spec 000 shows them. */
export function memoryLines({
  saved,
  superseded,
  ended,
  unknown,
  skipped,
  refused,
  failed,
  working,
}: MemoryChanges): string[] {
  return [
    ...saved.map((text) => `✦ Memory saved: ${text}`),
    ...superseded.map(({ before, after }) => `✦ Memory changed: ${before} → ${after}`),
    ...ended.map((text) => `✦ Memory ended: ${text}`),
    ...unknown.map((id) => `✦ No fact has the id ${id}, so none was replaced`),
    ...skipped.map((text) => `✦ Already known: ${text}`),
    ...refused.map(({ text, why }) => `✦ Not saved (${why}): ${text}`),
    ...failed.map(({ text, why }) => `✦ Could not save: ${text} (${why})`),
    ...(working === "unchanged" ? [] : [`✦ Working memory ${working}`]),
  ];
}
