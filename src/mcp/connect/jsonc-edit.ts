/** Changes one entry of a JSON file, `section` → `name`, in the way the file is written, and leaves every other byte alone. */
import { isDeepStrictEqual } from "node:util";
import { eolOf } from "../../util/text.ts";
import { type JsonMember, type JsonNode, JsonProblem, readJsonc } from "./jsonc.ts";

export interface Entry {
  readonly section: string;
  readonly name: string;
}

/** undefined where there is none. Throws JsonProblem for what is no JSON, or has no place for entries. */
export function entryIn(text: string | null, { section, name }: Entry): unknown {
  if (text === null || isBlank(text)) return undefined;
  const servers = memberOf(rootOf(text), section);
  return servers === undefined ? undefined : memberOf(objectAt(servers.node, section), name)?.node.value;
}

/** The text with this entry; null for one that is to be made. Throws as `entryIn`. */
export function withEntry(text: string | null, entry: Entry, value: unknown): string {
  if (text === null || isBlank(text)) return `${JSON.stringify(fresh(entry, value), null, 2)}\n`;
  const root = rootOf(text);
  const style = styleOf(text, root);
  const servers = memberOf(root, entry.section);
  if (servers === undefined) return added(text, root, entry.section, { [entry.name]: value }, style);
  const section = objectAt(servers.node, entry.section);
  const known = memberOf(section, entry.name);
  if (known === undefined) return added(text, section, entry.name, value, style);
  if (isDeepStrictEqual(known.node.value, value)) return text;
  const { start, end } = known.node;
  const isOneLine = !text.slice(start, end).includes("\n");
  const instead = isOneLine ? JSON.stringify(value) : printed(value, style, indentAt(text, known.start));
  return text.slice(0, start) + instead + text.slice(end);
}

/** The text without this entry; what else stands in its section stays, and so does an empty section. Throws as `entryIn`. */
export function withoutEntry(text: string, { section, name }: Entry): string {
  const servers = memberOf(rootOf(text), section);
  const node = servers && objectAt(servers.node, section);
  const member = node && memberOf(node, name);
  if (node === undefined || member === undefined) return text;
  const members = node.members ?? [];
  const comma = members[members.indexOf(member) - 1]?.comma ?? null;
  const isLast = members.at(-1) === member && member.comma === null;
  if (!isLast || comma === null) return cut(text, lineOf(text, member.start, memberEnd(member)));
  const isNext = text.slice(comma + 1, member.start).trim() === "";
  if (isNext) return cut(text, [comma, member.node.end]);
  return cut(cut(text, lineOf(text, member.start, memberEnd(member))), [comma, comma + 1]);
}

function memberEnd({ comma, node }: JsonMember): number {
  return comma === null ? node.end : comma + 1;
}

function cut(text: string, [start, end]: readonly [number, number]): string {
  return text.slice(0, start) + text.slice(end);
}

/** A file without anything in it is as good as none. */
function isBlank(text: string): boolean {
  return text.trim() === "";
}

function fresh({ section, name }: Entry, value: unknown) {
  return { [section]: { [name]: value } };
}

function rootOf(text: string): JsonNode {
  return objectAt(readJsonc(text), null);
}

function objectAt(node: JsonNode, name: string | null): JsonNode {
  if (node.members !== null) return node;
  throw new JsonProblem(name === null ? "it holds no object" : `'${name}' is no object`, 1);
}

/** The last one counts, as for every reader of JSON. */
function memberOf(node: JsonNode, name: string): JsonMember | undefined {
  return node.members?.findLast(({ key }) => key === name);
}

interface Style {
  readonly indent: string;
  readonly eol: string;
}

/** As the first entry of the file is written. */
function styleOf(text: string, root: JsonNode): Style {
  const first = root.members?.[0];
  const indent = first === undefined ? "" : indentAt(text, first.start);
  return { indent: indent || "  ", eol: eolOf(text) };
}

/** The white space before what stands first in its line; "" for what does not. */
function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return line.trim() === "" ? line : "";
}

function printed(value: unknown, { indent, eol }: Style, outer: string): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", `${eol}${outer}`);
}

/** A new last member, with a last comma where the one before has it. An object on one line stays on it. */
function added(text: string, object: JsonNode, key: string, value: unknown, style: Style): string {
  const members = object.members ?? [];
  const last = members.at(-1);
  const inside = text.slice(object.start + 1, object.end - 1);
  const isOneLine = last !== undefined && !inside.includes("\n");
  const outer = lineIndent(text, object.start);
  const inner = (members[0] && indentAt(text, members[0].start)) || outer + style.indent;
  const member = isOneLine
    ? ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`
    : `${style.eol}${inner}${JSON.stringify(key)}: ${printed(value, style, inner)}`;
  const end = object.start + 1 + inside.trimEnd().length;
  const closes = isOneLine || /\n[ \t]*$/.test(inside);
  const close = closes ? text.slice(end) : `${style.eol}${outer}${text.slice(object.end - 1)}`;
  if (last === undefined) return text.slice(0, end) + member + close;
  if (last.comma !== null) return `${text.slice(0, end)}${member},${close}`;
  const { node } = last;
  return `${text.slice(0, node.end)},${text.slice(node.end, end)}${member}${close}`;
}

/** The white space that the line of this position begins with. */
function lineIndent(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  return line.slice(0, line.length - line.trimStart().length);
}

/** From start to end, and with the whole line where nothing else stands on it. */
function lineOf(text: string, start: number, end: number): [number, number] {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", end);
  const isAlone =
    text.slice(lineStart, start).trim() === "" && newline >= 0 && text.slice(end, newline).trim() === "";
  return isAlone ? [lineStart, newline + 1] : [start, end];
}
