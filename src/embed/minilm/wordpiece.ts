/**
 * BERT's tokenizer, identical to the reference (Hugging Face's BertNormalizer, BertPreTokenizer and WordPiece): drop controls,
 * lower case, strip accents, split at spaces and around punctuation, then cover each word with the longest pieces in the
 * vocabulary. Works on one run of non-space at a time, so that a long text costs no more than the tokens the model can take.
 */
import type { Vocabulary } from "./vocabulary.ts";

const RUNS = /[^ \t\n\r]+/g;
const ASCII_WORD = /^[A-Za-z0-9]+$/;
const ASCII = /^[\x20-\x7e]*$/;
const ASCII_PARTS = /[a-z0-9]+|[!-/:-@[-`{-~]/g;
/** Special token names in a text stand for the tokens themselves, as in the reference. */
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const LONGEST_WORD = 100;

export class WordPiece {
  private readonly unknown: number;
  private readonly start: number;
  private readonly end: number;

  constructor(private readonly vocabulary: Vocabulary) {
    this.unknown = vocabulary.idOf("[UNK]");
    this.start = vocabulary.idOf("[CLS]");
    this.end = vocabulary.idOf("[SEP]");
  }

  /** The text's ids between [CLS] and [SEP], at most `limit` in total. */
  encode(text: string, limit: number): number[] {
    const ids = [this.start];
    for (const [run] of text.matchAll(RUNS)) {
      if (ids.length >= limit) break;
      this.encodeRun(run, ids);
    }
    ids.length = Math.min(ids.length, limit - 1);
    ids.push(this.end);
    return ids;
  }

  private encodeRun(run: string, ids: number[]): void {
    if (ASCII_WORD.test(run)) {
      this.encodeWord(run.toLowerCase(), ids);
      return;
    }
    for (const [index, part] of run.split(SPECIAL).entries()) {
      if (index % 2 === 1) ids.push(this.vocabulary.idOf(part));
      else for (const word of bertWords(part)) this.encodeWord(word, ids);
    }
  }

  private encodeWord(word: string, ids: number[]): void {
    const before = ids.length;
    if (word.length <= LONGEST_WORD || [...word].length <= LONGEST_WORD) {
      let at = 0;
      while (at < word.length) {
        const id = this.vocabulary.longestAt(word, at);
        if (id < 0) break;
        ids.push(id);
        at += this.vocabulary.lengthOf(id);
      }
      if (at === word.length) return;
    }
    ids.length = before;
    ids.push(this.unknown);
  }
}

function bertWords(run: string): string[] {
  if (ASCII.test(run)) return run.toLowerCase().match(ASCII_PARTS) ?? [];
  // Loaded lazily, since most texts don't need these tables.
  const { accents, dropped, ideographs, punctuation } =
    require("./bert-characters.ts") as typeof import("./bert-characters.ts");
  return (
    run
      .toWellFormed()
      .replace(dropped, "")
      .replace(ideographs, " $& ")
      .normalize("NFD")
      .replace(accents, "")
      // A final sigma becomes a plain one: the reference works character by character.
      .replaceAll("Σ", "σ")
      .toLowerCase()
      .replace(punctuation, " $& ")
      .split(/\s+/)
      .filter((word) => word !== "")
  );
}
