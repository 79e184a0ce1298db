/** What runs on this machine, where /proc tells. */
import { readdirSync, readFileSync } from "node:fs";

/** The ids of processes that have this word in their command line. */
export function processesWith(word: string): number[] {
  return readdirSync("/proc")
    .filter((id) => {
      try {
        return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes(word);
      } catch {
        return false;
      }
    })
    .map(Number);
}
