/**
 * Finds private text: from `<private>` to its `</private>`, or to the end of the text if that is missing. Tags may have any case,
 * attributes and spacing, and may nest. In fenced and indented code, where people paste what they want to hide, only a tag with
 * its `</private>` counts: `List<Private>` hides nothing. In inline code and after a backslash, no tag counts.
 */
import { VisibleText } from "../marks/visible.ts";
import { linesOf } from "../text/markdown.ts";

const TAG = /(?<!\\)<[ \t]*(\/?)[ \t]*private(?:[\s/][^<>]*)?(?:>|$)/gi;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The private parts with their tags, in order. An unmatched closing tag is a part of its own. */
function privateSpans(text: string): Span[] {
  const closed: Span[] = [];
  const open: number[] = [];
  for (const { index, 0: tag, 1: slash } of tagsOf(text)) {
    const end = index + tag.length;
    if (slash === "/") closed.push({ start: open.pop() ?? index, end });
    else if (tag.endsWith("/>")) closed.push({ start: index, end });
    else open.push(index);
  }
  const spans = outermost(closed);
  if (open.length === 0) return spans;
  // A fence inside a private part opens no code after it.
  const code = codeIn(blanked(text, spans));
  let at = 0;
  const start = open.find((index) => {
    while ((code[at]?.end ?? text.length) <= index) at++;
    return index < (code[at]?.start ?? text.length);
  });
  return start === undefined ? spans : outermost([...spans, { start, end: text.length }]);
}

/** In order, without those inside others. */
function outermost(spans: readonly Span[]): Span[] {
  let end = 0;
  return spans
    .toSorted((a, b) => a.start - b.start)
    .filter((span) => {
      if (span.start < end) return false;
      end = span.end;
      return true;
    });
}

/** Indented code, and fenced code that is closed: an unclosed fence may be a slip, and must not reveal anything. */
function codeIn(text: string): Span[] {
  const code: Span[] = [];
  let fence = 0;
  for (const { kind, start, next } of linesOf(text)) {
    if (kind === "fence") fence = start;
    else if (kind === "fence-end") code.push({ start: fence, end: next });
    else if (kind === "indented") code.push({ start, end: next });
  }
  return code;
}

function tagsOf(text: string): RegExpExecArray[] {
  let lineEnd = -1;
  let code: Span[] = [];
  return Array.from(text.matchAll(TAG)).filter(({ index }) => {
    if (index > lineEnd) {
      const start = text.lastIndexOf("\n", index) + 1;
      const next = text.indexOf("\n", index);
      lineEnd = next < 0 ? text.length : next;
      code = inlineCode(text.slice(start, lineEnd), start).reverse();
    }
    while ((code.at(-1)?.end ?? index) < index) code.pop();
    return (code.at(-1)?.start ?? index) >= index;
  });
}

/** Inline code in a line that starts at `offset`. A run of backticks opens it if a run of the same length follows. */
function inlineCode(line: string, offset: number): Span[] {
  const runs = Array.from(line.matchAll(/`+/g), ({ index, 0: { length } }) => ({ start: index, length }));
  const nextOf = new Map<number, number>();
  const closings = runs.toReversed().map(({ start, length }) => {
    const closing = nextOf.get(length);
    nextOf.set(length, start);
    return closing;
  });
  const spans: Span[] = [];
  let end = 0;
  for (const { start, length } of runs) {
    const closing = closings.pop();
    if (start < end || line[start - 1] === "\\" || closing === undefined) continue;
    end = closing + length;
    spans.push({ start: offset + start, end: offset + end });
  }
  return spans;
}

/** Replaces private parts with blanks, so that lines and offsets stay the same. */
export function withPrivateBlanked(text: string): string {
  return blanked(text, privateSpans(text));
}

function blanked(text: string, spans: readonly Span[]): string {
  let done = 0;
  const pieces = spans.map(({ start, end }) => {
    const before = text.slice(done, start);
    done = end;
    return before + text.slice(start, end).replace(/[^\r\n]/g, " ");
  });
  return pieces.join("") + text.slice(done);
}

/** Removing a part may join the text around it into another tag. Nobody writes more levels than this by accident. */
const ROUNDS = 4;

/** Removes private parts and tidies the white space around them. */
export function withoutPrivate(text: string): string {
  let open = text;
  for (let round = 0; round < ROUNDS; round++) {
    const spans = privateSpans(open);
    if (spans.length === 0) break;
    const visible = new VisibleText();
    let done = 0;
    for (const { start, end } of [...spans, { start: open.length, end: open.length }]) {
      for (let at = done; at < start; at++) visible.show(open[at] ?? "");
      if (end > start) visible.hole();
      done = end;
    }
    visible.end();
    open = visible.take();
  }
  return open;
}
