/** The notes of a day, without private parts. */
import { type LoggedNote, parseLog } from "../core/facts/daily-log.ts";
import { kindOfFile } from "../core/facts/memory-paths.ts";
import { withPrivateBlanked } from "../core/secrets/private.ts";
import { noteId } from "./note-memory.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { readable } from "./readable.ts";

export interface DayNote {
  readonly id: string;
  readonly origin: FactWorkspace["origin"];
  readonly chat: string | null;
  readonly day: string;
  readonly time: string;
  readonly title: string;
  readonly text: string;
}

export interface DayNotes {
  readonly notes: DayNote[];
  /** Log lines outside any note. */
  readonly strays: { readonly file: string; readonly lines: readonly number[] }[];
}

/** Notes of the workspace and all its chats, or of one chat; `days` look like "2026-11-15". */
export function notesOn(workspaces: FactWorkspaces, days: Iterable<string>, named?: string): DayNotes {
  const chat = named?.normalize("NFC");
  const notes: DayNote[] = [];
  const strays: { file: string; lines: readonly number[] }[] = [];
  let wanted: ReadonlySet<string> | null = null;
  for (const { files, origin, warn } of workspaces.read) {
    for (const { path } of files.scan()) {
      const kind = kindOfFile(path);
      if (kind?.kind !== "log" || (chat !== undefined && kind.chat !== chat)) continue;
      wanted ??= new Set(days);
      if (!wanted.has(kind.day)) continue;
      const read = readable({ files, warn }, path, "Its notes are not shown.");
      const log = parseLog(withPrivateBlanked(read?.file?.content ?? ""));
      notes.push(
        ...log.notes.map((note) => ({
          ...described(note),
          id: noteId(path, note),
          origin,
          chat: kind.chat,
          day: kind.day,
        })),
      );
      if (log.strays.length > 0) strays.push({ file: `${files.root}/${path}`, lines: log.strays });
    }
  }
  return { notes: notes.sort((a, b) => (a.day + a.time < b.day + b.time ? -1 : 1)), strays };
}

function described({ time, title, text }: LoggedNote) {
  return { time, title, text };
}
