/** `@` references to files in a message. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { openReference, referencesIn, referenceTo } from "../../src/core/text/file-references.ts";

const paths = (text: string) => referencesIn(text).map(({ paths: [first] }) => first);

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("@", '"', "\\", "`", "```\n", "a", "/", ".", " ", "\n", "(", ")"))
    .map((all) => all.join("")),
);
const anyPath = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.string(),
    fc.constantFrom("my file.md", 'a"b', "a\\", "@scope/x", "`"),
  )
  .filter((path) => path !== "" && !/[\n\r\u2028\u2029]/.test(path) && path.length < 1000);

test("a reference begins a word and ends before the sentence's punctuation", () => {
  expect(paths("explain @src/app.ts and @README.md")).toEqual(["src/app.ts", "README.md"]);
  expect(paths('see @"my file.md", then (@a.ts)')).toEqual(["my file.md", "a.ts)"]);
  expect(referencesIn("read @a.ts.")[0]?.paths).toEqual(["a.ts.", "a.ts"]);
  expect(referencesIn("(in @a/b.ts).")[0]?.paths).toEqual(["a/b.ts).", "a/b.ts)", "a/b.ts"]);
  expect(paths("mail ada@example.org or a@b")).toEqual([]);
  expect(paths("@ alone, @@ -1,3 +1,4 @@")).toEqual([]);
});

test("only what looks like a path is worth a warning when it is missing", () => {
  const isPath = (text: string) => referencesIn(text).map((reference) => reference.isPath);
  expect(isPath('@src/ap.ts @.env @notes.md! @"plain"')).toEqual([true, true, true, true]);
  expect(isPath("@ada @angular/core @name.bsky.social, @app.route('/x')")).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("code contains no references", () => {
  expect(paths("use `@a.ts` and\n```py\n@b.ts\n```\n@c.ts")).toEqual(["c.ts"]);
});

test("any path that is written as a reference is read back, wherever it stands between words", () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      const written = referenceTo(path);
      expect(paths(`look at ${written} please`)).toEqual([path]);
      expect(paths(written)).toEqual([path]);
      expect(referencesIn(`(${written}).`)[0]?.paths).toContain(path);
    }),
  );
});

test("while a reference is typed, its beginning and its path are known", () => {
  expect(openReference("explain @src/a")).toEqual({ from: 8, path: "src/a" });
  expect(openReference("@")).toEqual({ from: 0, path: "" });
  expect(openReference('see @"my fi')).toEqual({ from: 4, path: "my fi" });
  expect(openReference('see @"my file.md" ')).toBeNull();
  expect(openReference("ada@ex")).toBeNull();
  expect(openReference("@a b")).toBeNull();
  fc.assert(
    fc.property(anyPath, fc.nat(), (path, cut) => {
      const written = referenceTo(path);
      const typed = written.slice(0, 1 + (cut % written.length));
      if (typed.endsWith("\\") || typed === written) return;
      expect(openReference(`see ${typed}`)?.from).toBe(4);
    }),
  );
});

test("any text is read without an error, in linear time, and each reference is in the text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      openReference(text);
      const plain = text.replaceAll("\\", "");
      for (const { paths: all } of referencesIn(text))
        for (const path of all) expect(plain).toContain(path.replaceAll("\\", ""));
    }),
  );
  for (const piece of ["@", "`", '@"', "@a.", " @", '@"\\', "(", "@)))"]) {
    referencesIn(piece.repeat(50_000));
    openReference(piece.repeat(50_000));
  }
});
