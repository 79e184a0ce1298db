/**
 * Splits a chunk into passages to embed. One vector of a long text says little about each sentence, so a chunk gets a vector per
 * few sentences, each prefixed by its headings.
 */
import { squeezed } from "../../util/text.ts";
import { blocksOf, bodyOf, codeLinesOf, isTableRule } from "./markdown-blocks.ts";
import { plainDefinition, plainInline } from "./plain-text.ts";
import { sentencesOf } from "./sentences.ts";
import { cutAtWords, sizeOf } from "./split-text.ts";

/** Passage sizes in tokens. */
interface Cut {
  /** A chunk up to this size is a single passage. */
  readonly whole: number;
  readonly passage: number;
  /** A smaller remainder joins the previous passage. */
  readonly rest: number;
}

/** A message says several things, so its passages are a sentence or two (docs/benchmarks.md); a document keeps to its subject. */
const SPOKEN: Cut = { whole: 25, passage: 18, rest: 6 };
const WRITTEN: Cut = { whole: 80, passage: 60, rest: 15 };
export const MOST_PASSAGES = 16;
/** The last parts of the heading path, each up to this many characters. */
const HEADING_PARTS = 2;
const HEADING_PART_LENGTH = 60;

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const ENDED = /[^\p{L}\p{N}]$/u;
const PREFIX = /^[ \t]*(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)/;

/** At least one passage for non-blank text; none is empty. */
export function passagesOf(heading: string, text: string, isSpoken = false): string[] {
  const cut = isSpoken ? SPOKEN : WRITTEN;
  const parts = heading.split(" > ").filter((part) => part.trim() !== "");
  const prefix = parts
    .slice(-HEADING_PARTS)
    .map((part) => shorten(part, HEADING_PART_LENGTH))
    .join(" > ");
  const said = sentencesIn(text, new Set(parts), cut);
  if (said.length === 0) {
    const rest = SAYS_SOMETHING.test(text) ? "" : text.trim();
    return [prefix, rest].every((part) => part === "") ? [] : [joined(prefix, rest)];
  }
  return grouped(said, cut).map((passage) => joined(prefix, passage));
}

function joined(prefix: string, passage: string): string {
  return prefix === "" || passage === "" ? prefix + passage : `${prefix}: ${passage}`;
}

interface Said {
  readonly text: string;
  readonly tokens: number;
}

/** Headings that are not in the prefix precede the text below them. */
function sentencesIn(markdown: string, known: ReadonlySet<string>, cut: Cut): Said[] {
  const sentences: Said[] = [];
  let heading = "";
  const say = (text: string) => {
    if (!SAYS_SOMETHING.test(text)) return;
    const whole = heading === "" ? text : `${heading}: ${text}`;
    heading = "";
    sentences.push(...short(whole, cut));
  };
  for (const block of blocksOf(markdown)) {
    const source = markdown.slice(block.start, block.end);
    if (block.kind === "heading") {
      const title = plainInline(bodyOf(markdown, block));
      if (!known.has(title)) heading = heading === "" ? title : `${heading}: ${title}`;
    } else if (block.kind === "code") {
      // A language name alone says nothing.
      if (/\s/.test(block.info)) say(block.info);
      for (const line of codeLinesOf(markdown, block)) say(squeezed(line));
    } else if (block.kind === "table") for (const row of tableRows(source)) say(row);
    else {
      const plain = plainParagraph(source);
      for (const { start, end } of sentencesOf(plain)) say(plain.slice(start, end));
    }
  }
  if (heading !== "") sentences.push(...short(heading, cut));
  return sentences;
}

/** Splits a sentence that is too long for a passage. */
function short(text: string, { whole, passage }: Cut): Said[] {
  const tokens = sizeOf(text);
  if (tokens <= whole) return [{ text, tokens }];
  return cutAtWords(text, { start: 0, end: text.length, tokens }, passage).map((part) => ({
    text: text.slice(part.start, part.end).trim(),
    tokens: part.tokens,
  }));
}

function tableRows(source: string): string[] {
  return source
    .split("\n")
    .filter((row) => !isTableRule(row))
    .map((row) => plainInline(row).split("|"))
    .map((cells) =>
      cells
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
        .join(", "),
    );
}

/** Joins the lines of a paragraph; definitions and list lines in a quote stay separate. */
function plainParagraph(source: string): string {
  const lines = source.split("\n").map((line) => {
    const definition = plainDefinition(line);
    if (definition !== null) return `${definition}\n\n`;
    const bare = line.replace(PREFIX, "");
    return bare.replace(PREFIX, "");
  });
  return lines
    .join("\n")
    .split(/\n{2,}/)
    .map(plainInline)
    .join("\n\n");
}

/** Groups neighbours up to the passage size, or larger if there would be too many. */
function grouped(said: readonly Said[], { whole, passage, rest }: Cut): string[] {
  const total = said.reduce((sum, { tokens }) => sum + tokens, 0);
  let budget = total <= whole ? whole : Math.max(passage, total / MOST_PASSAGES);
  let groups = groupsOf(said, total, budget, rest);
  while (groups.length > MOST_PASSAGES) {
    budget *= 1.2;
    groups = groupsOf(said, total, budget, rest);
  }
  return groups.map(sentencesJoined);
}

function groupsOf(said: readonly Said[], total: number, budget: number, rest: number): string[][] {
  const groups: string[][] = [];
  let tokens = 0;
  let left = total;
  for (const sentence of said) {
    const last = groups.at(-1);
    if (last === undefined || (tokens + sentence.tokens > budget && left > rest)) {
      groups.push([sentence.text]);
      tokens = sentence.tokens;
    } else {
      last.push(sentence.text);
      tokens += sentence.tokens;
    }
    left -= sentence.tokens;
  }
  return groups;
}

/** List items and code lines have no end mark; a full stop separates them. */
function sentencesJoined(sentences: readonly string[]): string {
  const last = sentences.length - 1;
  return sentences
    .map((text, index) => (index < last && !ENDED.test(text.slice(-2)) ? `${text}.` : text))
    .join(" ");
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join("");
}
