/**
 * Splits a document into sections: a heading and the text up to the next, with its heading path. Tiny sections join the next one,
 * so that fifty one-line sections don't become fifty chunks.
 */
import { type Block, blocksOf, bodyOf } from "./markdown-blocks.ts";
import { plainInline } from "./plain-text.ts";
import { sizeOf } from "./split-text.ts";

/** A smaller section is too small to be found alone. */
export const TINY_TOKENS = 40;
/** Every chunk repeats its heading path, so long headings are truncated. */
const HEADING_LENGTH = 120;

export interface SizedBlock extends Block {
  readonly tokens: number;
}

interface Section {
  /** "Title > Section > Subsection". */
  readonly heading: string;
  readonly blocks: readonly SizedBlock[];
}

interface Heading {
  readonly level: number;
  readonly text: string;
}

interface Draft {
  readonly path: readonly Heading[];
  readonly level: number;
  readonly blocks: SizedBlock[];
  tokens: number;
}

export function sectionsOf(content: string, title: string): Section[] {
  const shownTitle = shorten(plainInline(title));
  return groups(drafts(content)).map((group) => ({
    heading: headingFor(pathOf(group), shownTitle),
    blocks: group.flatMap(({ blocks }) => blocks),
  }));
}

function drafts(content: string): Draft[] {
  const sections: Draft[] = [];
  let current: Draft = { path: [], level: 0, blocks: [], tokens: 0 };
  for (const block of blocksOf(content)) {
    const source = content.slice(block.start, block.end);
    const tokens = sizeOf(source);
    if (block.kind === "heading") {
      if (current.blocks.length > 0) sections.push(current);
      const heading = { level: block.level, text: shorten(plainInline(bodyOf(content, block))) };
      const above = current.path.filter(({ level }) => level < block.level);
      current = { path: [...above, heading], level: block.level, blocks: [], tokens: 0 };
    }
    current.blocks.push({ ...block, tokens });
    current.tokens += tokens;
  }
  if (current.blocks.length > 0) sections.push(current);
  return sections;
}

/** A group grows while it is tiny and the next section is a sibling or child. */
function groups(sections: readonly Draft[]): Draft[][] {
  const grouped: Draft[][] = [];
  let open: Draft[] = [];
  let tokens = 0;
  for (const section of sections) {
    const first = open[0];
    if (first !== undefined && tokens < TINY_TOKENS && section.level >= first.level) open.push(section);
    else {
      open = [section];
      tokens = 0;
      grouped.push(open);
    }
    tokens += section.tokens;
  }
  return grouped;
}

/** The path of the largest part: the last section unless it is tiny, else the common prefix. */
function pathOf(group: readonly Draft[]): readonly Heading[] {
  const last = group.at(-1);
  if (last === undefined) return [];
  if (last.tokens >= TINY_TOKENS) return last.path;
  const others = group.filter(({ path }) => !isPrefix(path, last.path));
  let shared = last.path.length;
  for (const { path } of others) {
    let same = 0;
    while (same < shared && path[same] === last.path[same]) same++;
    shared = same;
  }
  return last.path.slice(0, shared);
}

function isPrefix(path: readonly Heading[], of: readonly Heading[]): boolean {
  return path.every((heading, index) => heading === of[index]);
}

function headingFor(path: readonly Heading[], title: string): string {
  const parts = path.map(({ text }) => text).filter((text) => text !== "");
  const repeats = parts[0]?.toLowerCase() === title.toLowerCase();
  return [title, ...(repeats ? parts.slice(1) : parts)].filter((part) => part !== "").join(" > ");
}

function shorten(text: string): string {
  return text.length <= HEADING_LENGTH
    ? text
    : `${Array.from(text).slice(0, HEADING_LENGTH).join("").trimEnd()}…`;
}
