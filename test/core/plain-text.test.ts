/** Markdown as plain words. */
import { expect, test } from "bun:test";
import { plainInline } from "../../src/core/text/plain-text.ts";

test("tags of HTML are dropped, and any other text in angle brackets stays", () => {
  for (const [markdown, plain] of [
    ["parseAll returns List<String>, never <null>", "parseAll returns List<String>, never <null>"],
    ["a <b>bold</b> word<br/> and <!-- a note", "a bold word and a note"],
    ['<a href="x">here</a>', "here"],
    ["see <https://example.org/a>", "see https://example.org/a"],
  ] as const)
    expect(plainInline(markdown)).toBe(plain);
});
