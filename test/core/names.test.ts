import { expect, test } from "bun:test";
import { join, resolve, sep } from "node:path";
import fc from "fast-check";
import { checkName, checkNewName, isComponent, isNewName } from "../../src/core/documents/names.ts";
import { RetainError } from "../../src/core/errors.ts";
import { MarkdownDocuments } from "../../src/files/documents.ts";

const nasty = ["", ".", "..", "../x", "a/b", "a\\b", "a\0b", "a\nb", ".hidden", "..x", "/etc/passwd"];
const refusedWhenNew = [
  ...nasty,
  "x..y",
  "trailing.",
  "-dash",
  "two words",
  "dot\u2024dot", // one dot leader
  "dot\uff0edot", // fullwidth full stop
  "dot\u3002dot",
  "\u2025x",
  "zero\u200bwidth",
  "rtl\u202etxt",
  "ＦＵＬＬ",
  "con",
  "NUL.txt",
  "lpt1",
  "x".repeat(101),
  "漢".repeat(80),
];

test("ID-3: unsafe names are rejected, each with an example", () => {
  for (const name of refusedWhenNew) {
    expect(isNewName("id", name)).toBe(false);
    expect(() => checkNewName("collection", name)).toThrow(RetainError);
  }
  expect(isNewName("id", "notes.md")).toBe(false);
  for (const name of ["memories", "Context", "skills", "banks", "spool", "collections"]) {
    expect(isNewName("collection", name)).toBe(false);
    expect(isNewName("id", name)).toBe(true);
  }
});

test("ID-3: ordinary names are accepted", () => {
  for (const name of ["a", "gpu-patterns", "v1.2_x", "2026", "记忆", "мой-проект", "हिन्दी", "README"])
    expect(isNewName("id", name)).toBe(true);
});

test("ID-3: a name that may be created may be looked up", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" })), (name) => {
      fc.pre(isNewName("id", name));
      return isComponent(name);
    }),
  );
});

test("ID-3: no name leads out of its directory", () => {
  const documents = new MarkdownDocuments("/workspace/collections", "/workspace");
  const name = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("..", ".", "/", "\\", "a", "\0", "%2e", "~"), { maxLength: 6 })
      .map((parts) => parts.join("")),
    fc.constantFrom(...nasty),
  );
  fc.assert(
    fc.property(name, name, (collection, id) => {
      try {
        const path = documents.pathOf({ collection, id });
        expect(path).toBe(join("/workspace/collections", collection, `${id}.md`));
        expect(resolve(path).split(sep).length).toBe(5);
      } catch (error) {
        expect(error).toBeInstanceOf(RetainError);
      }
    }),
    { numRuns: 3_000 },
  );
  for (const bad of nasty) expect(() => checkName("id", bad)).toThrow(RetainError);
});
