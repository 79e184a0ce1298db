/** Running processes, from /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** The ids of processes with this word in their command line. */
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
