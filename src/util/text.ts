/** Text helpers: strict UTF-8, line endings, nearest word. */

const BOM = "\uFEFF";

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes `bytes`, keeping a BOM; null if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

export function splitBom(text: string): [bom: string, rest: string] {
  return text.startsWith(BOM) ? [BOM, text.slice(1)] : ["", text];
}

export type Eol = "\n" | "\r\n";

/** The first line's ending; "\n" by default. */
export function eolOf(text: string): Eol {
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}

export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** Removes the middle of a text. The end says more than the beginning, so it gets two thirds of the length. */
export function withoutMiddle(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  const beginning = Math.floor(length / 3);
  return `${characters.slice(0, beginning).join("")} […] ${characters.slice(beginning - length).join("")}`;
}

/** "1 document", "2 documents". */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** The candidate most likely meant by `word`, or null. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = word.length < 3 ? 0 : Math.floor(word.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, substitutions and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(at(last, j) + 1, at(current, j - 1) + 1, substitution, swap));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}

/** "812 bytes", "3.1 KB", "20 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  const [size, unit] = bytes < 999_950 ? [bytes / 1e3, "KB"] : [bytes / 1e6, "MB"];
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size).toLocaleString("en")} ${unit}`;
}

/** "src/app.ts, 3.1 KB". */
export function fileInWords(path: string, bytes: number | null): string {
  return bytes === null ? path : `${path}, ${sizeInWords(bytes)}`;
}

/** "$0.02"; with four digits if it is less than a cent. */
export function dollars(amount: number): string {
  return `$${amount === 0 || amount >= 0.01 ? amount.toFixed(2) : amount.toFixed(4)}`;
}

/** Removes characters that move a terminal's cursor or change colours. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

const UNEVEN = /^\s|\s\s|[^\S ]|\s$/;

/** Collapses white space to one trimmed line. */
export function squeezed(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}

/** Safe to show in a table. */
export function oneLine(text: string): string {
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\s\s/.test(text)) return text;
  return withoutControls(text.replace(/\s+/g, " "));
}

/** Lower-case words in order, without punctuation. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

export function countInCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const word of a) if (b.has(word)) count++;
  return count;
}

/** The share of common words, from 0 to 1. */
export function shareInCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * countInCommon(a, b)) / (a.size + b.size);
}

/** Quotes it for a shell command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./\p{L}\p{N}-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "2026-11-15T20:17:47Z", as in frontmatter. */
export function isoSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The local calendar day of a time; anything else, including a plain date, is returned unchanged. */
export function localDay(time: string): string {
  const moment = /^\d{4}-\d\d-\d\d[T ]/.test(time) ? new Date(time) : null;
  if (moment === null || Number.isNaN(moment.getTime())) return time.slice(0, 10);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** "09:05", local time. */
export function localTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const MONTH_NAMES =
  "January February March April May June July August September October November December".split(" ");
export const WEEKDAY_NAMES = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** "Monday 8 May 2023", local time. Without Intl, which takes 10 ms to load. */
export function dayInWords(date: Date): string {
  return `${WEEKDAY_NAMES[date.getDay()]} ${date.getDate()} ${MONTH_NAMES[date.getMonth()]} ${date.getFullYear()}`;
}

/** Compares long texts this many characters at a time. */
const STRIDE = 4_096;

/** The length of the common prefix. */
export function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  if (a.length < b.length ? b.startsWith(a) : a.startsWith(b)) return most;
  let at = 0;
  while (at + STRIDE <= most && a.slice(at, at + STRIDE) === b.slice(at, at + STRIDE)) at += STRIDE;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

export function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
