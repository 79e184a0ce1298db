/** SPEC.md and the tests match: no rule without a test, and no test of a missing rule. Internals need no rule. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const TESTS = import.meta.dir;
const rules = [...readFileSync(join(TESTS, "../SPEC.md"), "utf8").matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(
  (match) => match[1] ?? "",
);
/** `test("…")`, and forms that need a program: `testNeeding("tmux")("…")`, `mounted("…")`, `testInBrowser("…")`. */
const TITLE = /^\s*(?:test|testNeeding\("[^"]+"\)|mounted|testInBrowser)\(\s*["`]([^"`]+)/gm;
const FILES = ["**/*.test.{ts,tsx}", "contract/*.ts"];
const titles = FILES.flatMap((files) => [...new Bun.Glob(files).scanSync(TESTS)]).flatMap((file) =>
  [...readFileSync(join(TESTS, file), "utf8").matchAll(TITLE)].map((match) => ({
    file,
    title: match[1] ?? "",
  })),
);

test("every rule has a test", () => {
  const cited = new Set(titles.map(({ title }) => /^([A-Z]+-\d+)/.exec(title)?.[1]));
  expect(rules.length).toBeGreaterThan(50);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules.filter((rule) => !cited.has(rule))).toEqual([]);
});

test("every rule that a test names exists", () => {
  const unknown = titles.filter(({ title }) => {
    const rule = /^([A-Z]+-\d+)/.exec(title)?.[1];
    return rule !== undefined && !rules.includes(rule);
  });
  expect(unknown).toEqual([]);
});
