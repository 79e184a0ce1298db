/**
 * Chinese, Japanese and Korean without a dictionary. FTS5's unicode61 treats a run of these characters as one word, so nothing
 * inside it would match; overlapping bigrams match anywhere.
 */

/** Long-vowel marks belong to no script; sound marks combine. A radical (⺀) is a symbol, not a word. */
const CJK = String.raw`(?:(?!\p{S})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ーｰ\u3099\u309a])`;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const CJK_CHARACTER = new RegExp(CJK, "u");
const CJK_RUN = new RegExp(`${CJK}+`, "gu");

/** CJK runs as overlapping bigrams ("机器学习": 机器 器学 学习); a single character stays as it is. */
export function cjkBigrams(text: string): string[] {
  if (!hasCjk(text)) return [];
  const pairs: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(CJK_RUN)) {
    let previous = "";
    let single = true;
    for (const character of run) {
      if (previous !== "") {
        pairs.push(previous + character);
        single = false;
      }
      previous = character;
    }
    if (single) pairs.push(previous);
  }
  return pairs.filter((pair) => SAYS_SOMETHING.test(pair));
}

/** The indexed terms: bigrams, plus the last character of each run, so that every character starts a term. */
export function cjkTerms(text: string): string[] {
  if (!hasCjk(text)) return [];
  const ends = Array.from(text.normalize("NFKC").matchAll(CJK_RUN), ([run]) => Array.from(run).at(-1) ?? "");
  return [...cjkBigrams(text), ...ends];
}

/** Chinese and Japanese function words, whose bigrams would match everywhere. */
const FUNCTION_WORDS =
  /什么时候|为什么|什么|怎么样|怎样|怎么|哪里|哪儿|哪个|哪些|哪|多少|多久|几点|有没有|是不是|我们|你们|他们|她们|吗|呢|吧|的|了|是|我|你|他|她|いつ|どこ|だれ|誰|なに|なぜ|どう|ですか|ますか|です|ます|ました|の|は|を|が|に|で|と/gu;

/** The content bigrams of a question; all bigrams if nothing else is left. */
export function cjkQueryBigrams(text: string): string[] {
  if (!hasCjk(text)) return [];
  const telling = cjkBigrams(text.replace(FUNCTION_WORDS, " "));
  return [...new Set(telling.length > 0 ? telling : cjkBigrams(text))];
}

/** The share of CJK in the text, from 0 to 1, ignoring white space. */
export function cjkShare(text: string): number {
  const all = text.replace(/\s+/g, "").length;
  return all === 0 ? 0 : (all - withoutCjk(text).replace(/\s+/g, "").length) / all;
}

export function hasCjk(text: string): boolean {
  return CJK_CHARACTER.test(text);
}

/** Replaces CJK runs by spaces, for tokenizers that split at spaces. */
export function withoutCjk(text: string): string {
  return hasCjk(text) ? text.replace(CJK_RUN, " ") : text;
}
