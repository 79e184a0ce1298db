/**
 * Parses the bullets of a Markdown file. A change parses a file several times, before and after, and most changes append a line. So
 * a text that begins like a recently parsed one is parsed only from the first difference.
 */
import { detached } from "../../util/detached.ts";
import { type Eol, eolOf, sharedStart, squeezed } from "../../util/text.ts";
import type { Growth } from "../ports/documents.ts";
import { withPrivateBlanked } from "../secrets/private.ts";
import { LIST_MARKER } from "../text/markdown.ts";
import { type Block, blocksOf, bodyOf } from "../text/markdown-blocks.ts";

export interface Bullet {
  /** On one line, without the list marker. */
  readonly text: string;
  readonly category: string;
  /** 1-based. */
  readonly line: number;
  /** Whole lines, including the last line break. */
  readonly start: number;
  readonly end: number;
}

/** The category of bullets under no heading, or only under the file's title. */
export const GENERAL = "general";

/** Bullets that Markdown doesn't know, but people and models use. */
const TYPED_BULLET = /^[ \t]*[•‣◦–—][ \t]+\S/;

interface Item {
  readonly block: Block;
  readonly start: number;
  end: number;
  readonly line: number;
}

/** A parsed text. */
export interface Reading {
  readonly source: string;
  readonly bullets: readonly Bullet[];
  readonly eol: Eol;
  /** Whether appended text would start on a new line. */
  readonly isClosed: boolean;
  /** The offset of the first heading; infinity if there is none. */
  readonly firstHeading: number;
  /** Appended text may change the meaning of this text: it may close a private part or a frontmatter. */
  readonly isOpenEnded: boolean;
  /** The text from the last bullet on, enough to parse appended lines; null if there is none. */
  readonly tail: { readonly index: number; readonly text: string } | null;
  /** Set if it is another text with appended lines. */
  readonly grown?: Growth;
}

const MOST_READ = 4;
/** Most recent first. */
const READ: Reading[] = [];

/** Bullets before the first difference to a recently parsed text are the same objects. */
export function bulletsOf(source: string): readonly Bullet[] {
  return readingOf(source).bullets;
}

export function readingOf(source: string): Reading {
  return READ.find((one) => one.source === source) ?? remembered(readFromChange(source) ?? readFully(source));
}

/** Appends lines and parses the result, without parsing the text above again. */
export function withLinesBehind(reading: Reading, lines: string): string {
  const source = reading.source + lines;
  const { tail, isOpenEnded, eol } = reading;
  if (tail === null || isOpenEnded) return source;
  const grown = { from: reading.source, by: lines };
  remembered({ ...resumed(source, eol, reading, tail.index, tail.text + lines), grown });
  return source;
}

/** What `withLinesBehind` built this text from; null if unknown. */
export function growthOf(source: string): Growth | null {
  return READ.find((one) => one.source === source)?.grown ?? null;
}

function remembered(reading: Reading): Reading {
  READ.unshift(reading);
  READ.splice(MOST_READ);
  return reading;
}

const PRIVATE_TAG = /<private\b/i;

function readFully(source: string): Reading {
  const read = readFrom(source, { offset: 0, line: 1, section: GENERAL, isTitled: false });
  const isOpenEnded = PRIVATE_TAG.test(source) || /^\uFEFF?---/.test(source);
  const tail = tailOf(source, 0, read.bullets);
  return { source, eol: eolOf(source), isClosed: source.endsWith("\n"), isOpenEnded, tail, ...read };
}

/** Parses from the last bullet before the first difference; null if no recently parsed text begins the same. */
function readFromChange(source: string): Reading | null {
  const [nearest] = READ.filter(({ isOpenEnded }) => !isOpenEnded)
    .map((before) => ({ before, shared: sharedStart(before.source, source) }))
    .sort((a, b) => b.shared - a.shared);
  if (nearest === undefined) return null;
  const { before, shared } = nearest;
  const index = lastTopLevel(source, 0, shared, before.bullets);
  const from = before.bullets[index]?.start;
  return from === undefined ? null : resumed(source, eolOf(source), before, index, source.slice(from));
}

