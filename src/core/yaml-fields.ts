/**
 * Reading and changing the top-level keys of a YAML text. A change touches the lines of its own key only: comments,
 * order, quoting and spacing of everything else stay byte for byte as their author left them.
 */
import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { type Eol, eolOf } from "../util/text.ts";

export type Fields = Record<string, unknown>;

export interface YamlProblem {
  /** Counted from 1, within the YAML text. */
  line: number;
  message: string;
}

export type YamlReading =
  | { ok: true; fields: Fields; lineOf(...path: string[]): number }
  | { ok: false; problem: YamlProblem };

const PARSE = { prettyErrors: false, logLevel: "silent", stringKeys: true } as const;
const PRINT = { lineWidth: 0, flowCollectionPadding: false } as const;

/** Text that would stand in a block whose first or last lines are blank, and so be taken for the space around it. */
const BLANK_LINES_AT_AN_END = /^\s*\n|\n\s*\n$|\r/;

/** Not so in a config as it is first made, nor in an empty one: to find that out takes the library milliseconds. */
const HOLDS_MORE_THAN_COMMENTS = /^[ \t]*[^# \t\n]/m;

/** The keys and values of `source`; an empty text has none. Not a map, or not YAML: a problem with its line. */
export function readYaml(source: string): YamlReading {
  if (!HOLDS_MORE_THAN_COMMENTS.test(source)) return { ok: true, fields: {}, lineOf: () => 1 };
  const lines = new LineCounter();
  const document = parseDocument(source, { ...PARSE, lineCounter: lines });
  const error = document.errors[0];
  if (error !== undefined) return unreadable(lines.linePos(error.pos[0]).line, error.message);
  if (document.contents === null) return { ok: true, fields: {}, lineOf: () => 1 };
  if (!isMap(document.contents)) return unreadable(1, "it should be a list of 'key: value' lines");
  try {
    const fields = document.toJS({ maxAliasCount: 50 }) as Fields;
    const map = document.contents;
    return { ok: true, fields, lineOf: (...path) => lines.linePos(positionOf(map, path)).line };
  } catch (cause) {
    return unreadable(1, cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * `source` with keys set, or removed where the value is undefined. New keys go last. `source` must be readable. The
 * result is read again before it is given out: where an edit in place would not say what it should (an alias to a
 * value that is gone), the whole is printed anew.
 */
export function writeYaml(
  source: string,
  changes: Fields,
  eol: Eol = eolOf(source),
): { source: string; fields: Fields } {
  const before = readYaml(source);
  if (!before.ok)
    throw new Error(`This YAML cannot be changed, since it cannot be read: ${before.problem.message}`);
  const merged = { ...before.fields, ...changes };
  const fields = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  const says = (text: string) => {
    const reading = readYaml(text);
    return reading.ok && Bun.deepEquals(reading.fields, fields);
  };
  const inPlace = editInPlace(source, changes, eol);
  return { source: inPlace !== null && says(inPlace) ? inPlace : print(fields, eol), fields };
}

/**
 * As `writeYaml`, further down: in the block below `section`, or below a section of that one. Nothing outside that block
 * changes. null where the section is not a block of lines, as in JSON: it cannot be changed without printing everything anew.
 */
export function writeYamlSection(
  source: string,
  [section = "", ...deeper]: readonly string[],
  changes: Fields,
): string | null {
  const document = parseDocument(source, PARSE);
  const map = document.contents;
  const pair = isMap(map) ? pairOf(map, section) : undefined;
  if (!isMap(map) || pair === undefined || !isMap(pair.value) || pair.value.flow) return null;
  const first = (pair.value.items[0]?.key as Scalar | undefined)?.range?.[0] ?? 0;
  const start = source.lastIndexOf("\n", first) + 1;
  const indent = source.slice(start, first);
  const [, end] = linesOf(source, map, pair);
  if (indent.trim() !== "" || indent === "") return null;
  const eol = eolOf(source);
  const inner = source.slice(start, end).replace(new RegExp(`^${indent}`, "gm"), "");
  if (!isPlainBlock(parseDocument(inner, PARSE).contents, inner)) return null;
  const edited =
    deeper.length > 0 ? writeYamlSection(inner, deeper, changes) : writeYaml(inner, changes, eol).source;
  if (edited === null) return null;
  const indented = edited.replace(/^(?=[^\r\n])/gm, indent);
  return source.slice(0, start) + indented + source.slice(end);
}

/** null where the text is not a list of keys that each start a line: what people write. */
function editInPlace(source: string, changes: Fields, eol: Eol): string | null {
  const map = HOLDS_MORE_THAN_COMMENTS.test(source) ? parseDocument(source, PARSE).contents : null;
  if (map === null) return source + lineBreak(source, eol) + print(changes, eol);
  if (!isPlainBlock(map, source)) return null;

  const added: [string, unknown][] = [];
  const edits: { start: number; end: number; text: string }[] = [];
  for (const [key, value] of Object.entries(changes)) {
    const pair = pairOf(map, key);
    if (pair === undefined) added.push([key, value]);
    else edits.push(replacement(source, map, pair, key, value, eol));
  }
  const edited = edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: insert }) => text.slice(0, start) + insert + text.slice(end), source);
  return edited + lineBreak(edited, eol) + print(Object.fromEntries(added), eol);
}

function lineBreak(source: string, eol: Eol): string {
  return source === "" || source.endsWith("\n") ? "" : eol;
}

function replacement(source: string, map: YAMLMap, pair: Pair, key: string, value: unknown, eol: Eol) {
  const [start, end] = linesOf(source, map, pair);
  const old = source.slice(start, end);
  const printed = value === undefined ? "" : (editList(old, key, value, eol) ?? print({ [key]: value }, eol));
  return { start, end, text: keepComment(old, pair, start, printed, eol) };
}

/** A list of maps, in which the entries that stay keep their comments and quoting. null for anything else. */
function editList(old: string, key: string, value: unknown, eol: Eol): string | null {
  if (!Array.isArray(value) || !value.some((entry) => typeof entry === "object")) return null;
  const document = parseDocument(old, PARSE);
  const list = document.get(key);
  if (document.errors.length > 0 || !isSeq(list) || list.flow) return null;
  const before = [...list.items];
  list.items = value.map((entry) => {
    const same = before.findIndex((item) => isNode(item) && Bun.deepEquals(item.toJS(document), entry));
    return same < 0 ? document.createNode(entry) : before.splice(same, 1)[0];
  });
  return document.toString(PRINT).replaceAll("\n", eol);
}

function isPlainBlock(node: unknown, source: string): node is YAMLMap {
  if (!isMap(node) || node.flow || node.anchor || node.tag) return false;
  return node.items.every(({ key }) => {
    const start = isScalar(key) && !key.anchor ? key.range?.[0] : undefined;
    return start !== undefined && (start === 0 || source[start - 1] === "\n");
  });
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((item) => isScalar(item.key) && item.key.value === key) as Pair | undefined;
}

function startOf(pair: Pair | undefined): number {
  return (pair?.key as Scalar | undefined)?.range?.[0] ?? 0;
}

/** Where a key stands, the outermost first; as far as the path leads. */
function positionOf(map: YAMLMap, [key = "", ...deeper]: readonly string[]): number {
  const pair = pairOf(map, key);
  return deeper.length > 0 && isMap(pair?.value) ? positionOf(pair.value, deeper) : startOf(pair);
}

/** From the key's line to the last line of its value; blank lines and comments before the next key are not its own. */
function linesOf(source: string, map: YAMLMap, pair: Pair): [start: number, end: number] {
  const start = startOf(pair);
  const next =
    map.items.map((item) => startOf(item as Pair)).find((offset) => offset > start) ?? source.length;
  const lines = source.slice(start, next).match(/[^\n]*(?:\n|$)/g) ?? [];
  let length = lines.length;
  while (length > 1 && /^(?:\s*|#.*)$/.test((lines[length - 1] ?? "").trimEnd())) length--;
  return [start, start + lines.slice(0, length).join("").length];
}

/** A comment behind a one-line value stays behind the new one. */
function keepComment(old: string, pair: Pair, start: number, printed: string, eol: Eol): string {
  const valueEnd = (pair.value as { range?: [number, number, number] } | null)?.range?.[1];
  if (printed === "" || valueEnd === undefined || old.trimEnd().includes("\n")) return printed;
  const comment = /\s+#.*/.exec(old.slice(valueEnd - start))?.[0].trimEnd();
  if (comment === undefined) return printed;
  const firstLineEnd = printed.indexOf(eol);
  return firstLineEnd === printed.length - eol.length
    ? printed.slice(0, firstLineEnd) + comment + eol
    : comment.trimStart() + eol + printed;
}

/** Keys with their values, undefined ones left out; lists of plain values stand on one line. */
function print(fields: Fields, eol: Eol): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  const document = new Document({});
  for (const [key, value] of entries) {
    const flow = Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
    document.set(key, document.createNode(value, { flow }));
  }
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && BLANK_LINES_AT_AN_END.test(node.value))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString(PRINT).replaceAll("\n", eol);
}

function unreadable(line: number, message: string): YamlReading {
  return { ok: false, problem: { line, message } };
}
