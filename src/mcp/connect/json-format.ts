/** JSON with comments. An entry is written in the file's own style. */
import { getNodeValue, type Node } from "jsonc-parser";
import { eolOf } from "../../util/text.ts";
import type { ConfigFormat, Entry } from "./config-format.ts";
import { commaAfter, endOf, readJsonc } from "./jsonc.ts";

export const JSON_FORMAT: ConfigFormat = {
  name: "JSON",
  parse: (text) => getNodeValue(readJsonc(text)),
  fresh: ({ section, name }, value) => `${JSON.stringify({ [section]: { [name]: value } }, null, 2)}\n`,
  put(text, { section, name }, value) {
    const root = readJsonc(text);
    const style = styleOf(text, root);
    const servers = memberOf(root, section)?.value;
    if (servers === undefined) return added(text, root, section, { [name]: value }, style);
    const known = memberOf(servers, name);
    if (known === undefined) return added(text, servers, name, value, style);
    const [start, end] = [known.value.offset, endOf(known.value)];
    const isOneLine = !text.slice(start, end).includes("\n");
    const instead = isOneLine
      ? JSON.stringify(value)
      : printed(value, style, indentAt(text, known.node.offset));
    return text.slice(0, start) + instead + text.slice(end);
  },
  cut: withoutMember,
};

function withoutMember(text: string, { section, name }: Entry): string {
  const servers = memberOf(readJsonc(text), section)?.value;
  const member = servers && memberOf(servers, name)?.node;
  if (member === undefined) return text;
  const members = member.parent?.children ?? [];
  const previous = members[members.indexOf(member) - 1];
  const ownComma = commaAfter(text, member);
  const whole = lineOf(text, member.offset, ownComma === null ? endOf(member) : ownComma + 1);
  const comma = previous && ownComma === null ? commaAfter(text, previous) : null;
  if (comma === null) return cut(text, whole);
  const isNext = text.slice(comma + 1, member.offset).trim() === "";
  return isNext ? cut(text, [comma, endOf(member)]) : cut(cut(text, whole), [comma, comma + 1]);
}

function cut(text: string, [start, end]: readonly [number, number]): string {
  return text.slice(0, start) + text.slice(end);
}

/** The last one counts, as for every JSON reader. */
function memberOf(object: Node, name: string): { node: Node; value: Node } | undefined {
  const node = object.children?.findLast(({ children }) => children?.[0]?.value === name);
  const value = node?.children?.[1];
  return node && value && { node, value };
}

interface Style {
  readonly indent: string;
  readonly eol: string;
}

/** The style of the file's first entry. */
function styleOf(text: string, root: Node): Style {
  const first = root.children?.[0];
  const indent = first === undefined ? "" : indentAt(text, first.offset);
  return { indent: indent || "  ", eol: eolOf(text) };
}

/** The white space before a position that is first in its line; otherwise "". */
function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return line.trim() === "" ? line : "";
}

function printed(value: unknown, { indent, eol }: Style, outer: string): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", `${eol}${outer}`);
}

/** Adds a last member, followed by a comma if the one before it is. An object on one line stays on that line. */
function added(text: string, object: Node, key: string, value: unknown, style: Style): string {
  const [first, last] = [object.children?.[0], object.children?.at(-1)];
  const inside = text.slice(object.offset + 1, endOf(object) - 1);
  const isOneLine = last !== undefined && !inside.includes("\n");
  const outer = lineIndent(text, object.offset);
  const inner = (first && indentAt(text, first.offset)) || outer + style.indent;
  const member = isOneLine
    ? ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`
    : `${style.eol}${inner}${JSON.stringify(key)}: ${printed(value, style, inner)}`;
  const end = object.offset + 1 + inside.trimEnd().length;
  const closes = isOneLine || /\n[ \t]*$/.test(inside);
  const close = closes ? text.slice(end) : `${style.eol}${outer}${text.slice(endOf(object) - 1)}`;
  if (last === undefined) return text.slice(0, end) + member + close;
  if (commaAfter(text, last) !== null) return `${text.slice(0, end)}${member},${close}`;
  return `${text.slice(0, endOf(last))},${text.slice(endOf(last), end)}${member}${close}`;
}

/** The indentation of the line with this position. */
function lineIndent(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return line.slice(0, line.length - line.trimStart().length);
}

/** The range from start to end, extended to the whole line if nothing else is on it. */
function lineOf(text: string, start: number, end: number): [number, number] {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", end);
  const isAlone =
    text.slice(lineStart, start).trim() === "" && newline >= 0 && text.slice(end, newline).trim() === "";
  return isAlone ? [lineStart, newline + 1] : [start, end];
}
