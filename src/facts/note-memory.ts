/** A daily log's notes as they are indexed. */

import { type LoggedNote, parseLog } from "../core/facts/daily-log.ts";
import type { MemoryFileKind } from "../core/facts/memory-paths.ts";
import type { Memory } from "../core/memory.ts";
import type { MemoryFile } from "../core/ports/documents.ts";
import { withPrivateBlanked } from "../core/secrets/private.ts";
import { chunkMarkdown } from "../core/text/chunk.ts";
import { sha256 } from "../util/hash.ts";

type Log = Extract<MemoryFileKind, { kind: "log" }>;

export function notesOf({ path, content }: MemoryFile, log: Log): Memory[] {
  const memories = parseLog(withPrivateBlanked(content)).notes.map((note) => noteMemory(path, note, log));
  return [...new Map(memories.map((memory) => [memory.source, memory])).values()];
}

function noteMemory(path: string, note: LoggedNote, { chat, day }: Log): Memory {
  const text = note.text === "" ? note.title : note.text;
  const at = new Date(`${day}T${note.time}:00`).getTime();
  return {
    kind: "note",
    source: noteId(path, note),
    scope: chat ?? "",
    tags: [],
    session: null,
    speaker: null,
    at: Number.isNaN(at) ? null : at,
    trust: "inferred",
    importance: 0.5,
    chunks: chunkMarkdown(text, note.title).map((chunk) => ({ ...chunk, line: note.line + chunk.line })),
    neighbours: "",
  };
}

/** "2026-11-15.md#10:30-4f1a2b": names its file and time, and doesn't change when notes are added. */
export function noteId(
  path: string,
  { time, title, text }: Pick<LoggedNote, "time" | "title" | "text">,
): string {
  return `${path}#${time}-${sha256(`${title}\0${text}`).slice(0, 6)}`;
}
