/** What became of a reply's marks, in the lines that every face shows under it. */
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
    ...refused.map(({ text, why }) => `✦ Not kept, since ${why}: ${text}`),
    ...failed.map(({ text, why }) => `✦ Could not be kept: ${text} (${why})`),
    ...(working === "unchanged" ? [] : [`✦ Working memory ${working}`]),
  ];
}
