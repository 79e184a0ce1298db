/** A spool in its own directory, a scripted server, and a manual clock. */
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

/** A shared clock for spools: timers fire when the clock moves. */
export class Time implements SpoolTiming {
  now = Date.parse("2026-03-01T12:00:00.000Z");
  readonly #timers = new Set<{ at: number; work: () => void }>();

  readonly clock = () => new Date(this.now);

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.now + ms, work };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Fires each timer at its own time, and lets the work it starts finish. */
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

/** Lets all pending microtasks run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Accepts everything by default. */
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

  /** Opens the spool as another process. */
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

  /** Entry files, oldest first. */
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
