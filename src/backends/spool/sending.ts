/**
 * Sends pending entries in order, until none are left or the server fails. A verdict applies to exactly the file that was sent: a
 * newer entry of the same key is another file, and is sent too.
 */
import { join } from "node:path";
import { ioError, messageOf } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { backoff } from "../../util/backoff.ts";
import type { Sender, SpoolEntry, Verdict } from "./entry.ts";
import type { EntryFiles } from "./entry-files.ts";
import type { Lease } from "./lease.ts";
import { fileName, type Listing, type Queued } from "./names.ts";
import { asClause, type Notices } from "./notices.ts";
import type { Pause } from "./pause.ts";

/** Injected so that tests need not wait. */
export interface SpoolTiming {
  /** Runs `work` after `ms`, unless the returned function is called first. Doesn't keep the process alive. */
  after(ms: number, work: () => void): () => void;
}

interface SendingParts {
  readonly files: EntryFiles;
  readonly lease: Lease;
  readonly pause: Pause;
  readonly notices: Notices;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly timing: SpoolTiming;
  readonly batch: number;
}

/** Longer than any response takes, and shorter than a lease holder may be silent. */
const LONGEST_SEND_MS = 5 * 60_000;
/** Time for an aborted sender to report what was accepted. */
const GRACE_MS = 1_000;
/** After this many, an entry that the server doesn't take or process is refused. */
const MOST_TRIES = 6;
/** The first pause is longer than for a server that is down: 16 s, doubled each time. */
const LONGER = 4;
const NO_ANSWER = "it did not answer in time";

/** Abort reason when the process ends, which is not a server failure. */
export const CLOSED = Symbol("closed");

/** The readable entries of a batch, each with its file. */
type Batch = readonly { readonly queued: Queued; readonly entry: SpoolEntry }[];

export class Sending {
  /** Accepted entries whose files could not be removed yet. */
  readonly #taken = new Map<string, Queued>();
  /** Unreadable entries that could not be marked. */
  readonly #unreadable = new Set<string>();

  #sent = 0;

  constructor(private readonly parts: SendingParts) {}

  /** How many entries the server has accepted. */
  get sent(): number {
    return this.#sent;
  }

  /** Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { files, lease, pause, clock } = this.parts;
    try {
      while (!signal.aborted && pause.left(clock()) === 0 && this.#hasWork()) {
        if (!lease.take()) return;
        try {
          if (!(await this.#sendAll(signal))) return;
        } finally {
          lease.giveBack();
        }
        // Look again: another process may have queued an entry and relies on this one, which held the lease.
      }
    } catch (error) {
      this.#failed(messageOf(ioError(error, `cannot write to ${files.directory}`)));
    }
  }

  /** false if it has to stop. */
  async #sendAll(signal: AbortSignal): Promise<boolean> {
    const { files, lease, clock, batch } = this.parts;
    for (const [id, queued] of this.#taken) {
      files.remove(queued);
      this.#taken.delete(id);
    }
    for (;;) {
      const listing = files.list();
      const pending = this.#readable(listing);
      if (pending.length === 0) return true;
      files.tidy(listing, clock());
      for (let start = 0; start < pending.length; start += batch) {
        if (signal.aborted || !lease.renew()) return false;
        if (!(await this.#sendBatch(pending.slice(start, start + batch), signal))) return false;
      }
    }
  }

  async #sendBatch(pending: readonly Queued[], signal: AbortSignal): Promise<boolean> {
    const batch = pending.flatMap((queued) => {
      const entry = this.#readOrSetAside(queued);
      return entry === null ? [] : { queued, entry };
    });
    if (batch.length === 0) return true;
    const verdicts = await this.#ask(batch, signal);
    if (verdicts === null) return false;
    const final = batch.flatMap(({ entry }, index) => {
      const verdict = verdicts[index];
      return verdict === undefined ? [] : finalVerdict(verdict, entry);
    });
    return this.#apply(batch, final);
  }

