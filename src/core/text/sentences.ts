/**
 * Splits text into sentences: a linear scanner, not a grammar. In doubt it does not split, since two sentences in one passage
 * cost less than one split at "e.g.".
 */

interface Sentence {
  readonly start: number;
  readonly end: number;
}

const STOP = /[.!?…]+|[。！？｡]+|\n/g;
const CLOSERS = "\"'”’»)]*_`";
const CJK_CLOSERS = "」』）】”’\"'";

/** Abbreviations whose full stop does not end a sentence; lower case. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `e.g eg i.e ie cf vs viz approx ca etc al mr mrs ms dr prof sr jr st rev gen col capt lt sgt hon fig figs eq sec ch vol
   pp ed eds inc ltd co corp dept est min max avg u.s u.k e.u a.m p.m ph.d b.c a.d jan feb mar apr jun jul aug sep sept oct okt
   nov dec dez mon tue wed thu fri z.b d.h u.a o.ä bzw usw nr str bspw evtl ggf p.ej art`.split(/\s+/),
);
/** Abbreviations that often end a sentence: a capital after them starts a new one. */
const OFTEN_LAST: ReadonlySet<string> = new Set(["etc", "usw", "a.m", "p.m", "inc", "ltd", "co", "corp"]);

/** German writes "3." for "3rd", before a month and after an article. "I am 30." is English. */
const MONTH =
  /^\s+(?:jan(?:uar)?|jän(?:ner)?|feb(?:ruar)?|märz?|apr(?:il)?|mai|juni?|juli?|aug(?:ust)?|sept?(?:ember)?|okt(?:ober)?|nov(?:ember)?|dez(?:ember)?)(?!\p{L})/iu;
const ARTICLE = /(?<!\p{L})(?:(?<!(?<!\p{L})i\s)am|im|vom|zum|zur|beim|der|die|das|dem|den|des)\s+\d+$/iu;

/** The sentences in order, covering everything but the white space between them. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = skipSpace(text, 0);
  for (const match of text.matchAll(STOP)) {
    if (match.index < start) continue;
    const end = endAt(text, match.index, match[0]);
    if (end === -1 || end <= start) continue;
    sentences.push({ start, end });
    start = skipSpace(text, end);
  }
  let last = text.length;
  while (last > start && isSpace(text, last - 1)) last--;
  if (last > start) sentences.push({ start, end: last });
  return sentences;
}

/** The end of the sentence that these marks close, or -1. */
function endAt(text: string, index: number, marks: string): number {
  if (marks === "\n") return opensItem(text, index + 1) ? index : -1;
  const after = index + marks.length;
  if (marks >= "。") return skip(text, after, CJK_CLOSERS);
  const end = skip(text, after, CLOSERS);
  if (end < text.length && !isSpace(text, end)) return -1;
  const next = text[skipSpace(text, end)] ?? "";
  if (marks === ".") return isAbbreviation(text, index, next) ? -1 : end;
  return /\p{Ll}/u.test(next) ? -1 : end;
}

/** A blank line, a list item, a table row, a quote or a heading follows. */
function opensItem(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
  const head = text.slice(at, at + 12);
  return head === "" || head[0] === "\n" || /^(?:[-*+|>#]|\d{1,9}[.)][ \t])/.test(head);
}

function isAbbreviation(text: string, index: number, next: string): boolean {
  const before = text.slice(Math.max(0, index - 12), index);
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? "";
  if (word === "") return false;
  if (/^\d{1,3}$/.test(word))
    return (
      isLineStart(text, index - word.length) ||
      ARTICLE.test(before) ||
      MONTH.test(text.slice(index + 1, index + 14))
    );
  if (/^\p{Lu}$/u.test(word)) return next !== "";
  const lower = word.toLowerCase();
  if (lower === "no" || lower === "p") return /\d/.test(next);
  if (!ABBREVIATIONS.has(lower)) return false;
  return !(OFTEN_LAST.has(lower) && (next === "" || /\p{Lu}/u.test(next)));
}

/** "1." in front of a list item. */
function isLineStart(text: string, index: number): boolean {
  let at = index - 1;
  while (text[at] === " " || text[at] === "\t") at--;
  return at < 0 || text[at] === "\n";
}

function skip(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text[at] ?? "")) at++;
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text, at)) at++;
  return at;
}

function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0xfeff;
}
