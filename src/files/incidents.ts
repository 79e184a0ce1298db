/**
 * `incidents.jsonl` in the home workspace: the incidents of all workspaces and their acknowledgements. Append-only, one write per
 * line, so processes need no lock.
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
  /** Open incidents, oldest first. */
  readonly incidents: readonly Incident[];
  /** Why the file is unreadable, or null. */
  readonly problem: string | null;
}

export class IncidentFile {
  readonly path: string;

  constructor(private readonly home: string) {
    this.path = join(home, FILE);
  }

  /** Durable on return. Does nothing if the file can't be written. */
  record(workspace: string, incident: NewIncident, at: Date): void {
    try {
      const made = incidentOf(incident, workspace, at);
      const text = this.#text();
      if (isRecorded(readIncidents(text), made)) return;
      ensureDirectory(this.home);
      this.#append(text, incidentLine(made));
    } catch {
      // The caller has already warned.
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

  /** Keeps a truncated last line separate. */
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
