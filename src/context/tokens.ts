/** Estimates tokens. Cached, since most of a context is the same in the next turn. */
import { estimateTokenCount } from "tokenx";

const MOST_REMEMBERED = 1_000;
const MOST_CHARACTERS = 4_000_000;

const known = new Map<string, number>();
let characters = 0;

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
