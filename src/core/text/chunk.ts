/**
 * Splits a document into searchable chunks along its structure: a cut between sections costs nothing, a cut inside a table or
 * code costs its meaning. A chunk is a verbatim range of the document, so it can be shown and located by line.
 */

import type { BlockKind } from "./markdown-blocks.ts";
import { type SizedBlock, sectionsOf, TINY_TOKENS } from "./sections.ts";
import { sentencesOf } from "./sentences.ts";
import { cutAtLines, sizeOf } from "./split-text.ts";

export { passagesOf } from "./passages.ts";

export interface Chunk {
  /** "Title > Section > Subsection", also searched and embedded. */
  readonly heading: string;
  /** The document's Markdown; a split table repeats its header. */
  readonly text: string;
  /** 1-based first line within the content. */
  readonly line: number;
}

const TARGET_TOKENS = 400;
const OVERLAP_TOKENS = 80;
/** Blocks up to this size stay whole. */
const LIMIT_TOKENS = 3 * TARGET_TOKENS;
/** The longest run of white space inside a chunk. */
const LONGEST_GAP = 10_000;
/** A larger header is not repeated. */
const LONGEST_TABLE_HEADER = 100;

const PROSE: ReadonlySet<BlockKind> = new Set(["heading", "text", "item"]);

/** An indivisible unit: a block, or a list item with its content, under its headings. */
interface Unit {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly tokens: number;
  /** May partly repeat at the start of the next chunk. */
  readonly isProse: boolean;
  /** Prepended if a chunk starts here. */
  readonly header: string;
}

export function chunkMarkdown(content: string, title: string): Chunk[] {
  return sectionsOf(content, title).flatMap(({ heading, blocks }) =>
    packed(content, unitsOf(content, blocks)).flatMap(({ start, end, line, header }) => {
      const text = content.slice(start, end);
      return text.trim() === "" ? [] : [{ heading, text: header + text, line }];
    }),
  );
}

function unitsOf(content: string, blocks: readonly SizedBlock[]): Unit[] {
  const units: Unit[] = [];
  let at = 0;
  while (at < blocks.length) {
    const first = at;
    while (isHeading(blocks[at])) at++;
    const body = at;
    at++;
    while (blocks[at]?.attached === true && blocks[at]?.kind !== "heading") at++;
    units.push(...underHeadings(blocks.slice(first, body), bodyUnits(content, blocks.slice(body, at))));
  }
  return units;
}

/** An oversized heading is ordinary text. */
function isHeading(block: SizedBlock | undefined): boolean {
  return block?.kind === "heading" && block.tokens <= LIMIT_TOKENS;
}

/** A list item with its content if that fits, else block by block. */
function bodyUnits(content: string, blocks: readonly SizedBlock[]): Unit[] {
  const whole = join(blocks.map(unitOf));
  if (whole !== null && whole.tokens <= TARGET_TOKENS) return [whole];
  return blocks.flatMap((block) => (block.tokens > LIMIT_TOKENS ? cut(content, block) : [unitOf(block)]));
}

/** A heading never ends a chunk without the text below it. */
function underHeadings(headings: readonly SizedBlock[], body: readonly Unit[]): Unit[] {
  const [first, ...others] = body;
  const units = first === undefined ? headings.map(unitOf) : [...headings.map(unitOf), first];
  const whole = join(units);
  return whole === null ? [...units, ...others] : [whole, ...others];
}

function unitOf({ kind, start, end, line, tokens }: SizedBlock): Unit {
  return { start, end, line, tokens, isProse: PROSE.has(kind), header: "" };
}

/** null if there are none, or if they are too far apart. */
function join(units: readonly Unit[]): Unit | null {
  const [first] = units;
  const last = units.at(-1);
  const isTorn = units.some(
    (unit, index) => unit.start - (units[index - 1]?.end ?? unit.start) > LONGEST_GAP,
  );
  if (first === undefined || last === undefined || isTorn) return null;
  const tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
  return { ...first, end: last.end, tokens, isProse: units.every((unit) => unit.isProse) };
}

function cut(content: string, block: SizedBlock): Unit[] {
  const unit = unitOf(block);
  const header = block.kind === "table" ? tableHeader(content, block) : "";
  const target = TARGET_TOKENS - (header === "" ? 0 : sizeOf(header));
  let line = block.line;
  let counted = block.start;
  return cutAtLines(content, block.start, block.end, target, LIMIT_TOKENS).map((part, index) => {
    line += newlines(content, counted, part.start);
    counted = part.start;
    return { ...unit, ...part, line, header: index === 0 ? "" : header };
  });
}

/** The first two lines, with their line endings. */
function tableHeader(content: string, { start, end }: SizedBlock): string {
  const second = content.indexOf("\n", content.indexOf("\n", start) + 1) + 1;
  const header = content.slice(start, second);
  return second > end || sizeOf(header) > LONGEST_TABLE_HEADER ? "" : header;
}

interface Position {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly header: string;
}

/** Packs units into chunks of about the target size; tiny first and last ones join their neighbours. */
function packed(content: string, units: readonly Unit[]): Position[] {
  const places: Position[] = [];
  let group: Unit[] = [];
  let repeated: Overlap | null = null;
  let tokens = 0;
  let left = units.reduce((sum, unit) => sum + unit.tokens, 0);
  const close = () => {
    const whole = join(group);
    if (whole !== null) places.push({ ...whole, ...(repeated ?? {}), end: whole.end });
  };
  for (const unit of units) {
    const own = tokens - (repeated?.tokens ?? 0);
    const isFar = unit.start - (group.at(-1)?.end ?? unit.start) > LONGEST_GAP;
    const isFull = own >= TINY_TOKENS && tokens + unit.tokens > TARGET_TOKENS && left > TINY_TOKENS;
    if (isFar || isFull) {
      close();
      const fits = !isFar && unit.tokens <= TARGET_TOKENS && unit.header === "";
      repeated = fits ? overlapOf(content, group) : null;
      group = [];
      tokens = repeated?.tokens ?? 0;
    }
    group.push(unit);
    tokens += unit.tokens;
    left -= unit.tokens;
  }
  close();
  return places;
}

interface Overlap {
  readonly start: number;
  readonly line: number;
  readonly tokens: number;
}

/** The start of the next chunk if it repeats the last units or sentences of this one, or null. */
function overlapOf(content: string, group: readonly Unit[]): Overlap | null {
  let overlap: Overlap | null = null;
  for (let at = group.length - 1; at >= 0; at--) {
    const unit = group[at];
    if (unit === undefined) break;
    const tokens: number = (overlap?.tokens ?? 0) + unit.tokens;
    if (tokens > OVERLAP_TOKENS || at === 0) return overlap ?? lastSentences(content, unit);
    overlap = { start: unit.start, line: unit.line, tokens };
  }
  return overlap;
}

function lastSentences(content: string, unit: Unit): Overlap | null {
  if (!unit.isProse) return null;
  const text = content.slice(unit.start, unit.end);
  const sentences = sentencesOf(text);
  let overlap: Overlap | null = null;
  for (let at = sentences.length - 1; at > 0; at--) {
    const { start, end } = sentences[at] ?? { start: 0, end: 0 };
    const tokens: number = (overlap?.tokens ?? 0) + sizeOf(text.slice(start, end));
    if (tokens > OVERLAP_TOKENS) break;
    overlap = { start: unit.start + start, line: unit.line + newlines(text, 0, start), tokens };
  }
  return overlap;
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
