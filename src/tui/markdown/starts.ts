/** How blocks begin, on a line without its containers' marks and with tabs as spaces. No pattern looks at a character twice. */
import { type Fence, indentOf } from "../../core/text/markdown.ts";
import type { Alignment } from "./blocks.ts";

/** What is left after the mark of a quote; null where there is none. */
export function unquoted(text: string): string | null {
  const mark = /^ {0,3}> ?/.exec(text);
  return mark === null ? null : text.slice(mark[0].length);
}

/** In small letters; "" if the fence names none. */
export function languageOf({ info }: Fence): string {
  return (/[^\s{},.:]+/.exec(info)?.[0] ?? "").toLowerCase();
}

export interface ItemStart {
  /** "-", "+" or "*"; "." or ")" after a number. Another one begins another list. */
  readonly type: string;
  /** null: not numbered. */
  readonly number: number | null;
  /** The column of its mark, and that of its text. */
  readonly indent: number;
  readonly content: number;
  /** null: no task. */
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

export interface HtmlStart {
  /** What a line has to contain for the block to end with it; null: it ends before an empty line. */
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

/** How the columns are aligned, where this is the line under a table's header. */
export function alignmentsOf(text: string): Alignment[] | null {
  if (!text.includes("|") || !text.includes("-") || !/^[ |:-]+$/.test(text) || indentOf(text) > 3)
    return null;
  const cells = cellsOf(text);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => (!cell.endsWith(":") ? "left" : cell.startsWith(":") ? "centre" : "right"));
}

/** Between bars; one that is part of the text is written `\|`. */
export function cellsOf(row: string): string[] {
  const text = row.trim();
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
  if (text.startsWith("|")) cells.shift();
  if (text.endsWith("|") && !text.endsWith("\\|")) cells.pop();
  return cells;
}