/** `rest` is the text from the bullet at `index` on. */
function resumed(source: string, eol: Eol, before: Reading, index: number, rest: string): Reading {
  const { start: offset, line, category: section } = before.bullets[index] as Bullet;
  const isTitled = before.firstHeading < offset;
  const { bullets, firstHeading } = readFrom(rest, { offset, line, section, isTitled });
  const all = [...before.bullets.slice(0, index), ...bullets];
  return {
    source,
    eol,
    bullets: all,
    isClosed: rest.endsWith("\n"),
    firstHeading: Math.min(before.firstHeading, firstHeading),
    isOpenEnded: PRIVATE_TAG.test(rest),
    tail: tailOf(rest, offset, all),
  };
}

function tailOf(rest: string, offset: number, bullets: readonly Bullet[]): Reading["tail"] {
  const index = lastTopLevel(rest, offset, offset + rest.length, bullets);
  const start = bullets[index]?.start;
  return start === undefined ? null : { index, text: detached(rest.slice(start - offset)) };
}

/** A bullet that isn't nested: text above it doesn't affect how text below is parsed. */
const TOP_LEVEL = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const LONGEST_MARK = 12;

/** The last top-level bullet that ends before `end`, in a text that starts at `offset`; -1 if there is none. */
function lastTopLevel(text: string, offset: number, end: number, bullets: readonly Bullet[]): number {
  return bullets.findLastIndex((bullet) => {
    const start = bullet.start - offset;
    if (start < 0 || bullet.end > end || text[bullet.end - offset - 1] !== "\n") return false;
    return TOP_LEVEL.test(text.slice(start, start + LONGEST_MARK));
  });
}

interface Start {
  readonly offset: number;
  readonly line: number;
  readonly section: string;
  /** Whether there is a heading above; then no heading below is the title. */
  readonly isTitled: boolean;
}

/** The bullets of the part that starts at `start`, with offsets in the whole text. */
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

/** Where the body starts in a file with frontmatter, as Obsidian writes it. */
function frontmatterEnd(content: string): number {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(content)?.[0].length ?? 0;
}

interface Section {
  readonly name: string;
  readonly start: number;
}

/** Headings from the top, without the title (a first heading of level 1). */
export function headingsOf(content: string, blocks: readonly Block[], isTitled: boolean): Section[] {
  const headings = blocks.filter(({ kind }) => kind === "heading");
  return headings
    .filter((block, index) => block.level > 1 || index > 0 || isTitled)
    .map((block) => ({ name: (bodyOf(content, block).split("\n", 1)[0] ?? "").trim(), start: block.start }));
}

/** null above the first section. */
function sectionAt(sections: readonly Section[], offset: number): string | null {
  const section = sections.findLast(({ start }) => start < offset);
  return section === undefined ? null : section.name || GENERAL;
}

/** Items, each including indented text under it that isn't an item. */
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

/** A paragraph of typed bullets has one item per line. */
function splitItems(content: string, block: Block): Item[] {
  const lines = content.slice(block.start, block.end);
  if (!lines.includes("\n")) return [{ block, start: block.start, end: block.end, line: block.line }];
  const items: Item[] = [];
  let offset = block.start;
  let line = block.line;
  for (const text of lines.split("\n")) {
    const last = items.at(-1);
    const end = offset + text.replace(/\r$/, "").length;
    if (last === undefined || TYPED_BULLET.test(text)) items.push({ block, start: offset, end, line });
    else last.end = end;
    offset += text.length + 1;
    line++;
  }
  return items;
}

/** A marker without text may lack the space after it. */
function textOf(lines: string): string {
  return squeezed(`${lines.trimEnd()} `.replace(LIST_MARKER, "").trimEnd());
}

export function indentOf(content: string, start: number): number {
  if (/\S/.test(content[start] ?? "")) return 0;
  return /^[ \t]*/.exec(content.slice(start, start + 40))?.[0].replaceAll("\t", "    ").length ?? 0;
}

export function lineEnd(content: string, offset: number): number {
  const newline = content.indexOf("\n", offset);
  return newline < 0 ? content.length : newline + 1;
}
