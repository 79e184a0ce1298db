/**
 * Chinese, Japanese and Korean without a dictionary. FTS5's unicode61 takes a whole run of such characters for one word,
 * so nothing inside it would be found; overlapping pairs are found wherever they stand, and need no word list.
 */

/** The long-vowel marks belong to no script of their own; the sound marks combine. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ーｰ\u3099\u309a]`;
const CJK_CHARACTER = new RegExp(CJK, "u");
const CJK_RUN = new RegExp(`${CJK}+`, "gu");

/** Runs of CJK characters as overlapping pairs ("机器学习": 机器 器学 学习), a lone character as itself. */
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
  return pairs;
}

export function hasCjk(text: string): boolean {
  return CJK_CHARACTER.test(text);
}

/** The text with its CJK runs replaced by spaces: what is left for a tokenizer that cuts at spaces. */
export function withoutCjk(text: string): string {
  return hasCjk(text) ? text.replace(CJK_RUN, " ") : text;
}
