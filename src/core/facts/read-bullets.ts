/**
 * The bullets of a Markdown file. A change asks several times what stands in a file before and after it, and most add a line at
 * its end: what begins like a text that was read lately is read from the first difference on.
 */
import { detached } from "../../util/detached.ts";
import { type Eol, eolOf, sharedStart, squeezed } from "../../util/text.ts";
import type { Growth } from "../ports/documents.ts";
import { withPrivateBlanked } from "../secrets/private.ts";
import { type Block, blocksOf, bodyOf } from "../text/markdown-blocks.ts";

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

export const MARKER = /^([ \t]*(?:[-*+•‣◦–—]|\d{1,9}[.)])[ \t]+)(\[[ xX]\][ \t]+)?/;
/** Bullets that Markdown does not know, but people and models write. */
const TYPED_BULLET = /^[ \t]*[•‣◦–—][ \t]+\S/;

interface Item {
  readonly block: Block;
  readonly start: number;
  end: number;
  readonly line: number;
}

/** What was read of a text. */
export interface Reading {
  readonly source: string;
  readonly bullets: readonly Bullet[];
  readonly eol: Eol;
  /** Whether what follows begins a new line. */
  readonly isClosed: boolean;
  /** Where the first heading stands; infinity where there is none. */
  readonly firstHeading: number;
  /** What follows may give what stands here another meaning: closes what is private, or a frontmatter. */
  readonly isOpenEnded: boolean;
  /** The text from the last bullet on that what follows can be read with; null where there is none. */
  readonly tail: { readonly index: number; readonly text: string } | null;
  /** Where it is known that it is another text with lines behind. */
  readonly grown?: Growth;
}

const MOST_READ = 4;
/** The latest first. */
const READ: Reading[] = [];

/** Bullets that stand before the first difference to a text that was read lately are the same objects as that one's. */
export function bulletsOf(source: string): readonly Bullet[] {
  return readingOf(source).bullets;
}

export function readingOf(source: string): Reading {
  return READ.find((one) => one.source === source) ?? remembered(readOn(source) ?? readAnew(source));
}

/** The text with lines behind it, read by then. What stands above is not looked at, nor put together with them by itself. */
export function withLinesBehind(reading: Reading, lines: string): string {
  const source = reading.source + lines;
  const { tail, isOpenEnded, eol } = reading;
  if (tail === null || isOpenEnded) return source;
  const grown = { from: reading.source, by: lines };
  remembered({ ...resumed(source, eol, reading, tail.index, tail.text + lines), grown });
  return source;
}

/** What `withLinesBehind` made a text of; null where that is not known. */
export function growthOf(source: string): Growth | null {
  return READ.find((one) => one.source === source)?.grown ?? null;
}

function remembered(reading: Reading): Reading {
  READ.unshift(reading);
  READ.splice(MOST_READ);
  return reading;
}

const PRIVATE_TAG = /<private\b/i;

function readAnew(source: string): Reading {
  const read = readFrom(source, { offset: 0, line: 1, section: GENERAL, isTitled: false });
  const isOpenEnded = PRIVATE_TAG.test(source) || /^\uFEFF?---/.test(source);
  const tail = tailOf(source, 0, read.bullets);
  return { source, eol: eolOf(source), isClosed: source.endsWith("\n"), isOpenEnded, tail, ...read };
}

/** From the last bullet on that stands before all differences; null where nothing lately read begins alike. */
function readOn(source: string): Reading | null {
  const [nearest] = READ.filter(({ isOpenEnded }) => !isOpenEnded)
    .map((before) => ({ before, shared: sharedStart(before.source, source) }))
    .sort((a, b) => b.shared - a.shared);
  if (nearest === undefined) return null;
  const { before, shared } = nearest;
  const index = lastTopLevel(source, 0, shared, before.bullets);
  const from = before.bullets[index]?.start;
  return from === undefined ? null : resumed(source, eolOf(source), before, index, source.slice(from));
}

/** `rest` is the text from that bullet on. */
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

/** A bullet that is no part of another one: whatever stands above it has no say in what stands below. */
const TOP_LEVEL = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;
const LONGEST_MARK = 12;

/** Of those that end before `end`, in a text that begins at `offset`; -1 where there is none. */
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

/** Where the text begins, in a file with frontmatter as Obsidian writes it. */
function frontmatterEnd(content: string): number {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(content)?.[0].length ?? 0;
}

export interface Section {
  readonly name: string;
  readonly start: number;
}

/** Headings from the top; the title, a first heading of level 1, is none. */
export function headingsOf(content: string, blocks: readonly Block[], isTitled: boolean): Section[] {
  const headings = blocks.filter(({ kind }) => kind === "heading");
  return headings
    .filter((block, index) => block.level > 1 || index > 0 || isTitled)
    .map((block) => ({ name: (bodyOf(content, block).split("\n", 1)[0] ?? "").trim(), start: block.start }));
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

/** A bullet that nothing was written behind yet. */
const EMPTY = /^[ \t]*(?:[-*+•‣◦–—]|\d{1,9}[.)])\s*$/;

function textOf(lines: string): string {
  return EMPTY.test(lines) ? "" : squeezed(lines.replace(MARKER, ""));
}

export function indentOf(content: string, start: number): number {
  return /^[ \t]*/.exec(content.slice(start, start + 40))?.[0].replaceAll("\t", "    ").length ?? 0;
}

export function lineEnd(content: string, offset: number): number {
  const newline = content.indexOf("\n", offset);
  return newline < 0 ? content.length : newline + 1;
}
