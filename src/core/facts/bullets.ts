/**
 * The facts of a Markdown file are its bullets; the heading above a bullet is its category. The file belongs to the user: an edit
 * changes only one bullet's lines, and everything else stays byte for byte.
 */
import { LIST_MARKER } from "../text/markdown.ts";
import { blocksOf } from "../text/markdown-blocks.ts";
import {
  type Bullet,
  GENERAL,
  headingsOf,
  indentOf,
  lineEnd,
  type Reading,
  readingOf,
  withLinesBehind,
} from "./read-bullets.ts";

export { type Bullet, bulletsOf, GENERAL, growthOf } from "./read-bullets.ts";

/** Adds a bullet at the end of its category. A new category goes to the end of the file. */
export function withBullet(content: string, text: string, category: string): string {
  const reading = readingOf(content);
  const { eol } = reading;
  if (reading.bullets.length === 0 && content.trim() === "")
    return `# Memory${eol}${eol}${opening(category, eol)}- ${text}${eol}`;
  const end = endOfCategory(reading, category);
  if (end === null) return `${closed(content, eol)}${eol}${opening(category, eol)}- ${text}${eol}`;
  if (end.afterBullet && end.at === content.length && reading.isClosed)
    return withLinesBehind(reading, `- ${text}${eol}`);
  const before = closed(content.slice(0, end.at), eol);
  const after = content.slice(end.at);
  const blankBefore = end.afterBullet || before.trim() === "" ? "" : eol;
  const blankAfter = end.afterBullet || after.trim() === "" || /^\s*\n/.test(after) ? "" : eol;
  return `${before}${blankBefore}- ${text}${eol}${blankAfter}${after}`;
}

/** Replaces a bullet's text and keeps its indentation and marker. */
export function withReplaced(content: string, bullet: Bullet, text: string): string {
  const lines = content.slice(bullet.start, bullet.end);
  const marker = LIST_MARKER.exec(lines)?.[0] ?? "- ";
  const ending = /\r?\n$/.exec(lines)?.[0] ?? "";
  return content.slice(0, bullet.start) + marker + text + ending + content.slice(bullet.end);
}

/** Removes a bullet. Nested bullets are facts of their own, so they move up one level. */
export function withoutBullet(content: string, bullet: Bullet): string {
  const indent = indentOf(content, bullet.start);
  let nested = "";
  let at = bullet.end;
  let shift: number | null = null;
  while (at < content.length) {
    const end = lineEnd(content, at);
    const line = content.slice(at, end);
    const deeper = indentOf(content, at) - indent;
    if (line.trim() !== "" && deeper <= 0) break;
    if (line.trim() !== "") shift ??= deeper;
    nested += outdented(line, shift ?? 0);
    at = end;
  }
  return content.slice(0, bullet.start) + nested + content.slice(at);
}

function outdented(line: string, columns: number): string {
  let at = 0;
  for (let left = columns; left > 0 && (line[at] === " " || line[at] === "\t"); at++)
    left -= line[at] === "\t" ? 4 : 1;
  return line.slice(at);
}

function opening(category: string, eol: string): string {
  return category === GENERAL ? "" : `## ${category}${eol}${eol}`;
}

function closed(content: string, eol: string): string {
  return content === "" || content.endsWith("\n") ? content : content + eol;
}

/** Where the next bullet of a category goes; null if there is no such heading. */
function endOfCategory(
  { source: content, bullets }: Reading,
  category: string,
): { at: number; afterBullet: boolean } | null {
  const last = bullets.findLast((bullet) => isSameCategory(bullet.category, category));
  if (last !== undefined) return { at: last.end, afterBullet: true };
  const sections = headingsOf(content, blocksOf(content), false);
  const index = sections.findIndex(({ name }) => isSameCategory(name, category));
  if (index < 0 && category !== GENERAL) return null;
  const next = sections[index + 1]?.start ?? content.length;
  const at = content.slice(0, next).trimEnd().length;
  return { at: lineEnd(content, at), afterBullet: false };
}

function isSameCategory(a: string, b: string): boolean {
  const bare = (name: string) => name.trim().replace(/\s*:$/, "").toLowerCase();
  return a === b || bare(a) === bare(b);
}
