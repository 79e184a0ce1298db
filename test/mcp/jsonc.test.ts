/** Changes one entry of a JSON file and keeps everything else. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { getNodeValue } from "jsonc-parser";
import { ConfigProblem, entryIn, withEntry, withoutEntry } from "../../src/mcp/connect/config-format.ts";
import { JSON_FORMAT } from "../../src/mcp/connect/json-format.ts";
import { readJsonc } from "../../src/mcp/connect/jsonc.ts";

const PLACE = { section: "mcpServers", name: "retain" };
const ENTRY = { command: "/opt/retain/bin/retain", args: ["mcp"] };

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const TRIVIA = [
  "",
  " ",
  "\n",
  "\r\n  ",
  "\t",
  "// a, b }\n",
  '/* "c": { */',
  " /* ] */ ",
  "\n    // d\n    ",
];

/** JSON with arbitrary white space and comments, and trailing commas. */
function written(value: Json, next: () => number): string {
  const gap = () => TRIVIA[next() % TRIVIA.length] ?? "";
  const list = (open: string, items: string[], close: string) => {
    const last = items.length > 0 && next() % 4 === 0 ? `,${gap()}` : "";
    return `${open}${gap()}${items.join(`,${gap()}`)}${last}${close}`;
  };
  if (Array.isArray(value))
    return list(
      "[",
      value.map((item) => written(item, next) + gap()),
      "]",
    );
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${gap()}:${gap()}${written(item, next)}${gap()}`,
  );
  return list("{", members, "}");
}

const texts = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
    fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })),
    fc.array(fc.nat(), { minLength: 1 }),
  )
  .map(([others, servers, choices]) => {
    const { mcpServers: _, ...rest } = others;
    const all = { ...rest, ...(servers !== null && { mcpServers: servers }) };
    // JSON has no negative zero.
    const value = JSON.parse(JSON.stringify(all)) as Record<string, Json>;
    let at = 0;
    const next = () => choices[at++ % choices.length] ?? 0;
    return {
      value,
      text: `${next() % 2 ? "// first\n" : ""}${written(value, next)}${next() % 2 ? "\n" : ""}`,
    };
  });

/** All names, values and comments: everything except white space and commas. */
function substance(text: string): string {
  return text.replace(/[\s,]/g, "");
}

test("CONNECT-2: JSON with comments and trailing commas is parsed", () => {
  fc.assert(fc.property(texts, ({ value, text }) => expect(getNodeValue(readJsonc(text))).toEqual(value)));
  fc.assert(
    fc.property(fc.json(), (json) => expect(getNodeValue(readJsonc(json))).toEqual(JSON.parse(json))),
  );
});

test("CONNECT-2: adding and removing an entry changes no other character", () => {
  fc.assert(
    fc.property(texts, ({ value, text }) => {
      const changed = withEntry(JSON_FORMAT, text, PLACE, ENTRY);
      const servers = { ...((value.mcpServers ?? {}) as object), retain: ENTRY };
      expect(getNodeValue(readJsonc(changed))).toEqual({ ...value, mcpServers: servers });
      expect(entryIn(JSON_FORMAT, changed, PLACE)).toEqual(ENTRY);
      expect(withEntry(JSON_FORMAT, changed, PLACE, ENTRY)).toBe(changed);
      const undone = withoutEntry(JSON_FORMAT, changed, PLACE);
      const { retain: _, ...left } = servers as Record<string, unknown>;
      expect(getNodeValue(readJsonc(undone))).toEqual({ ...value, mcpServers: left });
      if ("mcpServers" in value && !("retain" in (value.mcpServers as object)))
        expect(substance(undone)).toBe(substance(text));
    }),
  );
});

test("CONNECT-2: an entry is written in the file's style", () => {
  const cases: [string, string][] = [
    ['{"a":1}\n', '{"a":1, "mcpServers": {"retain":{"x":1}}}\n'],
    ["{}", '{\n  "mcpServers": {\n    "retain": {\n      "x": 1\n    }\n  }\n}'],
    [
      '{\n\t"a": 1, // one\n}\n',
      '{\n\t"a": 1, // one\n\t"mcpServers": {\n\t\t"retain": {\n\t\t\t"x": 1\n\t\t}\n\t},\n}\n',
    ],
    [
      '{\r\n    "mcpServers": {\r\n        "b": {} // b\r\n    }\r\n}',
      '{\r\n    "mcpServers": {\r\n        "b": {}, // b\r\n        "retain": {\r\n            "x": 1\r\n        }\r\n    }\r\n}',
    ],
    ['\uFEFF{ "mcpServers": { "b": 2 } }', '\uFEFF{ "mcpServers": { "b": 2, "retain": {"x":1} } }'],
  ];
  for (const [before, after] of cases) expect(withEntry(JSON_FORMAT, before, PLACE, { x: 1 })).toBe(after);
  for (const [before, after] of cases)
    if (before.includes("mcpServers")) expect(withoutEntry(JSON_FORMAT, after, PLACE)).toBe(before);
});

test("CONNECT-2: text that isn't JSON, or has no object for servers, is refused with its line", () => {
  const problem = (text: string) => {
    try {
      return `read: ${JSON.stringify(entryIn(JSON_FORMAT, text, PLACE))}`;
    } catch (error) {
      if (!(error instanceof ConfigProblem)) throw error;
      return `${error.line}: ${error.message}`;
    }
  };
  expect(problem('{\n  "a": 1\n  "b": 2\n}')).toBe("3: comma expected");
  expect(problem('{\n  "a": [1,\n')).toStartWith("3: ");
  expect(problem("[]")).toBe("1: not a JSON object");
  expect(problem('{"mcpServers": []}')).toBe("1: 'mcpServers' is not an object");
  const broken = [
    "{ a: 1 }",
    '{"a" 1}',
    '{"a": 01}',
    '{"a": "b\n"}',
    "{} /* x",
    "{} {}",
    '{"a":1,,}',
    "// x",
  ];
  for (const text of broken) expect(problem(text)).toStartWith("1: ");
  const [open, close] = ['{"mcpServers":{"retain":'.repeat(100_000), "}}".repeat(100_000)];
  expect(problem(`${open}1${close}`)).toBe("1: nested too deeply");
  fc.assert(fc.property(fc.string(), (text) => expect(problem(text)).toMatch(/^(?:\d+|read): /)));
});
