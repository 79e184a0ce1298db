/**
 * A pool of helper processes, so that many texts use all cores and the caller stays responsive. Processes, because only one
 * thread may load ONNX Runtime's binding. Helpers start on demand, exit when idle, and never outlive or block their parent.
 */
import { dirname, resolve } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import type { Embedding } from "../core/senses.ts";
import { type Helper as ChildHelper, startHelper } from "../util/runtime.ts";
import type { EngineName } from "./minilm/engine.ts";
import { helperEntry } from "./minilm/packages.ts";

/** A message to a helper. */
export interface Job {
  readonly id: number;
  readonly text: string;
}

/** A message from it. */
export type Answer = { readonly id: number } & (
  | { readonly embedding: Embedding }
  | { readonly problem: string }
);

interface PendingJob extends Job {
  /** Whether another text of the same call failed, so that the result is not needed. */
  isPointless(): boolean;
  resolve(embedding: Embedding): void;
  reject(reason: Error): void;
}

/** Jobs queued per helper, so that it never waits. */
const AHEAD = 2;
const IDLE_MS = 10_000;

const closed = () => new RetainError("embedding", "The embedder was closed.");

export class HelperPool {
  private readonly helpers = new Set<Helper>();
  private readonly queue: PendingJob[] = [];
  /** The number of assigned jobs. */
  private given = 0;
  private jobs = 0;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly engine: EngineName,
    private readonly cacheDirectory: string,
    /** Keeps one helper while idle, so that no later text waits for it to start. */
    private readonly keepsOne: boolean,
  ) {}

  /** The embeddings, in order. Texts are started in order, so put the longest first. */
  embed(texts: readonly string[], helpers: number, finished: (index: number) => void): Promise<Embedding[]> {
    clearTimeout(this.idle);
    let failed = false;
    const embeddings = texts.map(async (text, index) => {
      const embedding = await new Promise<Embedding>((resolve, reject) => {
        // A question doesn't wait for the texts of a long call.
        const at = texts.length === 1 ? this.given : this.queue.length;
        this.queue.splice(at, 0, { id: this.jobs++, text, resolve, reject, isPointless: () => failed });
      });
      finished(index);
      return embedding;
    });
    this.start(helpers);
    this.feed();
    return Promise.all(embeddings).catch((error) => {
      failed = true;
      throw error;
    });
  }

  close(): void {
    clearTimeout(this.idle);
    this.endAllBut(0);
    this.dropQueue(closed());
  }

  private endAllBut(kept: number): void {
    for (const helper of [...this.helpers].slice(kept)) {
      helper.end(closed());
      this.helpers.delete(helper);
    }
  }

  /** Fewer helpers are fine, none is an error. */
  private start(wanted: number): void {
    try {
      while (this.helpers.size < wanted) {
        const helper: Helper = new Helper(
          [this.engine, resolve(this.cacheDirectory)],
          () => this.feed(),
          (reason) => {
            this.helpers.delete(helper);
            if (this.helpers.size === 0) this.dropQueue(reason);
          },
        );
        this.helpers.add(helper);
      }
    } catch (error) {
      if (this.helpers.size === 0) this.dropQueue(new Error(messageOf(error)));
    }
  }

  private feed(): void {
    for (const helper of this.helpers)
      while (helper.busy < AHEAD) {
        const job = this.next();
        if (job === undefined) break;
        helper.give(job);
      }
    clearTimeout(this.idle);
    if ([...this.helpers].every((helper) => helper.busy === 0))
      this.idle = setTimeout(() => this.endAllBut(this.keepsOne ? 1 : 0), IDLE_MS).unref();
  }

  private next(): PendingJob | undefined {
    while (this.queue[this.given]?.isPointless()) this.given += 1;
    const job = this.queue[this.given];
    if (job !== undefined) this.given += 1;
    else this.queue.length = this.given = 0;
    return job;
  }

  private dropQueue(reason: Error): void {
    for (let job = this.next(); job !== undefined; job = this.next()) job.reject(reason);
  }
}

/** A helper's environment variables: enough to start, and no keys. */
const HELPER_NEEDS = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"];

class Helper {
  private readonly process: ChildHelper;
  private readonly given = new Map<number, PendingJob>();

  constructor(args: readonly string[], onAnswer: () => void, onEnd: (reason: Error) => void) {
    const entry = helperEntry();
    this.process = startHelper(entry, args, {
      cwd: dirname(entry),
      env: Object.fromEntries(HELPER_NEEDS.map((name) => [name, process.env[name]])),
      onMessage: (answer) => {
        this.take(answer as Answer);
        onAnswer();
      },
      onExit: (status) => {
        const reason = new Error(`a helper process exited (${status})`);
        this.end(reason);
        onEnd(reason);
      },
    });
    this.process.unref();
  }

  get busy(): number {
    return this.given.size;
  }

  give(job: PendingJob): void {
    this.process.ref();
    this.given.set(job.id, job);
    this.process.send({ id: job.id, text: job.text } satisfies Job);
  }

  end(reason: Error): void {
    this.process.kill();
    for (const job of this.given.values()) job.reject(reason);
    this.given.clear();
  }

  private take(answer: Answer): void {
    const job = this.given.get(answer.id);
    this.given.delete(answer.id);
    if (this.busy === 0) this.process.unref();
    if ("embedding" in answer) job?.resolve(answer.embedding);
    else job?.reject(new Error(answer.problem));
  }
}
