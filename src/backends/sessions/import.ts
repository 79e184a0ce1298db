/** Updates the rows of conversations from their files, whatever happened to either. */
import { join } from "node:path";
import { isSameStamp, isSettledBy, printedStamp } from "../../core/documents/file-stamp.ts";
import { RetainError } from "../../core/errors.ts";
import { type NewIncident, type RecordIncident, reportIncident } from "../../core/incidents.ts";
import type { FileStamp } from "../../core/ports/documents.ts";
import {
  type FiledSession,
  type ReadSession,
  readSession,
  renumberedSession,
} from "../../core/sessions/session-file.ts";
import { idOfFile, type SessionFiles } from "../../files/session-files.ts";
import type { Database } from "../../sqlite/driver.ts";
import {
  areNumbersTaken,
  dropFile,
  importSession,
  type KnownFile,
  knownFiles,
  lastNumber,
  putFile,
} from "../../sqlite/sessions/sessions.ts";
import { fingerprint } from "../../util/hash.ts";
import { plural } from "../../util/in-words.ts";
import { withoutPeriod } from "../../util/text.ts";

type Found = ReadonlyMap<string, FileStamp>;
type Known = ReadonlyMap<string, KnownFile>;

interface Circumstances {
  /** If false, files are not changed, and rows without a file are kept. */
  readonly isWritable: boolean;
  readonly warn: (message: string) => void;
  readonly record: RecordIncident;
}

export function areInStep(found: Found, known: Known): boolean {
  if (found.size !== known.size) return false;
  for (const [name, stamp] of found) if (!isInStep(stamp, known.get(name))) return false;
  return true;
}

function isInStep(stamp: FileStamp, file: KnownFile | undefined): boolean {
  return file !== undefined && isSameStamp(stamp, file) && isSettledBy(file.seenAt, stamp);
}

/** Runs inside a transaction, and holds the files' lock if they are writable. */
export function bringInStep(rows: Database, files: SessionFiles, circumstances: Circumstances): void {
  const found = files.list();
  const known = knownFiles(rows);
  if (circumstances.isWritable) {
    files.removeLeftovers();
    for (const file of known.values()) if (!found.has(file.name)) dropFile(rows, file);
  }
  for (const [name, stamp] of [...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (!isInStep(stamp, known.get(name))) importFile(rows, files, name, known.get(name), circumstances);
}

function importFile(
  rows: Database,
  files: SessionFiles,
  name: string,
  known: KnownFile | undefined,
  circumstances: Circumstances,
): void {
  const { isWritable } = circumstances;
  const seenAt = Date.now();
  const before = files.list().get(name);
  const bytes = readOrProblem(files, name);
  if (bytes === null || before === undefined) return;
  if (typeof bytes === "string") {
    const path = join(files.directory, name);
    const incident = {
      what: `${path}: ${bytes}.`,
      todo: "Check the file's owner and permissions, and the disk.",
      state: printedStamp(before),
    };
    if (bytes !== known?.problem) reportIncident(circumstances, { kind: "session-file", path, ...incident });
    // Keep the rows that were read before.
    putFile(rows, { name, ...before, seenAt, problem: bytes, session: known?.session ?? null });
    return;
  }
  const read = readSession(bytes, idOfFile(name));
  const twin = read.session === null ? null : twinOf(rows, read.session.id, name, files.list());
  const problem = problemOf(read, twin);
  const stamp = isWritable ? repaired(files, name, bytes, read, before) : before;
  if (problem !== null && problem !== known?.problem) {
    const incident = incidentOf(join(files.directory, name), problem, bytes, read);
    // A copy loses nothing, so a warning is enough.
    if (twin === null) reportIncident(circumstances, incident);
    else circumstances.warn(incident.what);
  }
  const file = { name, ...stamp, seenAt, problem };
  if (known !== undefined && known.session !== (read.session?.id ?? null)) dropFile(rows, known);
  if (read.session === null || twin !== null) putFile(rows, { ...file, session: null });
  else importWithFreeNumbers(rows, files, read.session, { ...file, session: read.session.id }, isWritable);
}

/** The bytes, or the reason why the file cannot be read; null if there is no file. */
function readOrProblem(files: SessionFiles, name: string): Uint8Array | string | null {
  try {
    return files.read(name);
  } catch (error) {
    if (!(error instanceof RetainError && error.code === "io")) throw error;
    const cause = error.message.replace(`Cannot read ${join(files.directory, name)}`, "it cannot be read");
    return withoutPeriod(cause);
  }
}

/** Sessions from two machines may use the same message numbers: then one of them gets new numbers. */
function importWithFreeNumbers(
  rows: Database,
  files: SessionFiles,
  session: FiledSession,
  file: KnownFile,
  isWritable: boolean,
): void {
  if (!areNumbersTaken(rows, session)) {
    importSession(rows, session, file);
    return;
  }
  if (!isWritable) return;
  const first = Math.max(lastNumber(rows), files.numbers().message) + 1;
  const numbers = session.messages.map(({ id }) => id);
  const text = renumberedSession(files.read(file.name) ?? new Uint8Array(), (id) => {
    const upTo = numbers.filter((number) => number <= id).length;
    return upTo === 0 ? 0 : first + upTo - 1;
  });
  const stamp = files.write(file.name, text);
  const again = readSession(Buffer.from(text), session.id).session;
  if (again !== null) importSession(rows, again, { ...file, ...stamp });
}

/** Another file with the same session, such as a copy. */
function twinOf(rows: Database, id: string, name: string, found: Found): string | null {
  const query = rows.query<{ name: string }, [string, string]>(
    "SELECT name FROM session_files WHERE session_id = ? AND name <> ?",
  );
  const twin = query.get(id, name)?.name;
  return twin !== undefined && found.has(twin) ? twin : null;
}

function problemOf({ session, isNewer, damaged }: ReadSession, twin: string | null): string | null {
  if (isNewer) return "a newer version of Retain wrote it; update Retain to read it";
  if (session === null) return "none of its lines can be read";
  if (twin !== null) return `ignored, because it contains the same session as ${twin}`;
  if (damaged.length === 0) return null;
  const lines = damaged.length > 5 ? `${damaged.slice(0, 5).join(", ")} ...` : damaged.join(", ");
  return `${plural(damaged.length, "line")} cannot be read (${lines}); the rest can`;
}

function incidentOf(path: string, problem: string, bytes: Uint8Array, read: ReadSession): NewIncident {
  const what = `${path}: ${problem}.`;
  const todo = read.isNewer ? "" : "Nothing was deleted. If you have a backup of the file, restore it.";
  return { kind: "session-file", path, what, todo, state: read.isNewer ? "" : damageOf(bytes, read) };
}

/** Fingerprint of the damaged lines: it stays the same while the file grows. */
function damageOf(bytes: Uint8Array, { damaged }: ReadSession): string {
  const lines = new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "");
  return fingerprint(damaged.map((number) => lines[number - 1] ?? "").join("\n"));
}

/** Removes an incomplete last line, which was never reported as stored. */
function repaired(
  files: SessionFiles,
  name: string,
  bytes: Uint8Array,
  { session, size }: ReadSession,
  stamp: FileStamp,
): FileStamp {
  if (session === null) return stamp;
  if (size < bytes.length) return files.cut(name, size);
  return bytes.at(-1) === 0x0a ? stamp : files.append(name, "\n", size);
}
