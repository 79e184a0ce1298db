/**
 * Reads untrusted YAML in linear time, into values that JSON can represent. Text that is circular, too deeply nested or too large is
 * reported as a problem with its line, like text that isn't YAML.
 */
import {
  Composer,
  type Document,
  isMap,
  Lexer,
  LineCounter,
  type Pair,
  Parser,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { messageOf } from "../errors.ts";

export type Fields = Record<string, unknown>;

export interface YamlProblem {
  /** 1-based, within the YAML text. */
  line: number;
  message: string;
}

type YamlReading =
  | { ok: true; fields: Fields; lineOf(...path: string[]): number }
  | { ok: false; problem: YamlProblem };

// Far more than people write. Parsing costs per token, so a long text may be longer than a long list.
const MOST_CHARACTERS = 256 * 1024;
const MOST_TOKENS = 50_000;
const DEEPEST = 64;
/** Resolving an alias searches all anchors. */
const MOST_ALIASES = 1_000;

const TOO_LONG = `it is longer than ${MOST_CHARACTERS / 1024} KB`;
const TOO_DEEP = `it is nested more than ${DEEPEST} levels deep`;

/**
 * `uniqueKeys` is off because the library compares each key with all others; `repeatedKey` doesn't. The schema is fixed, so a
 * `%YAML 1.1` line has no effect: merge keys (`<<`) would be expanded again for each alias.
 */
const PARSE = {
  prettyErrors: false,
  logLevel: "silent",
  stringKeys: true,
  uniqueKeys: false,
  schema: "core",
} as const;

/** Lets an empty or freshly created config skip the library, which takes milliseconds to load. */
export const HOLDS_MORE_THAN_COMMENTS = /^[ \t]*[^# \t\n]/m;

/** The keys and values of `source`; an empty text has none. If it isn't a map or isn't YAML, a problem with its line. */
export function readYaml(source: string): YamlReading {
  if (!HOLDS_MORE_THAN_COMMENTS.test(source)) return { ok: true, fields: {}, lineOf: () => 1 };
  const parsed = parseYaml(source);
  if ("message" in parsed) return { ok: false, problem: parsed };
  const { contents: map } = parsed.document;
  if (map === null) return { ok: true, fields: {}, lineOf: () => 1 };
  if (!isMap(map)) return { ok: false, problem: { line: 1, message: "it should have 'key: value' lines" } };
  const { lines } = parsed;
  const lineOf = (...path: string[]) => lines.linePos(positionOf(map, path)).line;
  return { ok: true, fields: parsed.value as Fields, lineOf };
}

interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly value: unknown;
}

/** The tree and value of any YAML. Reads only the first of several documents. */
export function parseYaml(source: string): ParsedYaml | YamlProblem {
  if (source.length > MOST_CHARACTERS) return { line: 1, message: TOO_LONG };
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const problem = (message: string, offset = parser.offset): YamlProblem => {
    return { line: lines.linePos(offset).line, message };
  };
  const parts = [];
  let tokens = 0;
  let aliases = 0;
  let firstAlias = 0;
  for (const token of new Lexer().lex(source)) {
    if (token.startsWith("*") && aliases++ === 0) firstAlias = parser.offset;
    parts.push(...parser.next(token));
    if (++tokens > MOST_TOKENS)
      return problem(`it has too many keys, list items or lines (over ${MOST_TOKENS} tokens)`);
    if (aliases > MOST_ALIASES) return problem(`it has more than ${MOST_ALIASES} aliases`);
    if (parser.stack.length > DEEPEST) return problem(TOO_DEEP);
  }
  const [document] = new Composer(PARSE).compose([...parts, ...parser.end()], true, source.length);
  if (document === undefined) throw new Error("The YAML library returned no document");
  const [error] = document.errors;
  if (error !== undefined) return problem(error.message, error.pos[0]);
  const repeated = repeatedKey(document);
  if (repeated !== null) return problem("Map keys must be unique", repeated.range?.[0]);
  try {
    const value: unknown = document.toJS({ maxAliasCount: -1 });
    const excess = aliases === 0 ? null : excessOf(value);
    if (excess !== null) return problem(`with its aliases expanded, ${excess}`, firstAlias);
    return { document, lines, value };
  } catch (cause) {
    return problem(messageOf(cause), firstAlias);
  }
}

/** The second of two equal keys in a map, at any depth. */
function repeatedKey(document: Document.Parsed): Scalar | null {
  let repeated: Scalar | null = null;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items as Pair<Scalar>[]) {
        if (keys.has(key.value)) repeated = key;
        if (repeated !== null) return visit.BREAK;
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return repeated;
}

/** Why a value can't be written as YAML that reads back; null if it can. Bounded by the same limits. */
export function excessOf(value: unknown): string | null {
  let left = MOST_CHARACTERS;
  const excessIn = (part: unknown, above: readonly unknown[]): string | null => {
    left -= typeof part === "string" ? part.length + 1 : 1;
    if (typeof part === "object" && part !== null) {
      if (above.includes(part)) return "a value contains itself";
      if (above.length > DEEPEST) return TOO_DEEP;
      if (!Array.isArray(part)) left -= Object.keys(part).join("").length;
      for (const inner of Object.values(part)) {
        const excess = left < 0 ? null : excessIn(inner, [...above, part]);
        if (excess !== null) return excess;
      }
    }
    return left < 0 ? TOO_LONG : null;
  };
  return excessIn(value, []);
}

/** The offset of the key at a path, outermost key first, or of the deepest part that exists. */
function positionOf(map: YAMLMap, [key = "", ...deeper]: readonly string[]): number {
  const pair = (map.items as Pair<Scalar>[]).find((item) => item.key.value === key);
  if (deeper.length > 0 && isMap(pair?.value)) return positionOf(pair.value, deeper);
  return pair?.key.range?.[0] ?? 0;
}
