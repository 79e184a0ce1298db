import { expect, test } from "bun:test";
import fc from "fast-check";
import { MarkdownStream, renderMarkdown } from "../../src/tui/markdown/stream.ts";

/** Pieces of Markdown and terminal control sequences, in any order. */
const FRAGMENTS = [
  ..."\n \t-*+>#|_`~[]()<>!&\\:.'\"=",
  ...["\n", "\n\n", "  \n", "\\\n", "    ", "- ", "1. ", "2) ", "> ", "# ", "---\n", "===\n", "[ ] ", "[x] "],
  ...[
    "```",
    "```ts\n",
    "~~~",
    "```\n",
    "const a = `x",
    "/*",
    "*/",
    "<!--",
    "-->",
    "<div>\n",
    "</div>",
    "<br>",
  ],
  ...[
    "| a | b |\n",
    "|---|:-:|\n",
    "**",
    "__",
    "~~",
    "](https://a.b)",
    "![",
    "https://example.com/a?b=c",
    "a@b.cd",
  ],
  ...[
    "&amp;",
    "&#27;",
    "&#155;31m",
    "&#x1b;[1m",
    "\x1b",
    "\x1b[31m",
    "\x1b]0;t",
    "\x07",
    "\x9b",
    "31m",
    "\0",
  ],
  ...[
    "\r",
    "\r\n",
    "\u2028",
    "\u202e",
    "\ufe0f",
    "\u200d",
    "\u0301",
    "❤",
    "👩",
    "👩‍👩‍👧",
    "🇩🇪",
    "\ud83d",
    "\ude00",
  ],
  ...["漢字", "、", "（", "가", "각", "ﷺ", "क्षि", "ำ", "a", "word", "longer-word", "x".repeat(90)],
];
const soup = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...FRAGMENTS) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));
const width = fc.integer({ min: 2, max: 60 });
const colours = fc.boolean();

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

function expectSafe(lines: readonly string[], most: number, mayColour: boolean): void {
  for (const line of lines) {
    expect(Bun.stringWidth(line)).toBeLessThanOrEqual(most);
    expect(mayColour ? line.replace(/\x1b\[[\d;]+m/g, "") : line).not.toMatch(CONTROLS);
  }
}

test("TUI-4: for any text, no line is too wide or contains escape sequences other than colours", () => {
  fc.assert(
    fc.property(soup, width, colours, (text, most, mayColour) => {
      expectSafe(renderMarkdown(text, { width: most, colours: mayColour }), most, mayColour);
    }),
    { numRuns: 1500 },
  );
});

test("TUI-4: the lines do not depend on how the text is cut into pieces", () => {
  fc.assert(
    fc.property(
      soup,
      width,
      colours,
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (text, most, mayColour, cuts) => {
        const stream = new MarkdownStream({ colours: mayColour });
        const lines: string[] = [];
        for (let at = 0; at < text.length; ) {
          const length = cuts.next().value ?? 1;
          stream.push(text.slice(at, at + length));
          at += length;
          lines.push(...stream.take(most));
          expectSafe(stream.live(most), most, mayColour);
        }
        stream.end();
        lines.push(...stream.take(most));
        expect(stream.live(most)).toEqual([]);
        expect(lines).toEqual(renderMarkdown(text, { width: most, colours: mayColour }));
      },
    ),
    { numRuns: 1000 },
  );
});

test("TUI-4: the lines of long blocks do not depend on the pieces either", () => {
  const line = fc.constantFrom(
    "",
    "a",
    "let a = `b",
    "/*",
    "*/",
    "`",
    "'x' // y",
    "| a | b",
    "- a",
    "  b",
    "long ".repeat(30),
  );
  const opening = fc.constantFrom(
    "```ts\n",
    "```html\n",
    "```\n",
    "    ",
    "|a|b|\n|-|-|\n",
    "- ",
    "> ",
    "<pre>\n",
    "",
  );
  fc.assert(
    fc.property(
      opening,
      fc.array(line, { minLength: 60, maxLength: 200 }),
      fc.integer({ min: 1, max: 300 }),
      (start, rows, cut) => {
        const text = start + rows.join("\n");
        const stream = new MarkdownStream({ colours: true });
        const lines: string[] = [];
        for (let at = 0; at < text.length; at += cut) {
          stream.push(text.slice(at, at + cut));
          lines.push(...stream.take(50));
        }
        stream.end();
        lines.push(...stream.take(50));
        expect(lines).toEqual(renderMarkdown(text, { width: 50, colours: true }));
      },
    ),
    { numRuns: 60 },
  );
});

const word = fc.stringMatching(/^[a-z]{1,9}$/);
const styledWord = fc
  .tuple(word, fc.constantFrom("", "*", "**", "`", "~~"))
  .map(([text, mark]) => ({ text, written: mark + text + mark }));

test("TUI-4: every word of a paragraph is shown in order, in any container", () => {
  const prefix = fc.constantFrom("", "- ", "1. ", "> ", "# ", "> - ", "- [x] ");
  fc.assert(
    fc.property(fc.array(styledWord, { minLength: 1, maxLength: 40 }), prefix, width, (words, mark, most) => {
      const text = mark + words.map(({ written }) => written).join(" ");
      const shown = renderMarkdown(text, { width: most, colours: true }).map((line) => Bun.stripANSI(line));
      const letters = shown.join("").replace(/\[x\]|[^a-z]/g, "");
      expect(letters).toBe(words.map((each) => each.text).join(""));
    }),
    { numRuns: 500 },
  );
});

const SIZE = 100_000;
const filled = (unit: string) => unit.repeat(Math.ceil(SIZE / unit.length));
const PATHOLOGICAL: Readonly<Record<string, string>> = {
  "nested quotes": "> ".repeat(10_000),
  "nested lists": filled("- "),
  "lists by indentation": Array.from({ length: 550 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n"),
  emphasis: filled("*a_"),
  "strong emphasis": filled("**a *"),
  brackets: filled("["),
  "links without ends": filled("[a]("),
  backticks: filled("` `` ``` "),
  tags: filled("<a "),
  comments: filled("<!-- "),
  spaces: `a${filled(" ")}b`,
  "one word": filled("a"),
  "zero-width characters": filled("\u200b"),
  "combining characters": `a${filled("\u0301")}`,
  "Chinese without spaces": filled("漢字"),
  escapes: filled("\x1b["),
  "titles of a terminal": filled("\x1b]"),
  "a table of many rows": `|a|b|\n|-|-|\n${filled("|c|d|\n")}`,
  "a table of many columns": `${"|a".repeat(1200)}\n${"|-".repeat(1200)}\n${filled("|\n")}`,
  bars: filled("|-"),
  "code without an end": `\`\`\`ts\n${filled("`${`")}`,
  "a comment without an end": `\`\`\`js\n/*${filled("a b c\n")}`,
  entities: filled("&#27;"),
  addresses: filled("http://a@"),
  mixed: filled("> - # `*[\n"),
};

for (const [name, text] of Object.entries(PATHOLOGICAL))
  test(`TUI-4: no line of a long text that is hard to parse is too wide or contains escape sequences: ${name}`, () => {
    expectSafe(renderMarkdown(text, { width: 80, colours: true }), 80, true);
  });

test("TUI-4: a text with hundreds of marks is shown as it is", () => {
  const text = "*a* ".repeat(300).trim();
  expect(renderMarkdown(text, { width: 80, colours: true }).join(" ")).toBe(text);
});
