import { expect, test } from "bun:test";
import fc from "fast-check";
import { isNewName } from "../../src/core/documents/names.ts";
import { headingOf, idFor, slugify, titleOf } from "../../src/core/documents/slug.ts";

/** The rule for ASCII text. */
function asciiSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50)
    .replace(/-+$/, "");
}

const anyText = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
const asciiText = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
});

test("ID-1: the slug of ASCII text has lower case and dashes", () => {
  fc.assert(fc.property(asciiText, (text) => slugify(text) === asciiSlug(text)));
  expect(slugify("GPU Acceleration Patterns")).toBe("gpu-acceleration-patterns");
});

test("ID-1: other scripts keep their letters, Latin loses its accents", () => {
  expect(slugify("Café Größe")).toBe("cafe-grosse");
  expect(slugify("记忆 系统")).toBe("记忆-系统");
  expect(slugify("Мой проект")).toBe("мой-проект");
  expect(slugify("が ハ")).toBe("が-ハ");
  expect(slugify("한국어 메모")).toBe("한국어-메모");
  expect(slugify("हिन्दी नोट")).toBe("हिन्दी-नोट");
  expect(slugify("𝐁𝐨𝐥𝐝 ＦＵＬＬ")).toBe("bold-full");
  expect(slugify("🚀🚀")).toBe("");
});

test("ID-1: any slug is short, stable and, except for reserved words, a valid id", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const slug = slugify(text);
      expect(Array.from(slug).length).toBeLessThanOrEqual(50);
      expect(slugify(slug)).toBe(slug);
    }),
    { numRuns: 2_000 },
  );
});

test("ID-1: any title and content give a valid id", () => {
  fc.assert(
    fc.property(fc.option(anyText), anyText, (title, content) => isNewName("id", idFor({ title, content }))),
    { numRuns: 2_000 },
  );
});

test("ID-1: given, then title, then first heading, then hash", () => {
  const content = "intro\n\n# The Heading\n\n# Second";
  expect(idFor({ id: "own_Name.v2", title: "T", content })).toBe("own_Name.v2");
  expect(idFor({ title: "The Title!", content })).toBe("the-title");
  expect(idFor({ content })).toBe("the-heading");
  expect(idFor({ title: "🚀", content })).toBe("the-heading");
  expect(idFor({ content: "no heading" })).toMatch(/^[0-9a-f]{12}$/);
  expect(idFor({ title: "CON", content })).toBe("con-doc");
});

test("ID-1: a heading inside a code fence is not a heading", () => {
  expect(headingOf("```sh\n# install\n```\n\n# Real ##\n")).toBe("Real");
  expect(headingOf("~~~\n# a\n```\n# b\n~~~\n#no\n")).toBeNull();
  expect(headingOf("\r\n# With CR\r\nx")).toBe("With CR");
  expect(titleOf("\n  first line that is quite a bit longer than fifty characters, really\n")).toBe(
    "first line that is quite a bit longer than fifty c",
  );
  expect(titleOf("")).toBe("Untitled");
});
