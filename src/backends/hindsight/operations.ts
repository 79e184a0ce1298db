/**
 * Items that the server accepted and processes in the background. That can fail hours later, so each operation is a file with its
 * spool entries until the server reports its end. The entries of a failed one go back to the spool.
 */
import { join } from "node:path";
import { ioError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { backoff } from "../../util/backoff.ts";
import {
  ensureDirectory,
  entriesIfThere,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import { parseJson } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";
import * as z from "../../util/zod.ts";
import type { SpoolEntry } from "../spool/entry.ts";
import { type HindsightClient, isId, segment } from "./client.ts";
import { OPERATION } from "./protocol.ts";
import { READ_MS } from "./remote-documents.ts";

const ENTRY = z.object({
  key: z.string(),
  kind: z.string(),
  body: z.json(),
  summary: z.string(),
  queuedAt: z.string(),
  tries: z.number(),
});

const FILE = z.object({
  operation: z.string(),
  acceptedAt: z.string(),
  /** ISO 8601: when to ask the server. */
  checkAt: z.string(),
  checks: z.number(),
  entries: z.array(ENTRY),
});

type Operation = Omit<z.infer<typeof FILE>, "entries"> & { readonly entries: readonly SpoolEntry[] };

/** The first check is after 4 s, each later one after twice the time, up to ten minutes. */
const LONGER = 2;
/** Checks per call, so that nothing waits for many requests. */
const MOST_CHECKS = 8;
/** By then, the server has deleted its record or will never finish. */
const LONGEST_MS = 24 * 3_600_000;

export class Operations {
  readonly #directory: string;

  constructor(
    spoolDirectory: string,
    private readonly client: HindsightClient,
    private readonly clock: Clock,
  ) {
    this.#directory = join(spoolDirectory, "operations");
  }

  /** A newer version of an entry makes older ones irrelevant. Never throws: the server has the items. */
  accepted(operation: string, entries: readonly SpoolEntry[]): void {
    const now = this.clock();
    const checkAt = after(now, backoff(LONGER + 1));
    quietly(() => {
      this.remove(({ key, queuedAt }) =>
        entries.some((entry) => entry.key === key && entry.queuedAt !== queuedAt),
      );
      const whole = entries.map((entry) => ({ ...entry, tries: entry.tries ?? 0 }));
      this.#write({ operation, acceptedAt: now.toISOString(), checkAt, checks: 0, entries: whole });
    });
  }

  /** Removed entries must not come back. Throws `io`. */
  remove(isMeant: (entry: SpoolEntry) => boolean): void {
    try {
      for (const operation of this.#all()) {
        const entries = operation.entries.filter((entry) => !isMeant(entry));
        if (entries.length < operation.entries.length) this.#write({ ...operation, entries });
      }
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.#directory}`);
    }
  }

  /** Asks about operations that are due, or about all. `putBack` gets the entries of failed ones, and why. Never throws. */
  async check(
    signal: AbortSignal,
    putBack: (entries: readonly SpoolEntry[], why: string) => void,
    isForAll = false,
  ): Promise<void> {
    const now = this.clock().getTime();
    const due = this.#all().filter(({ checkAt }) => isForAll || !(Date.parse(checkAt) > now));
    for (const operation of due.slice(0, MOST_CHECKS)) {
      if (signal.aborted) return;
      const path = `/operations/${segment(operation.operation)}`;
      const call = { method: "GET", path, answer: OPERATION, signal, withinMs: READ_MS } as const;
      const reply = await this.client.call(call);
      const isTrouble = !reply.ok && reply.status !== 404;
      const unknown = { status: isTrouble ? "pending" : "not_found" };
      quietly(() => this.#apply(operation, reply.ok ? reply.value : unknown, putBack));
      if (isTrouble) return;
    }
  }

  #apply(
    operation: Operation,
    { status, error_message }: z.infer<typeof OPERATION>,
    putBack: (entries: readonly SpoolEntry[], why: string) => void,
  ): void {
    const now = this.clock();
    const isOver = now.getTime() - Date.parse(operation.acceptedAt) > LONGEST_MS;
    const isRunning = (status === "pending" || status === "processing") && !isOver;
    const checks = operation.checks + 1;
    if (status === "failed" || status === "cancelled") {
      const detail = error_message ? `: ${error_message}` : "";
      putBack(operation.entries, `the server accepted it, but processing ${status}${detail}`);
    }
    const checkAt = after(now, backoff(checks + 1 + LONGER));
    this.#write(isRunning ? { ...operation, checks, checkAt } : { ...operation, entries: [] });
  }

  /** Without entries, the file is removed. */
  #write(operation: Operation): void {
    const path = join(this.#directory, `${sha256(operation.operation).slice(0, 32)}.json`);
    if (operation.entries.length === 0) return void removeIfThere(path);
    ensureDirectory(this.#directory);
    writeFileAtomic(path, `${JSON.stringify(operation, null, 2)}\n`);
  }

  /** Oldest first, without unreadable files. */
  #all(): Operation[] {
    try {
      return entriesIfThere(this.#directory)
        .filter(({ name }) => /^[0-9a-f]{32}\.json$/.test(name))
        .flatMap(({ name }) => {
          const bytes = readIfThere(join(this.#directory, name)) ?? new Uint8Array();
          const read = FILE.safeParse(parseJson(decodeUtf8(bytes) ?? ""));
          return read.success && isId(read.data.operation) ? [read.data] : [];
        })
        .sort((one, other) => (one.acceptedAt < other.acceptedAt ? -1 : 1));
    } catch {
      return [];
    }
  }
}

function after(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}

/** A file that cannot be written costs only the check. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The server has the items, or the next check repeats it.
  }
}
