/** An answer only cites recalled memories, whatever a model writes. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { checkCitations } from "../../src/agent/reflect/citations.ts";
import { searchIn } from "../../src/agent/reflect/reflect.ts";

const KNOWN = new Set(["3f9a2xw0c1", "plans/release-plan", "2026-11-15.md#10:30-4f1a2b", "message:12"]);
const check = (answer: string) => checkCitations(answer, KNOWN);

test("REFLECT-1: recalled ids stay and are listed in order, others are removed with their space", () => {
  for (const [answer, text, cited, removed] of [
    ["On Fridays [3f9a2xw0c1].", "On Fridays [3f9a2xw0c1].", ["3f9a2xw0c1"], []],
    ["On Fridays [zzzz000000], maybe.", "On Fridays, maybe.", [], ["zzzz000000"]],
    ["A [message:12][3f9a2xw0c1]", "A [message:12][3f9a2xw0c1]", ["message:12", "3f9a2xw0c1"], []],
    [
      "A [3f9a2xw0c1, bbbb000000; message:12]",
      "A [3f9a2xw0c1] [message:12]",
      ["3f9a2xw0c1", "message:12"],
      ["bbbb000000"],
    ],
    ["A [fact 3f9a2xw0c1] B [message 12]", "A [3f9a2xw0c1] B [message:12]", ["3f9a2xw0c1", "message:12"], []],
    ["A[3f9a2xw0c1] B[bbbb000000]", "A[3f9a2xw0c1] B", ["3f9a2xw0c1"], ["bbbb000000"]],
    [
      "A [plans/release-plan] [plans/other]",
      "A [plans/release-plan]",
      ["plans/release-plan"],
      ["plans/other"],
    ],
    [
      "A [2026-11-15.md#10:30-4f1a2b].",
      "A [2026-11-15.md#10:30-4f1a2b].",
      ["2026-11-15.md#10:30-4f1a2b"],
      [],
    ],
    ["A [message:13] B [1]", "A B", [], ["message:13", "1"]],
  ] as const)
    expect(check(answer)).toEqual({ text, cited: [...cited], removed: [...removed] });
});

test("REFLECT-1: brackets that aren't citations, and code, stay unchanged", () => {
  for (const answer of [
    "A [link](https://example.org/1) and ![image](a1.png)",
    "- [ ] open\n- [x] done",
    "He said [sic] on [2026-11-15], in [2026-11], at [10:30]",
    "see [https://example.org/a1]",
    "`list[zzzz000000]` and list[0]",
    "```ts\nconst a = [zzzz000000];\n```",
    "[some words 12]",
    "An open [3f9a2xw0c1",
  ])
    expect(check(answer)).toEqual({ text: answer, cited: [], removed: [] });
});

test("REFLECT-1: every id left in an answer was recalled, and no word is lost", () => {
  const piece = fc.constantFrom(
    ...[
      "On Fridays",
      " ",
      "\n",
      "[",
      "]",
      "[3f9a2xw0c1]",
      "[zzzz000000]",
      "[plans/x, message:12]",
      "`",
      "```",
      "(",
      "!",
      ",",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const answer = pieces.join("");
      const { text, cited, removed } = check(answer);
      for (const id of cited) expect(KNOWN.has(id)).toBe(true);
      for (const id of removed) expect(KNOWN.has(id)).toBe(false);
      const words = (said: string) => said.match(/On Fridays/g)?.length ?? 0;
      expect(words(text)).toBe(words(answer));
      expect(check(text).removed).toEqual([]);
    }),
  );
});

test("REFLECT-1: only a reply of one SEARCH: line triggers another search", () => {
  expect(searchIn("SEARCH: database migration")).toBe("database migration");
  expect(searchIn("\n SEARCH:Postgres \n")).toBe("Postgres");
  for (const reply of [
    "SEARCH:",
    "search: postgres",
    "I would SEARCH: postgres",
    "SEARCH: a\nSEARCH: b",
    "SEARCH: a\n\nWe moved in May.",
    `SEARCH: ${"x".repeat(301)}`,
  ])
    expect(searchIn(reply)).toBeNull();
});
