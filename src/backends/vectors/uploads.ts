/**
 * Keeps one workspace's vectors on a hosted index up to date. What is to be sent and deleted is the difference between the ledger
 * and the local index. One process sends at a time, under the spool's lease, and pauses after a failure like the spool.
 */
import { ioError, messageOf, RetainError } from "../../core/errors.ts";
import type {
  SharedChunks,
  VectorIndex,
  VectorIndexFailure,
  VectorMemory,
  VectorRef,
} from "../../core/ports/vector-index.ts";
import { MOST_PASSAGES } from "../../core/text/passages.ts";
import { sha256 } from "../../util/hash.ts";
import { oneLine } from "../../util/text.ts";
import { Lease, type LeaseOptions } from "../spool/lease.ts";
import { Pause } from "../spool/pause.ts";
import { type LedgerEntry, SENDING, UploadLedger } from "./ledger.ts";

interface UploadOptions extends LeaseOptions {
  /** One for each workspace and index. */
  readonly directory: string;
  readonly chunks: SharedChunks;
  readonly index: () => Promise<VectorIndex>;
  /** Called before the first upload. Throws if the index cannot store these vectors. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** The embedding model of this machine; null if the index embeds. */
  readonly model: string | null;
}

/** The work left, in vectors and requests. */
export interface UploadPlan {
  readonly memories: number;
  readonly vectors: number;
  /** Memories to delete from the index. */
  readonly toDelete: number;
  readonly requests: number;
}

export interface UploadStatus {
  /** Memories on the index that this machine sent. */
  readonly stored: number;
  readonly toSend: number;
  readonly toDelete: number;
  /** The last failure, if nothing has succeeded since. */
  readonly problem: string | null;
  /** ISO 8601; null if no retry is due. */
  readonly nextTry: string | null;
}

interface UploadRun {
  /** Returns true to stop after the current request. */
  readonly enough?: () => boolean;
  readonly progress?: (vectors: number) => void;
  /** The caller has checked the index. */
  readonly isChecked?: boolean;
  readonly signal: AbortSignal;
}

interface Difference {
  /** The fingerprints of the metadata, by id. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly sent: ReadonlyMap<string, LedgerEntry>;
  /** How many are on the index as they are here. */
  readonly stored: number;
  readonly toSend: readonly string[];
  readonly toDelete: readonly LedgerEntry[];
}

/** "busy": another process is sending. */
type UploadOutcome = "done" | "stopped" | "busy" | RetainError;

const NO_METADATA = "-";
/** Vectors in one request: 500 of 384 dimensions are about 1.5 MB. Upstash bills requests, and advises at most 1,000. */
const BATCH = 500;
/** For one request; a slower server counts as down. */
const REQUEST_MS = 60_000;
/** Chunks read at a time, so that the vectors of a large memory are not in memory at once. */
const PAGE = 500;

export class Uploads {
  readonly #ledger: UploadLedger;
  readonly #pause: Pause;
  readonly #lease: Lease;

  constructor(private readonly options: UploadOptions) {
    this.#ledger = new UploadLedger(options.directory);
    this.#pause = new Pause(options.directory);
    this.#lease = new Lease(options.directory, options);
  }

  /** Milliseconds until the next retry; 0 if it is due. */
  get pauseLeft(): number {
    return this.#pause.left(this.options.clock());
  }

  /** What failed less than so many ms ago, in any process; null if nothing did. */
  failedWithin(ms: number): string | null {
    const { failure } = this.#pause;
    const ago = failure === null ? null : this.options.clock().getTime() - Date.parse(failure.failedAt);
    return failure !== null && ago !== null && ago >= 0 && ago < ms ? failure.problem : null;
  }

  /** A request failed, so that the next process need not try at once. */
  failed(error: RetainError): void {
    const { retryAfterMs } = error as VectorIndexFailure;
    this.#pause.failed(messageOf(error), this.options.clock(), retryAfterMs);
  }

