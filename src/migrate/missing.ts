/**
 * Finds bullets and other stretches of text that one Markdown file has and another lacks, with their headings, and appends them
 * to the other file.
 */

import { contentOf, parseMarkdown } from "../core/documents/frontmatter.ts";
import { bulletsOf, GENERAL } from "../core/facts/bullets.ts";
import { blocksOf, bodyOf } from "../core/text/markdown-blocks.ts";
import { eolOf, squeezed } from "../util/text.ts";

export interface Piece {
  /** A bullet's text, or the lines of other text. */
  readonly text: string;
  readonly isBullet: boolean;
  readonly category: string;
  readonly line: number;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]|\p{Extended_Pictographic}/u;

/** Headings aren't pieces: they belong to the pieces under them. */
export function piecesOf(content: string): Piece[] {
  const bullets = bulletsOf(content);
  const body = contentOf(parseMarkdown(content));
  const from = content.length - body.length;
  let category = GENERAL;
  const others: Piece[] = [];
  for (const [index, block] of blocksOf(content).entries()) {
    const { kind, level, start, end, line } = block;
    const text = content.slice(start, end);
    if (kind === "heading" && (level > 1 || index > 0)) category = nameOf(bodyOf(content, block));
    const isBullet = bullets.some((bullet) => start >= bullet.start && start < bullet.end);
    const isParent = kind === "item" && squeezed(text).endsWith(":");
    if (kind === "heading" || isBullet || isParent || start < from || !SAYS_SOMETHING.test(text)) continue;
    others.push({ text: text.trimEnd(), isBullet: false, category, line });
  }
  const own = bullets.map(({ text, category: under, line }) => ({
    text,
    isBullet: true,
    category: under,
    line,
  }));
  return [...own, ...others].sort((a, b) => a.line - b.line);
}

function nameOf(heading: string): string {
  const name = (heading.split("\n", 1)[0] ?? "").trim();
  return name === "" ? GENERAL : name;
}

/** A file's pieces in the form used for comparison. */
export function textsOf(content: string): Set<string> {
  return new Set(piecesOf(content).flatMap((piece) => (piece.isBullet ? [] : [squeezed(piece.text)])));
}

/** Appends the pieces under one heading, with their own headings below it. */
export function withPieces(content: string, pieces: readonly Piece[], heading: string): string {
  const eol = eolOf(content);
  const categories = [...new Set(pieces.map(({ category }) => category))].sort((a, b) =>
    a === GENERAL ? -1 : b === GENERAL ? 1 : 0,
  );
  const parts = categories.flatMap((category) => [
    ...(category === GENERAL ? [] : [`### ${category}`]),
    ...groups(pieces.filter((piece) => piece.category === category)),
  ]);
  const added = [`## ${heading}`, ...parts].join("\n\n").replaceAll("\r\n", "\n").replaceAll("\n", eol);
  return content.trim() === "" ? `${added}${eol}` : `${content.trimEnd()}${eol}${eol}${added}${eol}`;
}

/** Consecutive bullets form one list. */
function groups(pieces: readonly Piece[]): string[] {
  const printed: string[] = [];
  let isList = false;
  for (const { text, isBullet } of pieces) {
    if (isBullet && isList) printed.push(`${printed.pop()}\n- ${text}`);
    else printed.push(isBullet ? `- ${text}` : text);
    isList = isBullet;
  }
  return printed;
}
