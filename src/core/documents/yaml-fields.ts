/**
 * Changes top-level keys of a YAML text. A change touches only the lines of its own key: comments, order, quoting and spacing of
 * everything else stay byte for byte.
 */
import { Document, isMap, isNode, isScalar, isSeq, type Pair, type Scalar, visit, YAMLMap } from "yaml";
import { sameJson } from "../../util/json.ts";
import { type Eol, eolOf } from "../../util/text.ts";
import { RetainError } from "../errors.ts";
import { excessOf, type Fields, HOLDS_MORE_THAN_COMMENTS, parseYaml, readYaml } from "./read-yaml.ts";

const PRINT = { lineWidth: 0, flowCollectionPadding: false } as const;

/**
 * Sets keys, or removes those whose value is undefined. New keys go last. `source` must be readable. Reads the result back: if an
 * edit in place gives a wrong result (an alias to a removed value), prints everything again. Throws `invalid_input` if the result
 * exceeds the limits of `readYaml`.
 */
export function writeYaml(
  source: string,
  changes: Fields,
  eol: Eol = eolOf(source),
): { source: string; fields: Fields } {
  const before = readYaml(source);
  if (!before.ok) throw new Error(`Cannot change unreadable YAML: ${before.problem.message}`);
  const merged = { ...before.fields, ...changes };
  const fields = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  const excess = excessOf(fields);
  if (excess !== null) throw tooMuch(excess);
  const says = (text: string) => {
    const reading = readYaml(text);
    return reading.ok && sameJson(reading.fields, fields);
  };
  const inPlace = editInPlace(source, changes, eol);
  if (inPlace !== null && says(inPlace)) return { source: inPlace, fields };
  const printed = print(fields, eol);
  const after = readYaml(printed);
  if (after.ok) return { source: printed, fields };
  throw tooMuch(after.problem.message);
}

function tooMuch(excess: string): RetainError {
  const hint = "Put long texts and lists below the frontmatter.";
  return new RetainError("invalid_input", `These fields cannot be stored: ${excess}.`, hint);
}

/**
 * Like `writeYaml`, in the block below `section` or a section inside it. Nothing outside that block changes. null if the section
 * isn't a block of lines, as in JSON: changing it would mean printing everything again.
 */
export function writeYamlSection(
  source: string,
  [section = "", ...deeper]: readonly string[],
  changes: Fields,
): string | null {
  const map = contentsOf(source);
  const at = isMap(map) ? indexesOf(map).get(section) : undefined;
  if (!isMap(map) || at === undefined) return null;
  const block = map.items[at]?.value;
  if (!isMap(block) || block.flow) return null;
  const first = startOf(block, 0) ?? 0;
  const start = source.lastIndexOf("\n", first) + 1;
  const indent = source.slice(start, first);
  const [, end] = linesOf(source, map, at);
  if (indent.trim() !== "" || indent === "") return null;
  const eol = eolOf(source);
  const inner = source.slice(start, end).replace(new RegExp(`^${indent}`, "gm"), "");
  if (!isPlainBlock(contentsOf(inner), inner)) return null;
  const edited =
    deeper.length > 0 ? writeYamlSection(inner, deeper, changes) : writeYaml(inner, changes, eol).source;
  if (edited === null) return null;
  const indented = edited.replace(/^(?=[^\r\n])/gm, indent);
  return source.slice(0, start) + indented + source.slice(end);
}

/** null if the text isn't a plain list of keys that each start a line. */
function editInPlace(source: string, changes: Fields, eol: Eol): string | null {
  const map = HOLDS_MORE_THAN_COMMENTS.test(source) ? contentsOf(source) : null;
  if (map === null) return source + lineBreak(source, eol) + print(changes, eol);
  if (!isPlainBlock(map, source)) return null;

  const indexes = indexesOf(map);
  const added: [string, unknown][] = [];
  const edits: { start: number; end: number; text: string }[] = [];
  for (const change of Object.entries(changes)) {
    const at = indexes.get(change[0]);
    if (at === undefined) added.push(change);
    else edits.push(replacement(source, map, at, change, eol));
  }
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
    pieces.push(source.slice(done, start), text);
    done = end;
  }
  const edited = pieces.join("") + source.slice(done);
  return edited + lineBreak(edited, eol) + print(Object.fromEntries(added), eol);
}

