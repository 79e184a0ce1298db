/**
 * Splits oversized text at lines, then sentences, then words, then characters. Sizes are `tokenx` estimates; text without white
 * space is cut by its average density, again if that was wrong.
 */
import { estimateTokenCount } from "tokenx";
import { sentencesOf } from "./sentences.ts";

/** A range of the text. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

interface Position {
  readonly start: number;
  readonly end: number;
}

/** Shorter texts are counted together, since each call has a fixed cost. */
const COUNTED_TOGETHER = 80;
/** Longer texts are sampled; their parts are counted in full. */
const SAMPLED_ABOVE = 20_000;
const SAMPLE = 1_000;
const SAMPLE_EVERY = 10_000;

/** White space has no tokens, but a chunk must not be a megabyte of it. */
const MOST_PER_TOKEN = 32;

/** Estimates the tokens of a text. */
export function sizeOf(text: string): number {
  return Math.max(estimatedTokens(text), Math.ceil(text.length / MOST_PER_TOKEN));
}

function estimatedTokens(text: string): number {
  if (text.length <= SAMPLED_ABOVE) return estimateTokenCount(text);
  let tokens = 0;
  let read = 0;
  for (let at = 0; at < text.length; at += SAMPLE_EVERY) {
    const sample = text.slice(at, at + SAMPLE);
    tokens += estimateTokenCount(sample);
    read += sample.length;
  }
  return Math.ceil((tokens * text.length) / read);
}

/** Parts of about `target` tokens, none above `limit`; a line up to `limit` stays whole. */
export function cutAtLines(text: string, start: number, end: number, target: number, limit: number): Part[] {
  const lines: Position[] = [];
  for (let from = start; from < end; ) {
    const newline = text.indexOf("\n", from);
    const next = newline === -1 || newline > end ? end : newline;
    const to = text[next - 1] === "\r" ? next - 1 : next;
    if (text.slice(from, to).trim() !== "") lines.push({ start: from, end: to });
    from = next + 1;
  }
  const parts = counted(text, lines).flatMap((line) =>
    line.tokens > limit ? cutAtSentences(text, line, target, limit) : [line],
  );
  return gathered(parts, target);
}

function cutAtSentences(text: string, line: Part, target: number, limit: number): Part[] {
  const sentences = sentencesOf(text.slice(line.start, line.end)).map(({ start, end }) => ({
    start: line.start + start,
    end: line.start + end,
  }));
  const parts = counted(text, sentences).flatMap((sentence) =>
    sentence.tokens > limit ? cutAtWords(text, sentence, target) : [sentence],
  );
  return gathered(parts, target);
}

function counted(text: string, places: readonly Position[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < places.length; at++) {
    const start = places[at]?.start ?? 0;
    while (at + 1 < places.length && (places[at + 1]?.end ?? 0) - start < COUNTED_TOGETHER) at++;
    const end = places[at]?.end ?? start;
    parts.push({ start, end, tokens: sizeOf(text.slice(start, end)) });
  }
  return parts;
}

/** Parts of at most 1.5 times `target`, cut at white space, else at punctuation. */
export function cutAtWords(text: string, part: Part, target: number): Part[] {
  const { start, end, tokens } = part;
  if (tokens <= target * 1.5 || end - start < 2) return [part];
  const length = Math.max(1, Math.ceil((end - start) / Math.ceil(tokens / target)));
  const parts: Part[] = [];
  for (let from = start; from < end; ) {
    const to = from + length >= end ? end : cutBefore(text, from, from + length);
    const piece = { start: from, end: to, tokens: sizeOf(text.slice(from, to)) };
    if (to - from < end - start) parts.push(...cutAtWords(text, piece, target));
    else parts.push(piece);
    from = to;
  }
  return parts;
}

const SPACE = /\s/;
const PUNCTUATION = /[,;:{}[\]()<>|&/.，、；：]/;

/** A good cut in the second half, at or before `most`; never inside a character. */
function cutBefore(text: string, from: number, most: number): number {
  const least = from + Math.ceil((most - from) / 2);
  for (const boundary of [SPACE, PUNCTUATION])
    for (let at = most; at > least; at--) if (boundary.test(text[at - 1] ?? "")) return at;
  const code = text.charCodeAt(most);
  const splitsPair = code >= 0xdc00 && code <= 0xdfff && isHigh(text.charCodeAt(most - 1));
  return splitsPair ? (most - 1 > from ? most - 1 : most + 1) : most;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Joins neighbours while they fit. */
function gathered(parts: readonly Part[], target: number): Part[] {
  const joined: { start: number; end: number; tokens: number }[] = [];
  for (const { start, end, tokens } of parts) {
    const last = joined.at(-1);
    if (last !== undefined && last.tokens + tokens <= target) {
      last.end = end;
      last.tokens += tokens;
    } else joined.push({ start, end, tokens });
  }
  return joined;
}
