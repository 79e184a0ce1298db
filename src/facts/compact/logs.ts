/** Daily logs that are old enough to compact, and their notes. */

import { messageOf, RetainError } from "../../core/errors.ts";
import { type DailyLog, parseLog } from "../../core/facts/daily-log.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { kindOfFile } from "../../core/facts/memory-paths.ts";
import type { Clock, MemoryFiles } from "../../core/ports/documents.ts";
import { withPrivateBlanked } from "../../core/secrets/private.ts";
import { findSecrets } from "../../core/secrets/secrets.ts";
import { DAY_MS, isoSeconds, localDay } from "../../util/days.ts";
import { withoutPeriod } from "../../util/text.ts";
import type { DueNote } from "./plan.ts";
import { bulletOfNote } from "./text.ts";

export interface DueLog {
  /** Below memories/. */
  readonly path: string;
  readonly chat: string | null;
  readonly day: string;
}

export interface ReadLog extends DueLog {
  readonly content: string;
  readonly notes: readonly DueNote[];
}

/** A log that isn't compacted. */
export interface KeptLog extends DueLog {
  readonly why: string;
  /** 1-based; empty if the reason concerns the whole log. */
  readonly lines: readonly number[];
}

/**
 * Logs more than `days` calendar days old in the local time zone, by file name. The workspace's come first, then each chat's,
 * oldest first.
 */
export function dueLogs(files: MemoryFiles, clock: Clock, days: number, chat?: string): DueLog[] {
  const today = Date.parse(localDay(clock().toISOString()));
  return files
    .scan()
    .flatMap(({ path }) => {
      const kind = kindOfFile(path);
      if (kind?.kind !== "log" || (chat !== undefined && kind.chat !== chat)) return [];
      return today - Date.parse(kind.day) > days * DAY_MS ? { path, chat: kind.chat, day: kind.day } : [];
    })
    .sort((a, b) => compare(a.chat ?? "", b.chat ?? "") || compare(a.day, b.day));
}

/** null if it is gone. */
export function readLog(files: MemoryFiles, log: DueLog): ReadLog | KeptLog | null {
  let content: string | undefined;
  try {
    content = files.read(log.path)?.content;
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    return { ...log, why: withoutPeriod(messageOf(error)), lines: [] };
  }
  if (content === undefined) return null;
  const parsed = parseLog(content);
  const kept = (why: string, lines: readonly number[]): KeptLog => ({ ...log, why, lines });
  const strays = straysOf(content, parsed);
  if (strays.length > 0) return kept('text outside any note ("## 10:30 - Title")', strays);
  if (parsed.notes.length === 0 && content.trim() !== "") return kept("it contains no notes", []);
  if (withPrivateBlanked(content) !== content) return kept("it contains private text", []);
  const secrets = parsed.notes.flatMap(({ title, text, line }) =>
    findSecrets(`${title}: ${text}`).map(({ what }) => ({ what, line })),
  );
  if (secrets[0] !== undefined)
    return kept(
      `it contains ${secrets[0].what}, which must not be copied`,
      secrets.map(({ line }) => line),
    );
  return { ...log, content, notes: notesOf(log, parsed) };
}

export function isRead(log: ReadLog | KeptLog): log is ReadLog {
  return "notes" in log;
}

/** Includes a small heading at the top, which may be content. */
function straysOf(content: string, { notes, strays }: DailyLog): readonly number[] {
  const above = content.slice(0, notes[0]?.start ?? 0).trimStart();
  const line = content.slice(0, content.length - content.trimStart().length).split("\n").length;
  return strays.length === 0 && above.startsWith("##") ? [line] : strays;
}

function notesOf({ path, chat, day }: DueLog, { notes }: DailyLog): DueNote[] {
  return notes.map((note) => {
    const text = bulletOfNote(note);
    const body = bulletOfNote({ title: "", text: note.text });
    const at = isoSeconds(new Date(`${day}T${note.time}:00`));
    return { log: path, line: note.line, chat, at, text, body, id: factId(text, chat) };
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
