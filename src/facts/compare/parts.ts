/** The parts of a sentence that can be values: its content words, with names, numbers and days marked as such. */
import { ARTICLES } from "../../core/language/function-words.ts";
import { languageOf } from "../../core/language/stop-words.ts";
import { contentWords, kindOf, tokensOf } from "./fact-words.ts";
import { FILLERS } from "./subjects.ts";

export interface Part {
  /** As `factWords` returns it; a name of several words is one part. */
  readonly word: string;
  readonly kind: "number" | "day" | "name" | "other";
  /** The word before it, except an article. */
  readonly after: string;
}

/** The content words of a sentence and its names. In German, every noun begins with a capital letter. */
export function partsOf(sentence: string): Part[] {
  const said = sentence.replace(SAYS_NO_MORE, " ");
  const hasNames = languageOf(tokensOf(said)) !== "german";
  const parts: Part[] = [];
  let after = "";
  let isInName = false;
  for (const [index, token] of said.split(/\s+/).entries()) {
    const isCapital = hasNames && index > 0 && /^[\p{Lu}]/u.test(token);
    const words = contentWords(token).filter((word) => !FILLERS.has(word));
    if (words.length === 0) isInName = false;
    for (const word of words) {
      const kind = kindOf(word) ?? (isCapital ? "name" : "other");
      const last = parts.at(-1);
      if (kind === "name" && isInName && last !== undefined)
        parts[parts.length - 1] = { ...last, word: `${last.word} ${word}` };
      else parts.push({ word, kind, after });
      isInName = kind === "name";
    }
    const [own = ""] = tokensOf(token);
    if (!ARTICLES.has(own)) after = own;
  }
  return parts;
}

/** They add nothing to a value: "Mia is 7 years old", "The weekly meeting takes place on Tuesdays", "until the end of March". */
const SAYS_NO_MORE =
  /(?<!\p{L})(?:years? old|jahre? alt|(?:dai|week|month)ly|takes? place|findet? .*statt|go(?:es)? out|the end of)(?!\p{L})/giu;
