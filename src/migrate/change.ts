/**
 * Changes memory files in one transaction under the workspace's lock, for changes that `keep` doesn't cover: notes of other days,
 * and whole files. The result is durable on return.
 */
import { RetainError } from "../core/errors.ts";
import type { Fact } from "../core/facts/fact.ts";
import { Drafts } from "../facts/drafts.ts";
import type { FactPorts } from "../facts/ports.ts";
import { syncedFacts, syncFacts } from "../facts/sync/sync-facts.ts";
import { isoSeconds } from "../util/days.ts";
import { LABEL } from "./facts.ts";

/** Retries if a person saves a file while it is being written. */
const ATTEMPTS = 8;

/** `edit` gets all facts, including ended ones. It may be called again if files change in the meantime. */
export async function changeFiles<T>(
  ports: FactPorts,
  edit: (drafts: Drafts, facts: readonly Fact[], at: string) => T,
): Promise<T> {
  return ports.lock.exclusively(() => {
    for (let attempt = 1; ; attempt++) {
      const facts = attempt === 1 ? syncedFacts(ports) : syncFacts(ports);
      const drafts = new Drafts(ports.files);
      const at = isoSeconds(ports.clock());
      const result = edit(drafts, facts, at);
      const changes = drafts.changes();
      if (changes.length === 0) return result;
      try {
        ports.files.change(LABEL, at, changes);
        syncFacts(ports);
        return result;
      } catch (error) {
        const isLate = error instanceof RetainError && error.code === "conflict";
        if (!isLate || attempt === ATTEMPTS) throw error;
      }
    }
  });
}