  /** A request succeeded. Throws system errors. */
  worked(): void {
    if (this.#pause.failure !== null) this.#pause.worked();
  }

  /** The number of memories to delete. */
  get undeleted(): number {
    return this.#difference().toDelete.length;
  }

  /** Every id that this machine has sent, including those it deleted in the last hour. */
  ownIds(): Set<string> {
    return this.#ledger.ids();
  }

  /** Makes a memory that another machine sent one to delete. Durable on return. Throws `locked`, `io`. */
  disown(id: string): void {
    if (!this.#lease.take()) throw busy();
    try {
      this.#ledger.add([{ id, passages: MOST_PASSAGES, model: "elsewhere", about: NO_METADATA }]);
    } finally {
      this.#lease.giveBack();
    }
  }

  /** Of the vectors to send; null if there are none, or the index embeds. */
  dimensions(): number | null {
    for (const { passages } of this.#memories(this.#difference().toSend))
      return passages[0]?.vector?.length ?? null;
    return null;
  }

  plan(): UploadPlan {
    const { toSend, toDelete } = this.#difference();
    let [memories, vectors, requests] = [0, 0, 0];
    for (const batch of inBatches(this.#memories(toSend), refOf)) {
      requests++;
      memories += batch.length;
      vectors += vectorsIn(batch.map(refOf));
    }
    const removals = [...inBatches(toDelete, (entry) => entry)].length;
    return { memories, vectors, toDelete: toDelete.length, requests: requests + removals };
  }

  status(): UploadStatus {
    const { stored, toSend, toDelete } = this.#difference();
    const failure = this.#pause.failure;
    return {
      stored,
      toSend: this.options.chunks.sendable(toSend, this.options.model),
      toDelete: toDelete.length,
      problem: failure === null ? null : oneLine(failure.problem),
      nextTry: this.pauseLeft > 0 ? (failure?.nextTry ?? null) : null,
    };
  }

  /** Deletes first, then sends the newest memories. Each request is recorded before the next. */
  async run({
    enough = () => false,
    progress,
    isChecked = false,
    signal,
  }: UploadRun): Promise<UploadOutcome> {
    // Another call in this process may hold the lease.
    let isMine = false;
    try {
      const before = this.#mark(this.options.chunks.revision());
      if (this.options.chunks.settled() === before) return "done";
      if (isEmpty(this.#difference())) {
        this.options.chunks.settle(before);
        return "done";
      }
      isMine = this.#lease.take();
      if (!isMine) return "busy";
      // Another process may have sent something until now.
      const revision = this.options.chunks.revision();
      const { wanted, sent, stored, toSend, toDelete } = this.#difference();
      if (stored === 0 && !isChecked && !signal.aborted) await this.options.check(limited(signal));
      const mayContinue = () => !signal.aborted && !enough() && this.#lease.renew();
      let vectors = 0;
      for (const refs of inBatches(toDelete, (entry) => entry)) {
        if (!mayContinue()) return "stopped";
        await (await this.options.index()).remove(refs, limited(signal));
        this.#ledger.drop(new Set(refs.map(({ id }) => id)), this.options.clock());
        this.#pause.worked();
      }
      for (const memories of inBatches(this.#memories(toSend), refOf)) {
        if (!mayContinue()) return "stopped";
        const refs = memories.map(refOf);
        const entries = refs.map((ref) => ({ ...ref, model: this.#model, about: aboutOf(wanted, ref) }));
        const unlisted = entries.filter(({ id }) => !sent.has(id));
        if (unlisted.length > 0) this.#ledger.add(unlisted.map((entry) => ({ ...entry, model: SENDING })));
        await (await this.options.index()).upsert(memories, limited(signal));
        this.#ledger.add(entries);
        this.#pause.worked();
        vectors += vectorsIn(refs);
        progress?.(vectors);
      }
      this.options.chunks.settle(this.#mark(revision));
      return "done";
    } catch (cause) {
      const error = ioError(cause, `Cannot write to ${this.options.directory}`);
      if (!(error instanceof RetainError)) throw error;
      this.failed(error);
      return error;
    } finally {
      if (isMine) this.#lease.giveBack();
    }
  }

  #difference(): Difference {
    const sent = this.#ledger.read();
    const wanted = this.options.chunks.wanted();
    const model = this.#model;
    const isStored = ([id, about]: [string, string]) => {
      const entry = sent.get(id);
      return entry?.model === model && entry.about === about;
    };
    const toSend = [...wanted].filter((one) => !isStored(one)).map(([id]) => id);
    const toDelete = [...sent.values()].filter(({ id }) => !wanted.has(id));
    return { wanted, sent, stored: wanted.size - toSend.length, toSend, toDelete };
  }

  /** Says that everything was up to date at this revision of the chunks. */
  #mark(revision: string): string {
    return sha256([this.options.directory, this.#model, this.#ledger.stamp(), revision].join("\n"));
  }

  /** A line of the ledger names the model in one word. */
  get #model(): string {
    return (this.options.model ?? "upstash").replace(/\s+/g, "_");
  }

  *#memories(ids: readonly string[]): Generator<VectorMemory> {
    const { chunks, model } = this.options;
    for (let start = 0; start < ids.length; start += PAGE)
      yield* chunks.read(ids.slice(start, start + PAGE), model);
  }
}

export function busy(): RetainError {
  return new RetainError("locked", "Another process is updating the index.", "Try again when it is done.");
}

function isEmpty({ toSend, toDelete }: Difference): boolean {
  return toSend.length + toDelete.length === 0;
}

function aboutOf(wanted: ReadonlyMap<string, string>, { id }: VectorRef): string {
  return wanted.get(id) ?? NO_METADATA;
}

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
}

function refOf({ id, passages }: VectorMemory): VectorRef {
  return { id, passages: passages.length };
}

function vectorsIn(refs: readonly VectorRef[]): number {
  return refs.reduce((sum, { passages }) => sum + passages, 0);
}

/** Groups of at most `BATCH` vectors. */
function* inBatches<T>(items: Iterable<T>, toRef: (item: T) => VectorRef): Generator<T[]> {
  let batch: T[] = [];
  let vectors = 0;
  for (const item of items) {
    const { passages } = toRef(item);
    if (batch.length > 0 && vectors + passages > BATCH) {
      yield batch;
      [batch, vectors] = [[], 0];
    }
    batch.push(item);
    vectors += passages;
  }
  if (batch.length > 0) yield batch;
}
