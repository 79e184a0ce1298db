/** Text leaves: strict UTF-8, line endings, nearest word. */

const BOM = "\uFEFF";

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of `bytes`, a leading BOM kept; null where they are not valid UTF-8. */
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

/** The line ending of the first line; "\n" where there is none. */
export function eolOf(text: string): Eol {
  const newline = text.indexOf("\n");
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}

export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** Shortens a text in the middle. How it begins says less than how it ends, and gets a third of the room. */
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

/** The candidate that `word` was most likely meant to be, or null when none is near. */
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

/** Letters left out, added, mistaken, or two neighbours swapped. */
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

/** Without the characters that move a terminal's cursor or change its colours. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

const UNEVEN = /^\s|\s\s|[^\S ]|\s$/;

/** On one line, without white space around it. */
export function squeezed(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}

/** Safe to show in a table. */
export function oneLine(text: string): string {
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\s\s/.test(text)) return text;
  return withoutControls(text.replace(/\s+/g, " "));
}

/** In lower case, in their order, without what stands between them. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** As one word of a shell's command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./\p{L}\p{N}-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** "2026-11-15T20:17:47Z": as spec 002 writes times. */
export function isoSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The calendar day of a moment where the reader is; a plain date, or anything else, as it is. */
export function localDay(time: string): string {
  const moment = /^\d{4}-\d\d-\d\d[T ]/.test(time) ? new Date(time) : null;
  if (moment === null || Number.isNaN(moment.getTime())) return time.slice(0, 10);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** "09:05", where the reader is. */
export function localTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** "Monday 8 May 2023", where the reader is. Not by way of Intl, which takes 10 ms to wake up. */
export function dayInWords(date: Date): string {
  return `${WEEKDAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** Long texts are compared by so many characters at once. */
const STRIDE = 4_096;

/** How many characters two texts begin with alike. */
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
