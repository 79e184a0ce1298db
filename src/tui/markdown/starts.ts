/** Recognises the start of a block, on a line without its containers' marks and with tabs as spaces. All patterns are linear. */
import { type Fence, indentOf } from "../../core/text/markdown.ts";
import type { Alignment } from "./blocks.ts";

/** The text after a quote mark; null if there is none. */
export function unquoted(text: string): string | null {
  const mark = /^ {0,3}> ?/.exec(text);
  return mark === null ? null : text.slice(mark[0].length);
}

/** In lower case; "" if the fence names none. */
export function languageOf({ info }: Fence): string {
  return (/[^\s{},.:]+/.exec(info)?.[0] ?? "").toLowerCase();
}

export interface ItemStart {
  /** "-", "+" or "*"; "." or ")" after a number. A different one starts a new list. */
  readonly type: string;
  /** null: not numbered. */
  readonly number: number | null;
  /** The columns of its mark and of its text. */
  readonly indent: number;
  readonly content: number;
  /** null: not a task. */
  readonly done: boolean | null;
  readonly rest: string;
}

export function itemOf(text: string): ItemStart | null {
  const match = /^( {0,3})(?:([-+*])|(\d{1,9})([.)]))(?: |$)/.exec(text);
  if (match === null) return null;
  const [whole, spaces = "", bullet, digits, delimiter] = match;
  const after = whole.trimEnd().length;
  const room = indentOf(text.slice(after));
  const isEmpty = after + room === text.length;
  const content = after + (isEmpty || room > 4 ? 1 : room);
  const body = text.slice(content);
  const task = /^\[([ xX])\] +(?=[^ ])/.exec(body);
  return {
    type: bullet ?? delimiter ?? "",
    number: digits === undefined ? null : Number(digits),
    indent: spaces.length,
    content,
    done: task === null ? null : task[1] !== " ",
    rest: task === null ? body : body.slice(task[0].length),
  };
}

const HTML_BLOCK =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|meta|nav|ol|option|p|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)(?:[ />]|$)/i;
const LONE_TAG = /^ {0,3}<\/?[a-z][a-z0-9-]*(?: [^<>]*)?>\s*$/i;

interface HtmlStart {
  /** The block ends with the line that contains this; null: it ends before an empty line. */
  readonly end: string | null;
  readonly interrupts: boolean;
}

export function htmlOf(text: string): HtmlStart | null {
  if (!/^ {0,3}</.test(text)) return null;
  const name = /^ {0,3}<(!--|pre|script|style|textarea)(?:[ >]|$|(?<=--))/i.exec(text)?.[1];
  if (name !== undefined)
    return { end: name === "!--" ? "-->" : `</${name.toLowerCase()}>`, interrupts: true };
  if (HTML_BLOCK.test(text)) return { end: null, interrupts: true };
  return LONE_TAG.test(text) ? { end: null, interrupts: false } : null;
}

/** The column alignments, if this is a table's delimiter row; otherwise null. */
export function alignmentsOf(text: string): Alignment[] | null {
  if (!text.includes("|") || !text.includes("-") || !/^[ |:-]+$/.test(text) || indentOf(text) > 3)
    return null;
  const cells = cellsOf(text);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => (!cell.endsWith(":") ? "left" : cell.startsWith(":") ? "centre" : "right"));
}

/** Splits a row at its bars; `\|` is a bar in the text. */
export function cellsOf(row: string): string[] {
  const text = row.trim();
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
  if (text.startsWith("|")) cells.shift();
  if (text.endsWith("|") && !text.endsWith("\\|")) cells.pop();
  return cells;
}
