/**
 * Who sends: one process at a time. A lease is a numbered file with its holder's name, and the highest number counts. Nobody
 * deletes the highest one: giving it back empties it, and taking it, also from a holder that has ended, makes the next number,
 * which only one of several processes can. The others see that somebody was faster.
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
 * A holder shows that it is at work before each batch. One that did not for so long is stopped, or was on a machine that
 * nothing is known of.
 */
const SILENT_MS = 15 * 60_000;

export interface LeaseOptions {
  readonly clock: Clock;
  /** This process, as `processName` has it. */
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

  /** false where somebody else sends. Throws what the system throws. */
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
    // A number is given twice only after a higher one was taken, and the lowest are removed first.
    const isLate = (before > 0 && !existsSync(this.#path(before))) || this.#highest() > number;
    if (isLate) {
      removeIfThere(this.#path(number));
      return false;
    }
    this.#number = number;
    for (const older of this.#numbers()) if (older < number) removeIfThere(this.#path(older));
    return this.renew();
  }

  /** Shows that this process is at work. false where it does not hold the lease any more. */
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

  /** Throws nothing: who cannot give it back is known by having ended. */
  giveBack(): void {
    if (this.#number === null) return;
    const path = this.#path(this.#number);
    this.#number = null;
    try {
      if (readFileSync(path, "utf8") === this.#text) truncateSync(path);
    } catch {
      // Somebody removed it.
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
    // A time to come is one of a clock that was wrong.
    return Math.abs(this.options.clock().getTime() - touched) > SILENT_MS;
  }

  /** 0 where there is none. */
  #highest(): number {
    return this.#numbers().at(-1) ?? 0;
  }

  /** The lowest first. */
  #numbers(): number[] {
    return entriesIfThere(this.directory)
      .flatMap(({ name }) => Number(NAME.exec(name)?.[1] ?? 0) || [])
      .sort((one, other) => one - other);
  }

  #path(number: number): string {
    return join(this.directory, `lease-${number}`);
  }
}
