/**
 * Imports notes into the log of the same day, with times and titles. Text outside notes becomes a note, so nothing of a log is
 * lost. A note that already exists verbatim is not added again.
 */

import { RetainError } from "../core/errors.ts";
import { type Note, parseLog, printNote, withNote } from "../core/facts/daily-log.ts";
import { logPath } from "../core/facts/memory-paths.ts";
import { blocksOf } from "../core/text/markdown-blocks.ts";
import type { Drafts } from "../facts/drafts.ts";
import { noteId } from "../facts/note-memory.ts";
import { changeFiles } from "./change.ts";
import { allowed } from "./facts.ts";
import type { Migration } from "./ports.ts";
import type { ItemRef, Outcomes } from "./report.ts";

export interface LogFile {
  /** Relative to the directory. */
  readonly file: string;
  readonly content: string;
  readonly chat: string | null;
  readonly day: string;
}

interface FoundNote {
  readonly note: Note;
  readonly item: ItemRef;
}

/** How many logs to import in one change. */
const BATCH_SIZE = 64;

export async function importLogs(
  { workspace, outcomes }: Migration,
  logs: readonly LogFile[],
): Promise<void> {
  for (let start = 0; start < logs.length; start += BATCH_SIZE) {
    const batch = logs
      .slice(start, start + BATCH_SIZE)
      .map((log) => ({ path: logPath(log.day, log.chat), notes: notesOf(log, outcomes) }));
    const results = await changeFiles(workspace, (drafts) =>
      batch.flatMap(({ path, notes }) => addNotes(drafts, path, notes)),
    );
    for (const { item, outcome } of results) {
      if (outcome === "imported") outcomes.imported(item);
      else if (outcome === "existing") outcomes.existing(item);
      else outcomes.failed(item, outcome);
    }
  }
}

interface NoteOutcome {
  readonly item: ItemRef;
  readonly outcome: "imported" | "existing" | RetainError;
}

/** If a note cannot be written, the file stays as it was. */
function addNotes(drafts: Drafts, path: string, notes: readonly FoundNote[]): NoteOutcome[] {
  let before: string;
  try {
    before = drafts.read(path);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    return notes.map(({ item }) => ({ item, outcome: error }));
  }
  const known = new Set(parseLog(before).notes.map((note) => noteId(path, note)));
  return notes.map(({ note, item }) => {
    const id = noteId(path, note);
    if (known.has(id)) return { item, outcome: "existing" };
    const written = withNote(drafts.read(path), note);
    const last = parseLog(written).notes.at(-1);
    if (last === undefined || noteId(path, last) !== id) return { item, outcome: unwritable(path) };
    drafts.write(path, written);
    known.add(id);
    return { item, outcome: "imported" };
  });
}

function unwritable(path: string): RetainError {
  return new RetainError(
    "invalid_input",
    `Cannot add it as a note to memories/${path}.`,
    "Look for an unclosed code block or comment in that file.",
  );
}

/** In the log's order, in the form they are read back after writing. */
function notesOf({ file, content, day }: LogFile, outcomes: Outcomes): FoundNote[] {
  const { notes, strays } = parseLog(content);
  const [first] = blocksOf(content);
  // Only a log's title, its first heading, is not imported.
  const isTitle = first?.kind !== "heading" || first.level <= 2;
  const lines = strayNotes(content, notes, isTitle ? strays : [first.line, ...strays]);
  const all = [...notes, ...lines].sort((a, b) => a.line - b.line);
  return all.flatMap(({ time, title, text, line }) => {
    const item: ItemRef = { kind: "notes", name: `${day} ${time} ${title}`.trim(), file, line };
    const said = allowed(text, `${title}: `, item, outcomes);
    const head = said === null ? null : allowed(title, "", item, outcomes);
    if (said === null || head === null) return [];
    const [note] = parseLog(printNote({ time, title: head, text: said })).notes;
    return note === undefined ? [] : { note, item };
  });
}

/** Text between notes: each stretch becomes a note with the preceding note's time. */
function strayNotes(
  content: string,
  notes: ReturnType<typeof parseLog>["notes"],
  strays: readonly number[],
): (Note & { line: number })[] {
  const starts = lineStarts(content);
  const stretches = [0, ...notes.map(({ end }) => end)].map((from, index) => ({
    from,
    to: notes[index]?.start ?? content.length,
    time: notes[index - 1]?.time ?? "00:00",
  }));
  return stretches.flatMap(({ from, to, time }) => {
    const line = strays.find((one) => (starts[one - 1] ?? 0) >= from && (starts[one - 1] ?? 0) < to);
    const text = line === undefined ? "" : content.slice(starts[line - 1], to).trim();
    return line === undefined || text === "" ? [] : { time, title: "Imported", text, line };
  });
}

function lineStarts(content: string): number[] {
  return [0, ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)];
}
