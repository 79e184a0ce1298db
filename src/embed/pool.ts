/**
 * Worker threads with an engine each, so that many texts use all cores and the thread that asks stays free. Threads start
 * when there is work and end after a while without any; idle ones do not keep the process alive.
 */
import type { EngineName } from "./engine.ts";
import { workerEntry } from "./packages.ts";

/** The first message to a thread. */
export interface Setup {
  readonly engine: EngineName;
  readonly cacheDirectory: string;
}

/** Every other message to it. */
export interface Job {
  readonly id: number;
  readonly text: string;
}

export type Answer = { readonly id: number } & (
  | { readonly vector: Float32Array }
  | { readonly problem: string }
);

interface PendingJob extends Job {
  resolve(vector: Float32Array): void;
  reject(reason: Error): void;
}

/** Jobs that a thread is given ahead, so that it never waits for the next one. */
const AHEAD = 2;
const IDLE_MS = 10_000;

export class WorkerPool {
  private readonly threads = new Set<Thread>();
  private queue: PendingJob[] = [];
  private jobs = 0;
  private idle: Timer | undefined;

  constructor(private readonly setup: Setup) {}

  /** The vectors, in order. Texts are begun in order, so the longest should come first. */
  embed(
    texts: readonly string[],
    threads: number,
    progress: (index: number) => void,
  ): Promise<Float32Array[]> {
    clearTimeout(this.idle);
    const vectors = texts.map(async (text, index) => {
      const vector = await new Promise<Float32Array>((resolve, reject) => {
        this.queue.push({ id: this.jobs++, text, resolve, reject });
      });
      progress(index);
      return vector;
    });
    while (this.threads.size < threads) this.start();
    this.feed();
    return Promise.all(vectors);
  }

  close(): void {
    clearTimeout(this.idle);
    for (const thread of this.threads) thread.end("the embedder was closed");
    this.threads.clear();
    this.dropQueue("the embedder was closed");
  }

  private start(): void {
    const thread = new Thread(
      this.setup,
      () => this.feed(),
      (reason) => {
        this.threads.delete(thread);
        if (this.threads.size === 0) this.dropQueue(reason);
      },
    );
    this.threads.add(thread);
  }

  private feed(): void {
    for (const thread of this.threads) {
      const jobs = this.queue.slice(0, Math.max(0, AHEAD - thread.busy));
      this.queue = this.queue.slice(jobs.length);
      for (const job of jobs) thread.give(job);
    }
    if ([...this.threads].every((thread) => thread.busy === 0))
      this.idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  private dropQueue(reason: string): void {
    const dropped = this.queue;
    this.queue = [];
    for (const job of dropped) job.reject(new Error(reason));
  }
}

class Thread {
  private readonly worker = new Worker(workerEntry());
  private readonly given = new Map<number, PendingJob>();

  constructor(setup: Setup, onAnswer: () => void, onEnd: (reason: string) => void) {
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const job = this.given.get(data.id);
      this.given.delete(data.id);
      if (this.busy === 0) this.worker.unref();
      if ("vector" in data) job?.resolve(data.vector);
      else job?.reject(new Error(data.problem));
      onAnswer();
    };
    this.worker.onerror = ({ message }) => {
      onEnd(message);
      this.end(message);
    };
    this.worker.postMessage(setup);
    this.worker.unref();
  }

  get busy(): number {
    return this.given.size;
  }

  give(job: PendingJob): void {
    this.worker.ref();
    this.given.set(job.id, job);
    this.worker.postMessage({ id: job.id, text: job.text } satisfies Job);
  }

  end(reason: string): void {
    this.worker.terminate();
    for (const job of this.given.values()) job.reject(new Error(reason));
    this.given.clear();
  }
}
