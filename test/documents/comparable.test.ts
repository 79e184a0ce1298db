import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseMarkdown, printMarkdown, withFields } from "../../src/core/documents/frontmatter.ts";
import { comparable } from "../../src/documents/history.ts";

const RECORD = {
  version: 3,
  version_history: [
    { version: 2, created_at: "2026-01-01T00:00:00Z", created_by: "human" },
    { version: 3, updated_at: "2026-01-02T00:00:00Z", updated_by: "mcp" },
  ],
  updated_at: "2026-01-02T00:00:00Z",
  updated_by: "mcp",
};

test("what Retain records about a write is left out, and nothing else", () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.array(fc.string()),
    fc.array(fc.record({ a: fc.string() })),
  );
  const fields = fc.dictionary(fc.stringMatching(/^[a-z][a-z_ ]{0,8}[a-z]$/), value, { minKeys: 1 });
  fc.assert(
    fc.property(fields, fc.constantFrom("\n", "\r\n"), fc.string(), (own, eol, body) => {
      const others = Object.fromEntries(Object.entries(own).filter(([key]) => !(key in RECORD)));
      const plain = withFields(parseMarkdown(`---${eol}title: A${eol}---${eol}${body}`), others);
      expect(comparable(withFields(plain, RECORD))).toBe(printMarkdown(plain));
    }),
  );
});

test.each([
  ["a comment after the key", "version: 3\n# mine\ntitle: A\n", "# mine\ntitle: A\n"],
  ["a quoted key", '"version": 3\ntitle: A\n', "title: A\n"],
  ["a list that is not indented", "version_history:\n- version: 1\n\n- version: 2\ntitle: A\n", "title: A\n"],
  ["blank lines before the next key", "updated_by: human\n\ntitle: A\n", "\ntitle: A\n"],
  ["a key that starts alike", "version_of: 2\ntitle: A\n", "version_of: 2\ntitle: A\n"],
  ["a nested key", "app:\n  version: 2\n", "app:\n  version: 2\n"],
  ["a line of a text", "notes: |\n  a\n  version: 2\n", "notes: |\n  a\n  version: 2\n"],
])("%s", (_, yaml, left) => {
  expect(comparable(parseMarkdown(`---\n${yaml}---\nversion: 1\n`))).toBe(`---\n${left}---\nversion: 1\n`);
});
