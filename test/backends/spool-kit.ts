/** A spool in a directory of its own, a server that says what it is told to, and a clock that moves when it is told to. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewEntry, Sender, SpoolEntry, Verdict } from "../../src/backends/spool/entry.ts";
import type { SpoolTiming } from "../../src/backends/spool/sending.ts";
import { Spool, type SpoolOptions } from "../../src/backends/spool/spool.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

export const DONE: Verdict = { kind: "done" };
export const later = (why = "it answered 500", retryAfterMs?: number): Verdict =>
  retryAfterMs === undefined ? { kind: "later", why } : { kind: "later", why, retryAfterMs };
export const refused = (why = "it is too large"): Verdict => ({ kind: "refused", why });

/** Time for one or more spools: what is to happen later happens when the clock has moved on. */
export class Time implements SpoolTiming {
  now = Date.parse("2026-03-01T12:00:00.000Z");
  readonly #timers = new Set<{ at: number; work: () => void }>();

  readonly clock = () => new Date(this.now);

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.now + ms, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Everything that comes due does so at its own time; what it starts is given the chance to end. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.now = Math.max(this.now, due.at);
      due.work();
      await settled();
    }
    this.now = end;
    await settled();
  }
}

/** Everything that waits for nothing but its turn has had it. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Says yes until it is told otherwise. */
export class Server implements Sender {
  /** The bodies of each batch. */
  readonly batches: unknown[][] = [];
  answer: (
    entries: readonly SpoolEntry[],
    signal: AbortSignal,
  ) => readonly Verdict[] | Promise<readonly Verdict[]> = (entries) => entries.map(() => DONE);

  async send(entries: readonly SpoolEntry[], signal: AbortSignal): Promise<readonly Verdict[]> {
    this.batches.push(entries.map(({ body }) => body));
    return this.answer(entries, signal);
  }

  get received(): unknown[] {
    return this.batches.flat();
  }
}

export function newDirectory(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "retain-spool-")));
  afterThisTest(() => rmSync(root, { recursive: true, force: true }));
  return join(root, "spool", "bank");
}

export class Kit {
  readonly time = new Time();
  readonly server = new Server();
  readonly notices: string[] = [];
  /** Processes that have ended. */
  readonly gone = new Set<string>();

  constructor(readonly directory = newDirectory()) {}

  /** One as another process opens it. */
  open(self = "here:1", more: Partial<SpoolOptions> = {}): Spool {
    const spool = new Spool({
      directory: this.directory,
      clock: this.time.clock,
      timing: this.time,
      sender: this.server,
      notice: (text) => this.notices.push(text),
      to: "Hindsight",
      self,
      isGone: (holder) => this.gone.has(holder),
      ...more,
    });
    afterThisTest(() => spool.close());
    return spool;
  }

  /** Files of entries, the oldest first. */
  files(): string[] {
    return readdirSync(this.directory)
      .filter((name) => /^\d+-\w+-\w+\.json$/.test(name))
      .sort();
  }
}

export function entry(key: string, body: unknown = key): NewEntry {
  return { key, kind: "retain", body, summary: `about ${key}` };
}

export function entries(count: number, from = 0): NewEntry[] {
  return Array.from({ length: count }, (_, index) => entry(`k${from + index}`));
}

export const never = new AbortController().signal;
