/**
 * Reads and writes a daily log: timed notes, `## 10:30 - Title` followed by text. Accepts any kind of dash, since people and other
 * tools use them all. Reports lines outside any note, so that nothing is overlooked.
 */
import { eolOf } from "../../util/text.ts";
import { blocksOf } from "../text/markdown-blocks.ts";

export interface Note {
  /** "10:30", in the writer's time zone. */
  readonly time: string;
  readonly title: string;
  /** May be empty or have several lines. */
  readonly text: string;
}

export interface LoggedNote extends Note {
  /** 1-based, of its heading. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface DailyLog {
  readonly notes: readonly LoggedNote[];
  /** 1-based lines outside any note. */
  readonly strays: readonly number[];
}

const HEADING =
  /^ {0,3}##[ \t]+([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?:[ \t]*(?:-{1,3}|[–—])(?:[ \t]+|$)|[ \t]+|$)([^\n]*)$/;
const LOG_NAME = /^(\d{4}-\d\d-\d\d)\.md$/;

/** "2026-11-15" for "2026-11-15.md"; null for any other file or an invalid date. */
export function dayOfLog(name: string): string | null {
  const day = LOG_NAME.exec(name)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(day))) return null;
  return new Date(day).toISOString().startsWith(day) ? day : null;
}

export function parseLog(content: string): DailyLog {
  const notes: LoggedNote[] = [];
  const strays: number[] = [];
  let current: { line: number; start: number; bodyAt: number; time: string; title: string } | null = null;
  const close = (end: number) => {
    if (current === null) return;
    const { line, start, time, title, bodyAt } = current;
    notes.push({ line, start, end, time, title, text: bodyOf(content.slice(bodyAt, end)) });
  };
  for (const [index, block] of blocksOf(content).entries()) {
    const heading = block.kind === "heading" ? headingOf(content.slice(block.start, block.end)) : null;
    if (heading !== null) {
      close(block.start);
      const bodyAt = Math.min(content.length, block.end);
      current = { ...heading, line: block.line, start: block.start, bodyAt };
    } else if (
      block.kind === "heading" &&
      block.level <= 2 &&
      (current !== null || index > 0 || block.level > 1)
    ) {
      close(block.start);
      current = null;
      strays.push(block.line);
    } else if (current === null && !(index === 0 && block.kind === "heading")) strays.push(block.line);
  }
  close(content.length);
  return { notes, strays };
}

function headingOf(line: string): { time: string; title: string } | null {
  const match = HEADING.exec(line.trimEnd());
  if (match === null) return null;
  const [, hour = "", minute = "", title = ""] = match;
  return { time: `${hour.padStart(2, "0")}:${minute}`, title: title.trim() };
}

/** Appends a note to the log. */
export function withNote(content: string, note: Note): string {
  const eol = eolOf(content);
  const before = content.trim() === "" ? "" : `${content.trimEnd()}${eol}${eol}`;
  return before + printNote(note).replaceAll("\n", eol);
}

/** Prints a note so that it reads back the same, whatever its text contains. */
export function printNote({ time, title, text }: Note): string {
  const head = `## ${time} - ${title.replace(/\s+/g, " ").trim()}`;
  const body = text.replaceAll("\r\n", "\n").trim();
  const printed = body === "" ? `${head}\n` : `${head}\n${protectedBody(body)}\n`;
  return standsAlone(printed) ? printed : `${head}\n${protectedBody(body, true)}\n`;
}

/** Escapes headings in a body, which would start a new note. */
function protectedBody(body: string, everything = false): string {
  const lines = body
    .split("\n")
    .map((line) => (/^ {0,3}\\*##?(?:[ \t]|$)/.test(line) ? line.replace("#", "\\#") : line));
  // An unclosed fence or comment, or a line of dashes under text, would swallow the next note.
  return everything ? lines.map((line) => `    ${line}`.trimEnd()).join("\n") : lines.join("\n");
}

function bodyOf(lines: string): string {
  const body = lines.replaceAll("\r\n", "\n").replace(/^\n+/, "").trimEnd();
  const indented = body !== "" && body.split("\n").every((line) => line === "" || line.startsWith("    "));
  return body
    .split("\n")
    .map((line) => (indented ? line.slice(4) : line).replace(/^( {0,3}\\*)\\#(?=#?(?:[ \t]|$))/, "$1#"))
    .join("\n")
    .trim();
}

function standsAlone(printed: string): boolean {
  const { notes, strays } = parseLog(`${printed}\n## 00:00 - next\n`);
  return notes.length === 2 && strays.length === 0;
}