function lineBreak(source: string, eol: Eol): string {
  return source === "" || source.endsWith("\n") ? "" : eol;
}

function replacement(source: string, map: YAMLMap, at: number, change: [string, unknown], eol: Eol) {
  const [key, value] = change;
  const [start, end] = linesOf(source, map, at);
  const old = source.slice(start, end);
  const printed = value === undefined ? "" : (editList(old, key, value, eol) ?? print({ [key]: value }, eol));
  return { start, end, text: keepComment(old, map.items[at] as Pair, start, printed, eol) };
}

/** For a list of maps: entries that stay keep their comments and quoting. null for anything else. */
function editList(old: string, key: string, value: unknown, eol: Eol): string | null {
  if (!Array.isArray(value) || !value.some((entry) => typeof entry === "object")) return null;
  const parsed = parseYaml(old);
  if ("message" in parsed) return null;
  const { document } = parsed;
  const list = document.get(key);
  if (!isSeq(list) || list.flow) return null;
  const before = Map.groupBy(list.items.filter(isNode), (item) => JSON.stringify(item.toJS(document)));
  list.items = value.map((entry) => before.get(JSON.stringify(entry))?.shift() ?? document.createNode(entry));
  return document.toString(PRINT).replaceAll("\n", eol);
}

function isPlainBlock(node: unknown, source: string): node is YAMLMap {
  if (!isMap(node) || node.flow || node.anchor || node.tag) return false;
  return node.items.every(({ key }) => {
    const start = isScalar(key) && !key.anchor ? key.range?.[0] : undefined;
    return start !== undefined && (start === 0 || source[start - 1] === "\n");
  });
}

/** null if the text is empty or can't be parsed. */
function contentsOf(source: string): unknown {
  const parsed = parseYaml(source);
  return "message" in parsed ? null : parsed.document.contents;
}

/** The index of each key's item in the map. */
function indexesOf(map: YAMLMap): Map<unknown, number> {
  return new Map(map.items.map(({ key }, index) => [isScalar(key) ? key.value : key, index]));
}

function startOf(map: YAMLMap, at: number): number | undefined {
  return (map.items[at]?.key as Scalar | undefined)?.range?.[0];
}

/** From the key's line to the last line of its value, without blank lines and comments before the next key. */
function linesOf(source: string, map: YAMLMap, at: number): [start: number, end: number] {
  const start = startOf(map, at) ?? 0;
  const next = startOf(map, at + 1) ?? source.length;
  const lines = source.slice(start, next).match(/[^\n]*(?:\n|$)/g) ?? [];
  let length = lines.length;
  while (length > 1 && /^(?:\s*|#.*)$/.test((lines[length - 1] ?? "").trimEnd())) length--;
  return [start, start + lines.slice(0, length).join("").length];
}

/** Keeps a comment after a one-line value. */
function keepComment(old: string, pair: Pair, start: number, printed: string, eol: Eol): string {
  const valueEnd = (pair.value as { range?: [number, number, number] } | null)?.range?.[1];
  if (printed === "" || valueEnd === undefined || old.trimEnd().includes("\n")) return printed;
  const comment = /(?<!\s)\s+#.*/.exec(old.slice(valueEnd - start))?.[0].trimEnd();
  if (comment === undefined) return printed;
  const firstLineEnd = printed.indexOf(eol);
  return firstLineEnd === printed.length - eol.length
    ? printed.slice(0, firstLineEnd) + comment + eol
    : comment.trimStart() + eol + printed;
}

/** Prints keys with their values, except undefined ones. Lists of plain values go on one line. */
function print(fields: Fields, eol: Eol): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  const document = new Document();
  const map = new YAMLMap();
  for (const [key, value] of entries) {
    const flow = Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
    map.items.push(document.createPair(key, value, { flow }));
  }
  document.contents = map;
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && wouldLoseLines(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString(PRINT).replaceAll("\n", eol);
}

/** A block scalar would lose blank lines at either end and read "\r" as a line break. */
function wouldLoseLines(text: string): boolean {
  const blanks = text.slice(text.trimEnd().length);
  return /^\s*\n/.test(text) || text.includes("\r") || blanks.indexOf("\n") !== blanks.lastIndexOf("\n");
}
