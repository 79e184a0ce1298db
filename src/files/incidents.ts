/**
 * `incidents.jsonl` in the home workspace: every incident of every workspace, and when a person acknowledged it. Lines are only
 * added, each in one write, so processes need no lock.
 */
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ioError, messageOf, RetainError } from "../core/errors.ts";
import {
  acknowledgedLine,
  type Incident,
  incidentLine,
  incidentOf,
  isRecorded,
  type NewIncident,
  readIncidents,
} from "../core/incidents.ts";
import { Unflushed } from "../util/errno.ts";
import { ensureDirectory, readIfThere } from "../util/fs.ts";

const FILE = "incidents.jsonl";
const MODE = 0o600;

export interface OpenIncidents {
  /** Not acknowledged, oldest first. */
  readonly incidents: readonly Incident[];
  /** Why the file cannot be read; null normally. */
  readonly problem: string | null;
}

export class IncidentFile {
  readonly path: string;

  constructor(private readonly home: string) {
    this.path = join(home, FILE);
  }

  /** Durable on return, unless it cannot be written: then nothing happens. */
  record(workspace: string, incident: NewIncident, at: Date): void {
    try {
      const made = incidentOf(incident, workspace, at);
      const text = this.#text();
      if (isRecorded(readIncidents(text), made)) return;
      ensureDirectory(this.home);
      this.#append(text, incidentLine(made));
    } catch {
      // Whoever met it was warned, and goes on.
    }
  }

  open(): OpenIncidents {
    try {
      return { incidents: readIncidents(this.#text()).open, problem: null };
    } catch (error) {
      return { incidents: [], problem: messageOf(error) };
    }
  }

  /** Throws `io`. */
  acknowledge(incidents: readonly Incident[], at: Date): void {
    const ids = incidents.map(({ id }) => id);
    try {
      this.#append(this.#text(), acknowledgedLine(ids, at));
    } catch (error) {
      throw ioError(error, `Cannot write ${this.path}`);
    }
  }

  #text(): string {
    try {
      return new TextDecoder().decode(readIfThere(this.path) ?? new Uint8Array());
    } catch (error) {
      throw ioError(error, `Cannot read ${this.path}`);
    }
  }

  /** A line that was cut short before stays one of its own. */
  #append(before: string, line: string): void {
    const { O_WRONLY, O_APPEND, O_CREAT } = constants;
    const descriptor = openSync(this.path, O_WRONLY | O_APPEND | O_CREAT, MODE);
    try {
      const bytes = Buffer.from(/[^\n]$/.test(before) ? `\n${line}` : line);
      if (writeSync(descriptor, bytes) < bytes.length)
        throw new RetainError("io", `Cannot write ${this.path}: the disk is full.`);
      try {
        fsyncSync(descriptor);
      } catch (error) {
        throw new Unflushed(error);
      }
    } finally {
      closeSync(descriptor);
    }
  }
}
