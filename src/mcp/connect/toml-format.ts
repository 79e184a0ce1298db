/** TOML. The entry is a table of its own, `[section.name]`, with nested values inline, so that it is one block of lines. */
import { messageOf } from "../../core/errors.ts";
import { isRecord } from "../../util/json.ts";
import { eolOf } from "../../util/text.ts";
import { type ConfigFormat, ConfigProblem, type Entry, notEditable } from "./config-format.ts";

export const TOML_FORMAT: ConfigFormat = {
  name: "TOML",
  parse,
  fresh: tableOf,
  put(text, entry, value) {
    const eol = eolOf(text);
    const table = tableOf(entry, value).replaceAll("\n", eol);
    const [first, ...more] = blocksOf(text, entry);
    if (first !== undefined)
      return text.slice(0, first.start) + table + withoutBlocks(text, more).slice(first.end);
    // A table that isn't a block of lines (`retain = { … }`) can't be declared again: reading it back fails.
    const gap = /\n\s*$/.test(text) ? "" : eol;
    return `${text}${gap}${/\n[ \t]*\r?\n$/.test(text + gap) ? "" : eol}${table}`;
  },
  cut(text, entry) {
    const blocks = blocksOf(text, entry);
    if (blocks.length === 0) throw notEditable(TOML_FORMAT, entry);
    return withoutBlocks(text, blocks);
  },
};

/** Bun's parser doesn't say on which line it fails. */
function parse(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigProblem("nested too deeply", null);
    throw new ConfigProblem(messageOf(error).replace(/^TOML Parse error: /, ""), null);
  }
}

function tableOf({ section, name }: Entry, value: object): string {
  const lines = Object.entries(value).map(([key, item]) => `${keyOf(key)} = ${inline(item)}\n`);
  return `[${keyOf(section)}.${keyOf(name)}]\n${lines.join("")}`;
}

function keyOf(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : inline(key);
}

/** A JSON string is a TOML string, except for DEL. Dates print themselves. */
function inline(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isRecord(value) || typeof value.toJSON === "function") return String(value);
  const members = Object.entries(value).map(([key, item]) => `${keyOf(key)} = ${inline(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

interface Block {
  readonly start: number;
  readonly end: number;
}

/** `[a.b]` or `[[a.b]]`, first in its line. A line of a string may look like it: then reading back finds the difference. */
const HEADER = /^[ \t]*\[\[?([^\r\n]*?)\]\]?[ \t]*(?:#.*)?$/gm;

/** The entry's table and the tables inside it, each up to its last line that isn't blank or a comment. */
function blocksOf(text: string, { section, name }: Entry): Block[] {
  const headers = [...text.matchAll(HEADER)];
  return headers.flatMap((header, at) => {
    const [first, second] = pathOf(header[1] ?? "");
    if (first !== section || second !== name) return [];
    const whole = text.slice(header.index, headers[at + 1]?.index ?? text.length);
    const own = whole.replace(/(?<=\n)(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:[ \t]*(?:#[^\n]*)?)$/, "");
    return [{ start: header.index, end: header.index + own.length }];
  });
}

/** The keys of a dotted key, unquoted. */
function pathOf(dotted: string): string[] {
  const keys = dotted.matchAll(/\s*("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?:\.|$)/g);
  return [...keys].map(([, key = ""]) => key.replace(/^(["'])(.*)\1$/, "$2"));
}

/** Also removes the blank line before a block at the end of the text. */
function withoutBlocks(text: string, blocks: readonly Block[]): string {
  return blocks.reduceRight((rest, { start, end }) => {
    const before = rest.slice(0, start);
    const after = rest.slice(end);
    return (after.trim() === "" ? before.replace(/(?<=\n)[ \t]*\r?\n$/, "") : before) + after;
  }, text);
}
