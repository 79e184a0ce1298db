/**
 * Removes items pending for a bank on this machine. Projects may share the bank and its spool: in a project, only that project's
 * items are removed; outside projects, all of them.
 */
import { command, option } from "../../core/hint.ts";
import type { ToEmpty } from "../../core/ports/backend.ts";
import { oneLine } from "../../util/text.ts";
import type { SpoolEntry } from "../spool/entry.ts";
import type { Spool } from "../spool/spool.ts";
import type { Operations } from "./operations.ts";
import { type QueueSettings, readQueued } from "./queued.ts";
import { projectIn } from "./scope-tags.ts";

export class Emptying {
  constructor(
    private readonly spool: Spool,
    private readonly operations: Operations,
    private readonly queue: QueueSettings,
  ) {}

  /** Throws `io`. */
  plan(): ToEmpty {
    const held = this.spool.held();
    const others = counted(held.filter((entry) => !this.#isMeant(entry)));
    return {
      goes: counted(held.filter((entry) => this.#isMeant(entry))),
      stays:
        others.length === 0
          ? []
          : [
              `Pending uploads of others stay: ${others.join(", ")}. To remove those too: ${command("clear", option("global"))}`,
            ],
    };
  }

  /** Returns how many were removed. What the server is processing no longer comes back if that fails. Throws `io`. */
  empty(): number {
    this.operations.remove((entry) => this.#isMeant(entry));
    return this.spool.remove((entry) => this.#isMeant(entry));
  }

  /** `entry` is null if it cannot be read, so that its project is unknown. */
  #isMeant(entry: SpoolEntry | null): boolean {
    const { tags, read, ids } = this.queue;
    if (tags.length === 0) return true;
    const queued = entry === null ? null : readQueued(entry);
    if (queued === null) return false;
    if (queued.kind === "send") return queued.item.tags.some((tag) => read.includes(tag));
    const named = ids.read(queued.document_id);
    return named !== null && named.kind !== "fact";
  }
}

function counted(entries: readonly (SpoolEntry | null)[]): string[] {
  return [...Map.groupBy(entries, whose)].map(([words, { length }]) => `${length} ${words}`);
}

function whose(entry: SpoolEntry | null): string {
  const queued = entry === null ? null : readQueued(entry);
  if (queued === null) return "unreadable";
  if (queued.kind !== "send") return "to delete on the server";
  const project = projectIn(queued.item.tags);
  return project === null ? "of no project" : `of project ${oneLine(project)}`;
}
