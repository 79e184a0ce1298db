import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseDocument } from "yaml";
import {
  contentOf,
  parseMarkdown,
  printMarkdown,
  withContent,
  withFields,
} from "../../src/core/documents/frontmatter.ts";
import { type Fields, readYaml } from "../../src/core/documents/read-yaml.ts";
import { writeYaml as writeYamlFields } from "../../src/core/documents/yaml-fields.ts";

const writeYaml = (source: string, changes: Fields) => writeYamlFields(source, changes).source;

const eol = fc.constantFrom("\n", "\r\n");
const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/);
const scalar = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "yes",
    "no",
    "null",
    "~",
    "1e3",
    "0x10",
    "2026-11-15",
    "- x",
    "# y",
    "a: b",
    "|",
    ">",
    "'",
    '"',
    "[",
    "{",
    "---",
    "...",
    "@a",
    "%b",
    "\t",
    " lead",
    "trail ",
    "a\nb",
    "a\r\nb",
    "\n",
  ),
  fc.integer(),
  fc.boolean(),
);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(key, scalar, { maxKeys: 3 }),
);
const fields = fc.dictionary(key, value, { maxKeys: 6 });

const line = fc.oneof(
  fc.string(),
  fc.constantFrom("---", "...", "# x", "a: b", "- y", "", "```", "--- ", "tags: [a", "\uFEFFx"),
);
const anyFile = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(line, { maxLength: 8 }), eol)
  .map(([bom, lines, end]) => bom + lines.join(end));

test("FM-2: parsing and printing any text gives the same text", () => {
  fc.assert(
    fc.property(anyFile, (text) => printMarkdown(parseMarkdown(text)) === text),
    { numRuns: 2_000 },
  );
});

test("FM-2: set fields read back the same", () => {
  fc.assert(
    fc.property(fields, fields, fc.string(), eol, (first, second, body, end) => {
      const file = withFields(withFields(parseMarkdown(`x${end}${body}`), first), second);
      const read = parseMarkdown(printMarkdown(file));
      expect(read.problem).toBeNull();
      expect(read.fields).toEqual({ ...first, ...second });
    }),
    { numRuns: 1_000 },
  );
});

test("FM-2: removing keys leaves the others", () => {
  fc.assert(
    fc.property(fields, fc.array(key), (all, extra) => {
      const gone = [...Object.keys(all).slice(0, 2), ...extra];
      const file = withFields(
        withFields(parseMarkdown("x"), all),
        Object.fromEntries(gone.map((name) => [name, undefined])),
      );
      const left = Object.fromEntries(Object.entries(all).filter(([name]) => !gone.includes(name)));
      expect(parseMarkdown(printMarkdown(file)).fields).toEqual(left);
    }),
  );
});

test("FM-2: every line of the other keys stays as it is", () => {
  const own = fc.record({
    comment: fc.constantFrom("", "# a note", "#: odd"),
    indent: fc.constantFrom(
      "key:   value   # why",
      "key: 'quoted'",
      "key: [ a,b ]",
      "key:\n- a\n- b",
      "key:\n    deep: 1",
      "key: |\n  # text\n  more",
      "key: &x 1",
    ),
    blank: fc.constantFrom("", "\n"),
  });
  fc.assert(
    fc.property(fc.array(own, { minLength: 1, maxLength: 5 }), fields, eol, (parts, changes, end) => {
      const blocks = parts.map(
        ({ comment, indent, blank }, index) =>
          `${comment === "" ? "" : `${comment}\n`}${indent.replace("key", `Own${index}`)}\n${blank}`,
      );
      const source = blocks.join("").replaceAll("\n", end);
      expect(readYaml(source).ok).toBe(true);
      const changed = writeYaml(source, changes);
      expect(changed.startsWith(source)).toBe(true);
      const back = writeYaml(
        changed,
        Object.fromEntries(Object.keys(changes).map((name) => [name, undefined])),
      );
      expect(back).toBe(source);
    }),
    { numRuns: 500 },
  );
});

