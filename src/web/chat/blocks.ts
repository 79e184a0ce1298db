/** Splits a growing Markdown text into blocks. Finished blocks stay the same, so that only the end is parsed for each piece. */
import { lexer } from "marked";

export interface Blocks {
  readonly text: string;
  readonly finished: readonly string[];
  /** The end, which may still change. */
  readonly rest: string;
}

export const NO_BLOCKS: Blocks = { text: "", finished: [], rest: "" };

/** `before` are the blocks of an earlier state of the text. */
export function grownBlocks(text: string, before: Blocks): Blocks {
  if (text === before.text) return before;
  const { text: known, finished, rest } = text.startsWith(before.text) ? before : NO_BLOCKS;
  const end = rest + text.slice(known.length);
  const blocks = lexer(end).map(({ raw }) => raw);
  // The lexer may normalise what it read; then the text isn't split.
  if (blocks.join("") !== end) return { text, finished, rest: end };
  // A list or a paragraph may continue after a blank line, so the last two blocks stay open.
  const kept = blocks.slice(0, -2);
  return { text, finished: [...finished, ...kept], rest: blocks.slice(-2).join("") };
}
