/** Frontmatter that nobody would write by hand: circular, endlessly nested, or far too long. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseMarkdown, printMarkdown, withFields } from "../../src/core/documents/frontmatter.ts";
import { readYaml } from "../../src/core/documents/read-yaml.ts";

const file = (yaml: string) => parseMarkdown(`---\n${yaml}\n---\nbody\n`);
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const piece = fc.oneof(
  fc.constantFrom("&a ", "*a", "&b ", "*b", "<<: ", "? ", "- ", ": ", "[", "]", "{", "}", ", ", "\n", "\n  "),
  fc.constantFrom("a: ", "b: ", "!!set ", "!!omap ", "!!binary ", "!!timestamp ", "|\n  ", '"', "'", "# "),
  fc.constantFrom("a: &a\n  b: *a\n", "<<: *a\n", "a: &a [*a]\n", "%YAML 1.1\n", "__proto__: ", "2026-11-15"),
  fc
    .tuple(fc.constantFrom("[", "{a: ", "- ", "? ", "a: &a [", "!!set {"), fc.integer({ min: 1, max: 2_000 }))
    .map(([text, count]) => text.repeat(count)),
  fc.integer({ min: 1, max: 2_000 }).map((count) => lines(count, (index) => `k${index}: &a ${index}\n`)),
  fc.string({ maxLength: 5 }),
);

test("FM-5: any frontmatter is read as JSON values, or is a problem", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `---\n${pieces.join("")}\n---\nbody\n`;
      const read = parseMarkdown(text);
      expect(JSON.parse(JSON.stringify(read.fields))).toBeObject();
      expect(printMarkdown(read)).toBe(text);
      if (read.problem === null)
        expect(parseMarkdown(printMarkdown(withFields(read, { z: 1 }))).problem).toBeNull();
    }),
    { numRuns: 300 },
  );
});

test("FM-5: circular aliases, and aliases that expand to too much, are problems", () => {
  const bomb = lines(9, (level) => `l${level}: &l${level} [${`*l${level - 1}, `.repeat(level && 9)}lol]`);
  const chain = lines(50, (level) => `c${level}: &c${level} [[[[${level === 0 ? "x" : `*c${level - 1}`}]]]]`);
  const long = `a: &a ${"x".repeat(1_000)}\nb:\n${lines(900, () => "- *a")}`;
  for (const yaml of [
    "a: &a [*a]",
    "a: &a {b: {c: *a}}",
    "a: &a\n  - b\n  - &c [*a, *c]",
    bomb,
    chain,
    long,
    lines(1_002, (index) => `k${index}: ${index === 0 ? "&a " : "*a #"}1`),
  ]) {
    const { fields, problem } = file(yaml);
    expect(fields).toEqual({});
    expect(problem?.message).toContain("alias");
  }
  const merges = lines(
    9,
    (level) => `l${level}: &l${level} {<<: [${`*l${level - 1}, `.repeat(level && 9)}]}`,
  );
  for (const yaml of [`%YAML 1.1\n---\n${merges}`, "%YAML 1.1\n---\na: &a {<<: *a}"])
    expect(readYaml(yaml)).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("alias") },
    });
  expect(file("a: &a [b]\nc: [*a, *a]\nd: {e: *a}").fields).toEqual({
    a: ["b"],
    c: [["b"], ["b"]],
    d: { e: ["b"] },
  });
});

test("FM-5: endless nesting in any syntax is a problem with its line", () => {
  const deepest = 64;
  for (const opening of ["[", "{a: ", "- ", "? "]) {
    for (const count of [deepest, 1_000, 20_000]) {
      const { problem } = file(`first: 1\nsecond:\n  ${opening.repeat(count)}x`);
      expect(problem).toEqual({ line: 4, message: expect.stringContaining(`${deepest} levels`) });
    }
  }
  const nested = `${"[".repeat(50)}x${"]".repeat(50)}`;
  expect(JSON.stringify(file(`a: ${nested}`).fields.a)).toBe(nested.replace("x", '"x"'));
});

test("FM-5: frontmatter with too many keys or characters is a problem, but the document's text is still read", () => {
  const keys = (count: number) => lines(count, (index) => `k${index}: 1`);
  expect(Object.keys(file(keys(5_000)).fields)).toHaveLength(5_000);
  for (const yaml of [
    keys(20_000),
    `a: {${keys(20_000).replaceAll("\n", ", ")}}`,
    `a: [${"x, ".repeat(60_000)}]`,
    `a: |\n${"  long\n".repeat(60_000)}`,
    `a: 1\n${"\n".repeat(100_000)}`,
  ]) {
    const { fields, problem, body } = file(yaml);
    expect([fields, body]).toEqual([{}, "body\n"]);
    expect(problem?.message).toMatch(/too many|longer than/);
  }
  const prose = "Just a text between two rules.\n".repeat(20_000);
  expect(file(prose)).toMatchObject({ yaml: null, problem: null });
});

test("FM-5: fields that couldn't be read back aren't written", () => {
  const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));
  const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const fields of [metadata, { deep }, circular, { long: "x".repeat(300_000) }])
    expect(() => withFields(parseMarkdown("body\n"), fields)).toThrow(/too many|levels|itself|longer than/);
});

test("FM-2: a key that is set twice is a problem with its line, at any depth", () => {
  for (const [yaml, line] of [
    ["a: 1\nb: 2\na: 3", 4],
    ["a:\n  b: 1\n  c: 1\n  b: 2", 5],
    ["a: {b: 1, c: 1, b: 2}", 2],
    ["a:\n- b: 1\n  'b': 2", 4],
    ["1: a\n'1': b", 3],
  ] as const)
    expect(file(yaml).problem).toEqual({ line, message: expect.stringContaining("unique") });
  expect(file("a:\n- b: 1\n- b: 2").problem).toBeNull();
  const many = readYaml(`${lines(5_000, (index) => `k${index}: 1`)}\nk0: 2\n`);
  expect(many).toMatchObject({ ok: false, problem: { line: 5_001 } });
});
