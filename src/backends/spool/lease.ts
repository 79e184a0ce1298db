/**
 * A lease, so that only one process sends at a time. It is a numbered file with its holder's name, and the highest number counts. The
 * highest file is never deleted: releasing empties it, and taking it, also from a holder that has ended, creates the next number,
 * which only one process can do.
 */
import { existsSync, readFileSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../core/ports/documents.ts";
import {
  ensureDirectory,
  entriesIfThere,
  errorCode,
  isAbsence,
  lstatIfThere,
  removeIfThere,
  writeNewFile,
} from "../../util/fs.ts";

const NAME = /^lease-(\d{1,15})$/;

/**
 * A holder renews the lease before each batch. One that has been silent this long is suspended, or was on another machine.
 */
const SILENT_MS = 15 * 60_000;

export interface LeaseOptions {
  readonly clock: Clock;
  /** This process's name, from `processName`. */
  readonly self: string;
  isGone(holder: string): boolean;
}

export class Lease {
  #number: number | null = null;
  #text = "";

  constructor(
    private readonly directory: string,
    private readonly options: LeaseOptions,
  ) {}

  /** false if another process is sending. Throws system errors. */
  take(): boolean {
    const before = this.#highest();
    if (before > 0 && !this.#isFree(before)) return false;
    const number = before + 1;
    this.#text = `${this.options.self}\n${crypto.randomUUID()}\n`;
    ensureDirectory(this.directory);
    try {
      writeNewFile(this.#path(number), this.#text);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
    // A number is reused only after a higher one was taken, and the lowest are removed first.
    const isLate = (before > 0 && !existsSync(this.#path(before))) || this.#highest() > number;
    if (isLate) {
      removeIfThere(this.#path(number));
      return false;
    }
    this.#number = number;
    for (const older of this.#numbers()) if (older < number) removeIfThere(this.#path(older));
    return this.renew();
  }

  /** Renews the lease. false if this process no longer holds it. */
  renew(): boolean {
    if (this.#number === null) return false;
    const path = this.#path(this.#number);
    const now = this.options.clock();
    try {
      if (readFileSync(path, "utf8") !== this.#text || existsSync(this.#path(this.#number + 1))) return false;
      utimesSync(path, now, now);
      return true;
    } catch (error) {
      if (isAbsence(error)) return false;
      throw error;
    }
  }

  /** Never throws: a lease that is not released ends with its process. */
  giveBack(): void {
    if (this.#number === null) return;
    const path = this.#path(this.#number);
    this.#number = null;
    try {
      if (readFileSync(path, "utf8") === this.#text) truncateSync(path);
    } catch {
      // It was removed.
    }
  }

  #isFree(number: number): boolean {
    const path = this.#path(number);
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      if (isAbsence(error)) return false;
      throw error;
    }
    const holder = text.split("\n", 1)[0] ?? "";
    if (holder === "" || this.options.isGone(holder)) return true;
    const touched = lstatIfThere(path)?.mtimeMs ?? this.options.clock().getTime();
    // A future time comes from a wrong clock.
    return Math.abs(this.options.clock().getTime() - touched) > SILENT_MS;
  }

  /** 0 if there is none. */
  #highest(): number {
    return this.#numbers().at(-1) ?? 0;
  }

  /** Ascending. */
  #numbers(): number[] {
    return entriesIfThere(this.directory)
      .flatMap(({ name }) => Number(NAME.exec(name)?.[1] ?? 0) || [])
      .sort((one, other) => one - other);
  }

  #path(number: number): string {
    return join(this.directory, `lease-${number}`);
  }
}
