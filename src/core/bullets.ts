/**
 * The facts of a Markdown file are its bullets; the heading above a bullet is its category. The file belongs to its
 * owner: an edit changes the lines of one bullet, and everything else stays byte for byte.
 */
import { eolOf, sharedStart, squeezed } from "../util/text.ts";
import { type Block, blocksOf } from "./markdown-blocks.ts";
import { withPrivateBlanked } from "./private.ts";

export interface Bullet {
  /** On one line, without the marks of the list. */
  readonly text: string;
  readonly category: string;
  /** 1-based. */
  readonly line: number;
  /** Whole lines, the last one's ending included. */
  readonly start: number;
  readonly end: number;
}

/** What stands under no heading, or under the file's title alone. */
export const GENERAL = "general";

const MARKER = /^([ \t]*(?:[-*+•‣◦–—]|\d{1,9}[.)])[ \t]+)(\[[ xX]\][ \t]+)?/;
/** Bullets that Markdown does not know, but people and models write. */
const TYPED_BULLET = /^[ \t]*[•‣◦–—][ \t]+\S/;

interface Item {
  readonly block: Block;
  readonly start: number;
  end: number;
  readonly line: number;
}

/** What was read of a text, so that one that goes on like it is read from there on only. */
interface Reading {
  readonly source: string;
  readonly bullets: readonly Bullet[];
  /** Where the first heading stands; infinity where there is none. */
  readonly firstHeading: number;
  /** What follows may give what stands here another meaning: closes what is private, or a frontmatter. */
  readonly isOpenEnded: boolean;
}

/** A change asks several times what stands in a file before and after it. */
const MOST_READ = 4;
const READ: Reading[] = [];

/** Bullets that stand before the first difference to a text that was read lately are the same objects as that one's. */
export function bulletsOf(source: string): readonly Bullet[] {
  const known = READ.find((one) => one.source === source);
  if (known !== undefined) return known.bullets;
  const reading = readOn(source) ?? readAnew(source);
  READ.unshift(reading);
  READ.splice(MOST_READ);
  return reading.bullets;
}

const PRIVATE_TAG = /<private\b/i;

function readAnew(source: string): Reading {
  const start = { offset: 0, line: 1, section: GENERAL, isTitled: false };
  const isOpenEnded = PRIVATE_TAG.test(source) || /^\uFEFF?---/.test(source);
  return { source, isOpenEnded, ...readFrom(source, start) };
}

/** A bullet that is no part of another one: whatever stands above it has no say in what stands below. */
const TOP_LEVEL = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** From the last bullet on that stands before all differences; null where nothing lately read begins alike. */
function readOn(source: string): Reading | null {
  let best: { before: Reading; index: number } | null = null;
  for (const before of READ) {
    if (before.isOpenEnded) continue;
    const shared = sharedStart(before.source, source);
    const index = before.bullets.findLastIndex(
      ({ start, end }) =>
        end <= shared &&
        TOP_LEVEL.test(source.slice(start, start + LONGEST_MARK)) &&
        source[end - 1] === "\n",
    );
    if (index > (best?.index ?? 0)) best = { before, index };
  }
  if (best === null) return null;
  const { before, index } = best;
  const { start: offset, line, category: section } = before.bullets[index] as Bullet;
  const isTitled = before.firstHeading < offset;
  const rest = source.slice(offset);
  const { bullets, firstHeading } = readFrom(rest, { offset, line, section, isTitled });
  return {
    source,
    bullets: [...before.bullets.slice(0, index), ...bullets],
    firstHeading: Math.min(before.firstHeading, firstHeading),
    isOpenEnded: PRIVATE_TAG.test(rest),
  };
}

const LONGEST_MARK = 12;

interface Start {
  readonly offset: number;
  readonly line: number;
  readonly section: string;
  /** Whether a heading stands above: then none below is the title. */
  readonly isTitled: boolean;
}

/** The bullets of the part of a text that begins at `start`, as places in the whole. */
function readFrom(
  source: string,
  { offset, line: firstLine, section, isTitled }: Start,
): Pick<Reading, "bullets" | "firstHeading"> {
  const content = withPrivateBlanked(source);
  const blocks = blocksOf(content);
  const sections = headingsOf(content, blocks, isTitled);
  const body = offset === 0 ? frontmatterEnd(content) : 0;
  const parents: { indent: number; title: string }[] = [];
  const bullets = itemsOf(content, blocks).flatMap((item, index, items) => {
    const text = textOf(content.slice(item.start, item.end));
    const indent = indentOf(content, item.start);
    while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
    const above = [sectionAt(sections, item.start) ?? section, ...parents.map(({ title }) => title)];
    const category = above.filter((name) => name !== GENERAL).join(" > ") || GENERAL;
    const next = items[index + 1];
    const isParent = text.endsWith(":") && next !== undefined && indentOf(content, next.start) > indent;
    if (isParent) parents.push({ indent, title: text.slice(0, -1).trim() });
    if (text === "" || isParent || item.start < body) return [];
    const end = offset + lineEnd(content, item.end);
    return { text, category, line: item.line + firstLine - 1, start: offset + item.start, end };
  });
  const first = blocks.find(({ kind }) => kind === "heading");
  return { bullets, firstHeading: first === undefined ? Number.POSITIVE_INFINITY : offset + first.start };
}