  #readOrSetAside(queued: Queued): SpoolEntry | null {
    const { files, notices } = this.parts;
    const entry = files.read(queued);
    if (entry === null) return null;
    if (!("damage" in entry)) {
      const { tries } = files.marking(queued, "again");
      return tries === 0 ? entry : { ...entry, tries };
    }
    const name = fileName(queued.id);
    try {
      files.mark(queued, "damaged", { summary: name, why: entry.damage });
    } catch {
      this.#unreadable.add(queued.id);
    }
    notices.damaged(join(files.directory, name), entry.damage);
    return null;
  }

  /** null if there was no valid response; the failure is recorded by then. */
  async #ask(batch: Batch, signal: AbortSignal): Promise<readonly Verdict[] | null> {
    const { sender, timing } = this.parts;
    const entries = batch.map(({ entry }) => entry);
    const ending = new AbortController();
    const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<null>();
    let cancel = timing.after(LONGEST_SEND_MS, () => stop());
    // The process may be ending, so record the failure now.
    const stop = () => {
      if (ending.signal.aborted) return;
      cancel();
      if (signal.reason !== CLOSED) this.#failed(NO_ANSWER);
      cancel = timing.after(GRACE_MS, () => giveUp(null));
      ending.abort();
    };
    signal.addEventListener("abort", stop);
    try {
      const verdicts = await Promise.race([sender.send(entries, ending.signal), givenUp]);
      if (verdicts === null) return null;
      if (verdicts.length !== batch.length) throw new Error("its response is incomplete");
      return ending.signal.aborted && !verdicts.some(isDone) ? null : verdicts;
    } catch (error) {
      if (!ending.signal.aborted) this.#failed(messageOf(error));
      return null;
    } finally {
      cancel();
      signal.removeEventListener("abort", stop);
    }
  }

  /** Applies each verdict on its own. false if the server needs a pause. Throws system errors. */
  #apply(batch: Batch, verdicts: readonly Verdict[]): boolean {
    const { files, pause, notices } = this.parts;
    const failures: unknown[] = [];
    for (const [index, one] of batch.entries()) {
      try {
        this.#applyTo(one, verdicts[index]);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    files.settle();
    this.#tell(verdicts);
    const laters = verdicts.filter((verdict) => verdict.kind === "later");
    const [later] = laters;
    if (later !== undefined) {
      const asked = laters.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
      const isPartly = laters.length < batch.length;
      this.#failed(later.why, asked.length > 0 ? Math.max(...asked) : undefined, isPartly);
      return false;
    }
    pause.worked();
    if (verdicts.some(isDone)) notices.worked();
    return true;
  }

  #applyTo({ queued, entry }: Batch[number], verdict: Verdict | undefined): void {
    const { files, clock } = this.parts;
    if (verdict?.kind === "again" || verdict?.kind === "refused") {
      const tries = (entry.tries ?? 0) + 1;
      const notBefore = new Date(clock().getTime() + backoff(tries + LONGER)).toISOString();
      const why = asClause(verdict.why);
      files.mark(queued, verdict.kind, { summary: entry.summary, why, tries, notBefore });
    }
    if (verdict?.kind !== "done") return;
    this.#sent++;
    this.#taken.set(queued.id, queued);
    files.remove(queued);
    this.#taken.delete(queued.id);
  }

  /** Queues entries again that the server accepted but could not process. Throws system errors. */
  putBack(entries: readonly SpoolEntry[], why: string): void {
    const { files } = this.parts;
    const verdicts = entries.map((entry) => finalVerdict({ kind: "again", why }, entry));
    for (const [index, entry] of entries.entries())
      this.#applyTo({ queued: files.putBack(entry), entry }, verdicts[index]);
    this.#tell(verdicts);
  }

  /** Each reason once. */
  #tell(verdicts: readonly Verdict[]): void {
    const { notices } = this.parts;
    const reasons = (kind: "refused" | "again") =>
      Map.groupBy(
        verdicts.flatMap((verdict) => (verdict.kind === kind ? verdict.why : [])),
        (why) => why,
      );
    for (const [why, { length }] of reasons("refused")) notices.refused(length, why);
    for (const [why, { length }] of reasons("again")) notices.wait(length, why);
  }

  /** `isFirst`: part of the batch succeeded, so the backoff restarts. */
  #failed(why: string, asked?: number, isFirst?: boolean): void {
    const { pause, notices, clock } = this.parts;
    const problem = asClause(why);
    pause.failed(problem, clock(), asked, isFirst);
    notices.wait(Math.max(1, this.#countPending()), problem);
  }

  #hasWork(): boolean {
    return this.#taken.size > 0 || this.#readable(this.parts.files.list()).length > 0;
  }

  /** The entries to send now. */
  #readable({ pending, again }: Listing): readonly Queued[] {
    const { files, clock } = this.parts;
    const isDelayed = (queued: Queued) =>
      again.has(queued.id) && Date.parse(files.marking(queued, "again").notBefore) > clock().getTime();
    return pending.filter((queued) => !this.#unreadable.has(queued.id) && !isDelayed(queued));
  }

  #countPending(): number {
    try {
      return this.#readable(this.parts.files.list()).length;
    } catch {
      return 0;
    }
  }
}

/** After the last try, an entry is refused. */
function finalVerdict(verdict: Verdict, { tries = 0 }: SpoolEntry): Verdict {
  return verdict.kind === "again" && tries + 1 >= MOST_TRIES
    ? { kind: "refused", why: verdict.why }
    : verdict;
}

function isDone({ kind }: Verdict): boolean {
  return kind === "done";
}
