/** Changes one entry of a TOML or YAML file and keeps everything else, or refuses. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { stringify } from "yaml";
import {
  type ConfigFormat,
  ConfigProblem,
  entryIn,
  withEntry,
  withoutEntry,
} from "../../src/mcp/connect/config-format.ts";
import { TOML_FORMAT } from "../../src/mcp/connect/toml-format.ts";
import { YAML_FORMAT } from "../../src/mcp/connect/yaml-format.ts";

const PLACE = { section: "servers", name: "retain" };
const ENTRY = { command: "/opt/re tain/bin/retain", args: ["mcp", '"\\'], env: { A: "é\u007f" }, on: true };

/** Every line of `theirs` is still there, in order. */
function keepsLines(theirs: string, next: string): void {
  let at = 0;
  for (const line of theirs.split(/\r?\n/).filter((one) => one !== "")) {
    const found = next.indexOf(line, at);
    expect([line, found >= at]).toEqual([line, true]);
    at = found + line.length;
  }
}

/** Adds, changes and removes an entry. Returns false if the format refuses the text, which it never does half-way. */
function roundTrip(format: ConfigFormat, text: string, theirs: string): boolean {
  let changed: string;
  try {
    changed = withEntry(format, text, PLACE, ENTRY);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigProblem);
    return false;
  }
  expect(entryIn(format, changed, PLACE)).toEqual(ENTRY);
  expect(withEntry(format, changed, PLACE, ENTRY)).toBe(changed);
  const other = withEntry(format, changed, PLACE, { ...ENTRY, args: [] });
  expect(entryIn(format, other, PLACE)).toEqual({ ...ENTRY, args: [] });
  const undone = withoutEntry(format, other, PLACE);
  expect(undone).toBe(withoutEntry(format, changed, PLACE));
  expect(entryIn(format, undone, PLACE)).toBeUndefined();
  for (const next of [changed, other, undone]) keepsLines(theirs, next);
  return true;
}

const ROOT = [
  "a = 1",
  "# [servers.retain]",
  'b = "x # y"',
  "d = 1979-05-27",
  "",
  'm = """\n[t]\n"""',
  "x = [\n  [1],\n]",
];
const TABLES = [
  "[servers]\nother = { command = 'x' }",
  "[servers.other]\ncommand = 'x' # mine\n",
  "[servers.other.env]\nA = '1'\n\n# before the next",
  "[servers.retained]\ncommand = 'x'",
  "[other.retain]\ncommand = 'x'",
  "[[list]]\nname = 'one'\n[[list]]\nname = 'two'",
  '[projects."/a.b".c]\ntrust = "yes"\n\n',
  "[servers.retain]\ncommand = '/old/retain' # mine\nargs = [\n  'mcp',\n]",
  "[ servers . 'retain' . env ]\nB = '2'\n# the end",
];

/** The lines of the entry's tables, up to a comment after them. */
const OWN = /^\[ ?servers ?\. ?'?retain\b(?!ed)[^#]*(?:# mine[^#]*)?/;

test("CONNECT-2: a TOML file keeps its other lines, whatever surrounds the entry", () => {
  let edited = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...ROOT)),
      fc.uniqueArray(fc.constantFrom(...TABLES)),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("", "\n", "\n\n"),
      (root, tables, eol, end) => {
        const text = ([...root, ...tables].join("\n") + end).replaceAll("\n", eol);
        const theirs = [...root, ...tables].map((piece) => piece.replace(OWN, "")).join("\n");
        if (isReadable(TOML_FORMAT, text) && roundTrip(TOML_FORMAT, text, theirs)) edited++;
      },
    ),
  );
  expect(edited).toBeGreaterThan(50);
});

const names = fc
  .stringMatching(/^[a-z][a-z0-9]{0,6}$/)
  .filter((name) => name !== "retain" && name !== "servers");
const values = fc.dictionary(names, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

test("CONNECT-2: a YAML file keeps its other lines, whatever surrounds the entry", () => {
  let edited = 0;
  fc.assert(
    fc.property(
      values,
      fc.constantFrom(undefined, null, "some"),
      values,
      values,
      fc.constantFrom("\n", "\r\n"),
      (before, kind, servers, after, eol) => {
        const section = kind === undefined ? {} : { servers: kind === null ? null : servers };
        const all = { ...before, ...section, ...after };
        const text = `# first\n${Object.keys(all).length > 0 ? stringify(all, { lineWidth: 0 }) : ""}# last\n`;
        const theirs = text.replace("servers: {}", "servers:");
        if (roundTrip(YAML_FORMAT, text.replaceAll("\n", eol), theirs)) edited++;
      },
    ),
  );
  expect(edited).toBeGreaterThan(50);
});

test("CONNECT-2: a layout that can't be changed in place is refused", () => {
  const refused: [ConfigFormat, string][] = [
    [TOML_FORMAT, "servers = { other = 1 }\n"],
    [TOML_FORMAT, "servers.retain.command = 'x'\n"],
    [TOML_FORMAT, "[servers]\nretain = { command = 'x' }\n"],
    [TOML_FORMAT, "servers = 5\n"],
    [YAML_FORMAT, "{servers: {other: 1}}\n"],
    [YAML_FORMAT, "servers: {other: 1}\n"],
    [YAML_FORMAT, "servers:\n  retain: &r {a: 1}\n  other: *r\n"],
    [YAML_FORMAT, "servers: 5\n"],
    [YAML_FORMAT, "a: 1\n---\nb: 2\n"],
    [YAML_FORMAT, "- a\n"],
  ];
  for (const [format, text] of refused)
    expect(() => withEntry(format, text, PLACE, ENTRY), text).toThrow(ConfigProblem);
});

function isReadable(format: ConfigFormat, text: string): boolean {
  try {
    format.parse(text);
    return true;
  } catch {
    return false;
  }
}