/** Puts a new bullet at the end of its category, which is made at the end of the file if it is new. */
export function withBullet(content: string, text: string, category: string, title = "Memory"): string {
  const eol = eolOf(content);
  if (content.trim() === "") return `# ${title}${eol}${eol}${opening(category, eol)}- ${text}${eol}`;
  const place = endOfCategory(content, category);
  if (place === null) return `${closed(content, eol)}${eol}${opening(category, eol)}- ${text}${eol}`;
  const before = closed(content.slice(0, place.at), eol);
  const after = content.slice(place.at);
  const blankBefore = place.afterBullet || before.trim() === "" ? "" : eol;
  const blankAfter = place.afterBullet || after.trim() === "" || /^\s*\n/.test(after) ? "" : eol;
  return `${before}${blankBefore}- ${text}${eol}${blankAfter}${after}`;
}

/** The bullet's lines with another text: its indentation and mark stay. */
export function withReplaced(content: string, bullet: Bullet, text: string): string {
  const lines = content.slice(bullet.start, bullet.end);
  const marker = MARKER.exec(lines)?.[0] ?? "- ";
  const ending = /\r?\n$/.exec(lines)?.[0] ?? "";
  return content.slice(0, bullet.start) + marker + text + ending + content.slice(bullet.end);
}

/** Bullets that are nested under it move up into its place: they are facts of their own. */
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

/** Where the text begins, in a file with frontmatter as Obsidian writes it. */
function frontmatterEnd(content: string): number {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(content)?.[0].length ?? 0;
}

function opening(category: string, eol: string): string {
  return category === GENERAL ? "" : `## ${category}${eol}${eol}`;
}

function closed(content: string, eol: string): string {
  return content === "" || content.endsWith("\n") ? content : content + eol;
}

/** Where the next bullet of a category goes; null where there is no such heading. */
function endOfCategory(content: string, category: string): { at: number; afterBullet: boolean } | null {
  const last = bulletsOf(content).findLast((bullet) => isSameCategory(bullet.category, category));
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
  return bare(a) === bare(b);
}

interface Section {
  readonly name: string;
  readonly start: number;
}

/** Headings from the top; the title, a first heading of level 1, is none. */
function headingsOf(content: string, blocks: readonly Block[], isTitled: boolean): Section[] {
  const headings = blocks.filter(({ kind }) => kind === "heading");
  return headings
    .filter((block, index) => block.level > 1 || index > 0 || isTitled)
    .map(({ start, end }) => ({
      name: (content.slice(start, end).split("\n")[0] ?? "")
        .replace(/^ {0,3}#+[ \t]*|[ \t]+#*[ \t]*\r?$/g, "")
        .trim(),
      start,
    }));
}

/** null above the first of them. */
function sectionAt(sections: readonly Section[], offset: number): string | null {
  const section = sections.findLast(({ start }) => start < offset);
  return section === undefined ? null : section.name || GENERAL;
}

/** An item with what is indented under it and is no item itself. */
function itemsOf(content: string, blocks: readonly Block[]): Item[] {
  const items: Item[] = [];
  let last: Item | null = null;
  for (const block of blocks) {
    if (
      block.kind === "item" ||
      (block.kind === "text" && TYPED_BULLET.test(content.slice(block.start, block.end)))
    ) {
      for (const item of splitItems(content, block)) {
        items.push(item);
        last = item;
      }
    } else if (last !== null && block.attached && block.kind !== "heading") last.end = block.end;
    else last = null;
  }
  return items;
}

/** A paragraph of typed bullets is one item a line. */
function splitItems(content: string, block: Block): Item[] {
  const items: Item[] = [];
  let offset = block.start;
  let line = block.line;
  for (const text of content.slice(block.start, block.end).split("\n")) {
    const last = items.at(-1);
    const end = offset + text.replace(/\r$/, "").length;
    if (last === undefined || TYPED_BULLET.test(text)) items.push({ block, start: offset, end, line });
    else last.end = end;
    offset += text.length + 1;
    line++;
  }
  return items;
}

function textOf(lines: string): string {
  return squeezed(lines.replace(MARKER, ""));
}

function indentOf(content: string, start: number): number {
  return /^[ \t]*/.exec(content.slice(start, start + 40))?.[0].replaceAll("\t", "    ").length ?? 0;
}

function lineEnd(content: string, offset: number): number {
  const newline = content.indexOf("\n", offset);
  return newline < 0 ? content.length : newline + 1;
}
