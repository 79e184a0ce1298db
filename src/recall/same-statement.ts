/**
 * Decides whether two texts with similar vectors say the same. Vectors hardly distinguish 8080 from 8081, "is" from "is not", or
 * Ada from Bob. When in doubt both are shown: a duplicate costs a line, a missing text costs the answer.
 */

import { NUMBER_WORDS } from "../core/language/number-words.ts";
import { isStopWord } from "../core/language/stop-words.ts";
import { cjkBigrams, withoutCjk } from "../core/text/cjk.ts";
import { countInCommon } from "../util/text.ts";
import { wordSet } from "../util/word-lists.ts";

/** A number with its sign and unit, or a word with its inner dashes, dots and apostrophes. */
const TOKEN =
  /(?<![\p{L}\p{N}])[-+]?[$€£¥]?\d[\p{L}\p{N}]*(?:[.,:/-]\d+)*[%°]?|[\p{L}\p{M}\p{N}]+(?:['.-][\p{L}\p{M}\p{N}]+)*/gu;

const NUMBERS: ReadonlySet<string> = new Set(NUMBER_WORDS);

const NEGATIONS = wordSet(
  `no not never none nobody nothing neither nor cannot without dont doesnt didnt isnt arent wasnt werent cant couldnt
   wont wouldnt shouldnt hasnt havent hadnt nicht kein keine keinen keiner nie niemals pas jamais nunca`,
);

/** The minimum share of common words; texts that overlap less say different things. */
const LEAST_SHARED = 0.5;

interface Statement {
  readonly numbers: string;
  readonly negations: number;
  /** In lower case, without stop words. */
  readonly words: ReadonlySet<string>;
  /** The capitalized words, in order. */
  readonly names: readonly string[];
}

export function saysTheSame(a: string, b: string): boolean {
  // The embedding model may not read CJK at all, so its characters must be identical.
  if (cjkBigrams(a).join() !== cjkBigrams(b).join()) return false;
  const [one, other] = [statementOf(a), statementOf(b)];
  return (
    one.numbers === other.numbers &&
    one.negations === other.negations &&
    haveTheSameNames(one, other) &&
    haveEnoughInCommon(one.words, other.words)
  );
}

function statementOf(text: string): Statement {
  const numbers: string[] = [];
  const names: string[] = [];
  const words = new Set<string>();
  let negations = 0;
  for (const [token] of withoutCjk(text).replace(/[‘’]/g, "'").replace(/−/g, "-").matchAll(TOKEN)) {
    const word = token.toLowerCase().replace(/'s$/, "");
    if (/\d/.test(word) || NUMBERS.has(word)) numbers.push(word.replace(/,(?=\d{3})/g, ""));
    else if (NEGATIONS.has(word) || word.endsWith("n't")) negations++;
    else if (!isStopWord(word)) {
      words.add(word);
      if (/^\p{Lu}/u.test(token)) names.push(word);
    }
  }
  return { numbers: numbers.join(" "), negations, words, names };
}

/** A name in only one text, or names in another order ("Ada owes Bob"), make a different statement. */
function haveTheSameNames(a: Statement, b: Statement): boolean {
  if (a.names.some((name) => !b.words.has(name)) || b.names.some((name) => !a.words.has(name))) return false;
  const common = new Set(a.names.filter((name) => b.names.includes(name)));
  const order = ({ names }: Statement) => names.filter((name) => common.has(name)).join(" ");
  return order(a) === order(b);
}

function haveEnoughInCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = countInCommon(a, b);
  return shared >= LEAST_SHARED * (a.size + b.size - shared);
}
