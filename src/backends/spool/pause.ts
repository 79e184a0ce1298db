/**
 * When a server that did not take anything is tried again: after 1 s, twice as long each time, up to 10 minutes. It is on disk,
 * since commands come and go, and none of them should ask a dead server again.
 */
import { join } from "node:path";
import { backoff } from "../../util/backoff.ts";
import { ensureDirectory, readIfThere, removeIfThere, writeFileAtomic } from "../../util/fs.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";

export interface Failure {
  /** Tries in a row in which nothing was taken. */
  readonly attempts: number;
  /** ISO 8601. */
  readonly failedAt: string;
  readonly nextTry: string;
  readonly problem: string;
}

/** A server that asks for more is asked again all the same. */
const LONGEST_ASKED_MS = 24 * 3_600_000;

export class Pause {
  readonly #path: string;
  /** What could not be written down. */
  #unwritten: Failure | null = null;

  constructor(private readonly directory: string) {
    this.#path = join(directory, "state.json");
  }

  /** null where the last try went well. */
  get failure(): Failure | null {
    return this.#unwritten ?? this.#read();
  }

  /** How many ms are left; 0 where it may be tried now. A failure in what is still to come is one of a clock that was wrong. */
  left(now: Date): number {
    const { failure } = this;
    if (failure === null || now.getTime() < Date.parse(failure.failedAt)) return 0;
    const left = Date.parse(failure.nextTry) - now.getTime();
    return Math.min(Math.max(0, left), LONGEST_ASKED_MS);
  }

  /** `asked` is how long the server asks to wait. Throws nothing. */
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

  /** Throws what the system throws. */
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