test("FM-2: a changed value keeps its position and its comment", () => {
  const source = "# head\ntitle:  Old   # keep\ntags:\n- a # gone with its list\n# before x\n\nx: 1\n";
  const changed = writeYaml(source, { title: "New: one", tags: ["b"], x: undefined });
  expect(changed).toBe('# head\ntitle: "New: one"   # keep\ntags: [b]\n# before x\n\n');
});

test("FM-2: a change never leaves an alias without its anchor", () => {
  for (const source of [
    "tags: &t [a, b]\nkeywords: *t\n",
    "{tags: &t [a, b], keywords: *t}\n",
    "a: &t [a, b]\ntags: [c]\nkeywords: *t\n",
  ]) {
    for (const changes of [{ tags: ["c"] }, { tags: undefined }, { a: 1 }, { a: undefined }] as Fields[]) {
      const before = readYaml(source);
      const after = readYaml(writeYaml(source, changes));
      const expected = { ...(before.ok && before.fields), ...changes };
      expect(after.ok && after.fields).toEqual(JSON.parse(JSON.stringify(expected)));
    }
  }
  const block = readYaml(writeYaml("a: 1\ntext: |+\n  keep\n\n\nb: 2\n", { b: undefined }));
  expect(block.ok && block.fields).toEqual({ a: 1, text: "keep\n\n\n" });
});

test("FM-2: a flow map, anchors and indented keys survive a change in meaning", () => {
  for (const source of ["{a: 1, b: [x]}\n", "  a: 1\n  b: [x]\n", "? a\n: 1\nb: [x]\n"]) {
    const reading = readYaml(writeYaml(source, { c: 3, a: 2 }));
    expect(reading.ok && reading.fields).toEqual({ a: 2, b: ["x"], c: 3 });
  }
});

test("blank lines and comments have no fields, exactly when a YAML parser finds none", () => {
  const pieces = fc.constantFrom(" ", "\t", "#", "\n", "\r\n", "\r", "\u00a0", "\u2028", "a", ":", "-", '"');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (text) => {
      const source = text.join("");
      const { contents, errors } = parseDocument(source, { prettyErrors: false, logLevel: "silent" });
      const { ok, ...reading } = readYaml(source);
      const isEmpty = ok && "fields" in reading && Object.keys(reading.fields).length === 0;
      expect(isEmpty).toBe(contents === null && errors.length === 0);
    }),
    { numRuns: 2000 },
  );
  expect(readYaml("# created_by: Claude\n\n  # versioning: auto\n")).toMatchObject({ ok: true, fields: {} });
});

test("FM-2: any content reads back byte for byte", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fields, (content, all) => {
      fc.pre(!content.startsWith("\uFEFF") && !/^---[ \t]*\r?\n/.test(content));
      const file = withFields(parseMarkdown(content), { ...all, id: "x" });
      expect(contentOf(parseMarkdown(printMarkdown(file)))).toBe(content);
      const replaced = withContent(withFields(parseMarkdown("old"), { id: "x" }), content);
      expect(contentOf(parseMarkdown(printMarkdown(replaced)))).toBe(content);
    }),
  );
});

test("FM-2: a rule at the top isn't frontmatter; unclosed or invalid frontmatter is a problem with its line", () => {
  expect(parseMarkdown("---\nJust prose.\n---\nmore").yaml).toBeNull();
  expect(parseMarkdown("---\n\ntext").problem).toBeNull();
  expect(parseMarkdown("---\n\ttitle: x\n---\nbody").problem?.line).toBe(2);
  expect(parseMarkdown("---\ntitle: x\nno end").problem?.line).toBe(1);
  expect(parseMarkdown("---\na: 1\nb: [1\n---\n").problem?.line).toBeGreaterThan(2);
  expect(parseMarkdown("---\na: 1\na: 2\n---\n").problem?.message).toContain("unique");
});
