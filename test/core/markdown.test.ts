/** The Markdown scanner: the kind of each line. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isCode, type LineKind, linesOf } from "../../src/core/text/markdown.ts";
import { blocksOf } from "../../src/core/text/markdown-blocks.ts";

const kinds = (text: string): LineKind[] => Array.from(linesOf(text), ({ kind }) => kind);

const line = fc.constantFrom(
  ..."text|# Heading|###### Deep|- item|* item|12) item|-|> quote|> - item|>|---|* * *|===|    indented|\ttab|  two".split(
    "|",
  ),
  ..."```|````|~~~|~~~~|```ts|~~~ a `b|``` a `b|   ```|     ```|- ```|- > ```|> ```|> ~~~|1. ~~~ sh|  ~~~|• ```".split(
    "|",
  ),
  ..."<!-- a|-->|<!-- a -->|<pre>|</pre>| | a\r||[MEMORY] fact".split("|"),
);
const texts = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, eol, isClosed]) => lines.join(eol) + (isClosed ? eol : ""));

test("the lines of a text add up to the text", () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: "binary" })), (text) => {
      const lines = [...linesOf(text)];
      expect(lines.map(({ start, next }) => text.slice(start, next)).join("")).toBe(
        text.replace(/^\uFEFF/, ""),
      );
      for (const { text: said, start, end, number } of lines) {
        expect(said).toBe(text.slice(start, end));
        expect(lines[number - 1]?.start).toBe(start);
      }
    }),
    { numRuns: 1000 },
  );
});

test("everything from a fence to its end is code, and an unclosed fence runs to the end", () => {
  const fences = fc.constantFrom("```", "~~~~", "  ```ts", "~~~ a `b");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), fences, (lines, fence) => {
      const mark = fence.trim().charAt(0);
      const closes = (text: string) => new RegExp(`^ {0,5}${mark}{3,}[ \\r]*$`).test(text);
      const inside = lines.filter((text) => !closes(text));
      const open = kinds([fence, ...inside].join("\n"));
      const whole = inside.at(-1) === "" ? inside.slice(0, -1) : inside;
      expect(open).toEqual(["fence", ...whole.map((): LineKind => "code")]);
      const closed = kinds([fence, ...inside, mark.repeat(5), "# After"].join("\n"));
      expect(closed.slice(inside.length + 1)).toEqual(["fence-end", "heading"]);
    }),
    { numRuns: 1000 },
  );
});

test("a line's kind depends only on the lines above it", () => {
  fc.assert(
    fc.property(texts, texts, (above, below) => {
      const text = above.endsWith("\n") || above === "" ? above : `${above}\n`;
      expect(kinds(text + below).slice(0, kinds(text).length)).toEqual(kinds(text));
    }),
    { numRuns: 1000 },
  );
});

test("no block but code reaches into a fence, and every line that isn't blank is in one block", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const blocks = blocksOf(text);
      for (const { kind, start, end } of linesOf(text)) {
        const around = blocks.filter((block) => block.start <= start && end <= block.end);
        if (kind === "blank") continue;
        expect(around).toHaveLength(1);
        if (isCode(kind) && kind !== "indented") expect(around[0]?.kind).toBe("code");
      }
    }),
    { numRuns: 1000 },
  );
});

/** Bun's own CommonMark parser, for texts without containers. */
test("fenced code, indented code and headings agree with CommonMark", () => {
  const simple = fc.constantFrom(
    ..."P|P|# P|## P ##|#P||```|````|~~~|~~~~ x|```js|  ```|``` `|   ~~~|    P|\tP|   P|***|> P".split("|"),
  );
  fc.assert(
    fc.property(fc.array(simple, { maxLength: 12 }), (lines) => {
      let count = 0;
      const text = lines.join("\n").replace(/P/g, () => `p${count++}.`);
      const html = Bun.markdown.html(text);
      const within = (element: RegExp) =>
        [...html.matchAll(element)].flatMap(([, inner]) => inner?.match(/p\d+\./g) ?? []);
      const scanned = (wanted: (kind: LineKind) => boolean) =>
        [...linesOf(text)].flatMap((one) => (wanted(one.kind) ? (one.text.match(/p\d+\./g) ?? []) : []));
      expect([text, scanned(isCode)]).toEqual([text, within(/<pre>([\s\S]*?)<\/pre>/g)]);
      expect([text, scanned((kind) => kind === "heading")]).toEqual([
        text,
        within(/<h[12][^>]*>([\s\S]*?)<\/h/g),
      ]);
    }),
    { numRuns: 2000 },
  );
});

test("fences in lists, quotes and comments, and lines that only look like fences", () => {
  const rows: [text: string, ...kinds: LineKind[]][] = [
    ["- ```sh\n  # a\n  ```\n# b", "fence", "code", "fence-end", "heading"],
    ["- a\n\n     ```\n     - b\n     ```\n- c", "item", "blank", "fence", "code", "fence-end", "item"],
    ["- ```\nb\n```", "fence", "code", "fence-end"],
    ["> ~~~\n> # a\n> ~~~\n> b", "fence", "code", "fence-end", "quote"],
    ["> ```\n> a\n# b", "fence", "code", "heading"],
    ["> ```\n\n- b", "fence", "blank", "item"],
    ["````\n```\n````  \na", "fence", "code", "fence-end", "text"],
    ["```\n``` js\n```", "fence", "code", "fence-end"],
    ["```\n~~~\n```", "fence", "code", "fence-end"],
    ["``` a ` b\nc", "text", "text"],
    ["a\n    ```\nb", "text", "text", "text"],
    ["    ```\n# a", "indented", "heading"],
    ["# ```\na", "heading", "text"],
    ["<!--\n```\n-->\n# a", "raw", "raw", "raw-end", "heading"],
  ];
  for (const [text, ...wanted] of rows) expect([text, ...kinds(text)]).toEqual([text, ...wanted]);
  const [first] = linesOf("1. ~~~ sh title=`a` \n");
  expect(first).toMatchObject({ kind: "fence", info: "sh title=`a`", head: { item: "1", length: 3 } });
});
