/** Estimates tokens. Cached, since most of a context is the same in the next turn. */
import { estimateTokenCount } from "tokenx";

const MOST_REMEMBERED = 1_000;
const MOST_CHARACTERS = 4_000_000;

const known = new Map<string, number>();
let characters = 0;

/** Characters per token at most. */
const LONGEST_TOKEN = 8;

/** The tokens of a text if they are at most `most`; otherwise about as many, estimated from its beginning, since that is faster. */
export function tokensUpTo(most: number, text: string): number {
  const beginning = text.slice(0, (most + 1) * LONGEST_TOKEN);
  const tokens = tokensOf(beginning);
  if (beginning.length === text.length || tokens <= most) return tokensOf(text);
  return Math.ceil((tokens * text.length) / beginning.length);
}

export function tokensOf(text: string): number {
  const remembered = known.get(text);
  if (remembered !== undefined) return remembered;
  const tokens = estimateTokenCount(text);
  if (known.size >= MOST_REMEMBERED || characters + text.length > MOST_CHARACTERS) {
    known.clear();
    characters = 0;
  }
  known.set(text, tokens);
  characters += text.length;
  return tokens;
}
