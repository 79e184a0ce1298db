/**
 * Backoff after a failure: 1 s, doubled each time, up to 10 minutes. Stored on disk, so that each new command doesn't ask a dead
 * server again.
 */
import { join } from "node:path";
import { backoff } from "../../util/backoff.ts";
import { ensureDirectory, readIfThere, removeIfThere, writeFileAtomic } from "../../util/fs.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";

interface Failure {
  /** Consecutive failed attempts. */
  readonly attempts: number;
  /** ISO 8601. */
  readonly failedAt: string;
  readonly nextTry: string;
  readonly problem: string;
}

/** Upper limit of a server's Retry-After. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

export class Pause {
  readonly #path: string;
  /** A failure that could not be written to disk. */
  #unwritten: Failure | null = null;

  constructor(private readonly directory: string) {
    this.#path = join(directory, "state.json");
  }

  /** null if the last attempt succeeded. */
  get failure(): Failure | null {
    return this.#unwritten ?? this.#read();
  }

  /** Milliseconds left; 0 if a retry is due. A failure in the future comes from a wrong clock and is ignored. */
  left(now: Date): number {
    const { failure } = this;
    if (failure === null || now.getTime() < Date.parse(failure.failedAt)) return 0;
    const left = Date.parse(failure.nextTry) - now.getTime();
    return Math.min(Math.max(0, left), LONGEST_ASKED_MS);
  }

  /** `asked` is the server's Retry-After, in ms. Never throws. */
  failed(problem: string, now: Date, asked?: number, isFirst = false): void {
    const attempts = isFirst ? 1 : (this.failure?.attempts ?? 0) + 1;
    const wait = asked !== undefined && asked >= 0 ? Math.min(asked, LONGEST_ASKED_MS) : backoff(attempts);
    const nextTry = new Date(now.getTime() + wait).toISOString();
    const failure = { attempts, failedAt: now.toISOString(), nextTry, problem };
    try {
      ensureDirectory(this.directory);
      writeFileAtomic(this.#path, `${JSON.stringify(failure, null, 2)}\n`);
      this.#unwritten = null;
    } catch {
      this.#unwritten = failure;
    }
  }

  /** Throws system errors. */
  worked(): void {
    this.#unwritten = null;
    removeIfThere(this.#path);
  }

  #read(): Failure | null {
    const value = parseJson(decodeUtf8(this.#bytes()) ?? "");
    if (!isRecord(value)) return null;
    const { attempts, failedAt, nextTry, problem } = value;
    if (typeof attempts !== "number" || !isTime(failedAt) || !isTime(nextTry)) return null;
    return typeof problem === "string" ? { attempts, failedAt, nextTry, problem } : null;
  }

  #bytes(): Uint8Array {
    try {
      return readIfThere(this.#path) ?? new Uint8Array();
    } catch {
      return new Uint8Array();
    }
  }
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
