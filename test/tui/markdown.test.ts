import { expect, test } from "bun:test";
import { renderMarkdown } from "../../src/tui/markdown/stream.ts";

const plain = (text: string, width: number) => renderMarkdown(text, { width, colours: false });
const coloured = (text: string, width: number) => renderMarkdown(text, { width, colours: true });

const LOREM = "The quick brown fox jumps over the lazy dog, and then it does so once more.";

test("MD-1: paragraphs are wrapped between words, with one empty line between blocks", () => {
  const text = `${LOREM}\nOn a new line of the text.\n\n\n\nSecond.`;
  expect(plain(text, 40)).toEqual([
    "The quick brown fox jumps over the lazy",
    "dog, and then it does so once more. On a",
    "new line of the text.",
    "",
    "Second.",
  ]);
  expect(plain(text, 80)).toEqual([
    "The quick brown fox jumps over the lazy dog, and then it does so once more. On a",
    "new line of the text.",
    "",
    "Second.",
  ]);
});

test("MD-1: a hard line break stays", () => {
  const text = "one  \ntwo\\\nthree<br>four\nfive";
  expect(plain(text, 40)).toEqual(["one", "two", "three", "four five"]);
  expect(plain(text, 80)).toEqual(["one", "two", "three", "four five"]);
});

test("MD-1: headings with marks and with underlines", () => {
  const text = `# One #\n## ${LOREM}\ntext\n\nThree\n===\nFour\n---\n####### no heading`;
  expect(plain(text, 40)).toEqual([
    "# One",
    "",
    "## The quick brown fox jumps over the",
    "   lazy dog, and then it does so once",
    "   more.",
    "",
    "text",
    "",
    "# Three",
    "",
    "## Four",
    "",
    "####### no heading",
  ]);
  expect(coloured("# A **b** c\n## D\n### E", 80)).toEqual([
    "\x1b[1;4mA b c\x1b[24;22m",
    "",
    "\x1b[1mD\x1b[22m",
    "",
    "\x1b[1;3mE\x1b[22;23m",
  ]);
});

test("MD-1: emphasis, strong, strikethrough, code", () => {
  const text = "*a* **b** ~~c~~ `d  e` snake_case_word 2 * 3 * 4 \\*f\\* ***g***";
  expect(coloured(text, 80)).toEqual([
    [
      "\x1b[3ma\x1b[23m \x1b[1mb\x1b[22m \x1b[9mc\x1b[29m \x1b[36md  e\x1b[39m",
      "snake_case_word 2 * 3 * 4 *f* \x1b[3;1mg\x1b[23;22m",
    ].join(" "),
  ]);
  expect(plain(text, 40)).toEqual(["a b ~~c~~ `d  e` snake_case_word 2 * 3 *", "4 *f* g"]);
});

const LINK = "\x1b]8;;";
const linked = (text: string, width = 80) => renderMarkdown(text, { width, colours: true, links: true });

test("MD-7: where the terminal opens links, a link is its text; each line closes the link it opens", () => {
  const open = (address: string) => `${LINK}${address}\x1b\\`;
  expect(linked("[the text](https://a.example/b)")).toEqual([
    `${open("https://a.example/b")}\x1b[4mthe text${open("")}\x1b[24m`,
  ]);
  for (const line of linked("[many words of text](https://a.example/b)", 10))
    expect(line).toMatch(
      /^\x1b\]8;;https:\/\/a\.example\/b\x1b\\\x1b\[4m[a-z ]+(\x1b\[24m\x1b\]8;;\x1b\\|\x1b\]8;;\x1b\\\x1b\[24m)$/,
    );
  expect(linked("|a|\n|-|\n|[x](https://a.example)|").at(-1)).toContain(open("https://a.example"));
  expect(renderMarkdown("[a](https://a.example)", { width: 80, colours: false, links: true })).toEqual([
    "a (https://a.example)",
  ]);
});

test("MD-7: an address of another kind, or with control characters, is shown as text and never as a link", () => {
  for (const address of [
    "javascript:alert(1)",
    "JavaScript:alert",
    "file:///etc/passwd",
    "data:text/html,x",
    "vscode://x",
    "/etc/passwd",
    "https://a&#27;]0;x",
    "https://a.example/&#7;",
    "https://a.example/&#10;b",
  ]) {
    const lines = linked(`[text](${address}) [text](<${address}>)`);
    expect([address, lines.join("").includes("\x1b]")]).toEqual([address, false]);
  }
  expect(linked("[a](javascript:alert)").map((line) => Bun.stripANSI(line))).toEqual([
    "a (javascript:alert)",
  ]);
});

test("MD-7: a text that looks like another address does not hide the real one", () => {
  for (const text of ["https://bank.example", "bank.example", "bank.example/login", "me@bank.example"])
    expect(Bun.stripANSI(linked(`[${text}](https://evil.example)`).join(""))).toBe(
      `${text} (https://evil.example)`,
    );
  expect(Bun.stripANSI(linked("[a.example](https://a.example/)").join(""))).toBe("a.example");
});

test("MD-1: a link shows its address unless its text does", () => {
  const text =
    "[text](https://a.example/b) <https://c.example> https://d.example [d.example](https://d.example/) a@b.example ![alt](i.png)";
  expect(plain(text, 40)).toEqual([
    "text (https://a.example/b)",
    "https://c.example https://d.example",
    "d.example a@b.example alt (i.png)",
  ]);
  expect(coloured("[text](https://a.example/b)", 80)).toEqual([
    "\x1b[4mtext\x1b[24m \x1b[2m(https://a.example/b)\x1b[22m",
  ]);
});

test("MD-1: references are shown as written", () => {
  expect(plain("See [one][1] and [two].\n\n[1]: https://a.example\n[two]: /b", 80)).toEqual([
    "See [one][1] and [two].",
    "",
    "[1]: https://a.example [two]: /b",
  ]);
});

test("MD-1: entities by name or number", () => {
  expect(plain("&hearts; &NotEqualTilde; &#0;&#xd800; &toString; &copy", 80)).toEqual([
    "♥ ≂̸ \ufffd\ufffd &toString; &copy",
  ]);
  expect(plain("a&#9;b&Tab;c&NewLine;d", 80)).toEqual(["a b c d"]);
  expect(plain("&lt;a&gt; &amp;amp; &#65;&#x42; &mdash; &unknown; `&lt;`", 80)).toEqual([
    "<a> &amp; AB — &unknown; `&lt;`",
  ]);
});

test("MD-1: nested, numbered and task lists with hanging indents", () => {
  const text = [
    "- one",
    `- ${LOREM}`,
    "  - nested",
    "    more of it",
    "    1. deep",
    "    1. deeper",
    "  - [ ] open",
    "  - [x] done",
    "",
    "- after an empty line",
    "+ another list",
    "9. nine",
    "10. ten",
    "",
    "    second paragraph",
    "-",
  ].join("\n");
  expect(plain(text, 40)).toEqual([
    "• one",
    "• The quick brown fox jumps over the",
    "  lazy dog, and then it does so once",
    "  more.",
    "  ◦ nested more of it",
    "    1. deep",
    "    2. deeper",
    "  [ ] open",
    "  [x] done",
    "",
    "• after an empty line",
    "",
    "• another list",
    "",
    "9. nine",
    "10. ten",
    "",
    "    second paragraph",
    "",
    "•",
  ]);
  expect(plain(text, 80).slice(0, 4)).toEqual([
    "• one",
    "• The quick brown fox jumps over the lazy dog, and then it does so once more.",
    "  ◦ nested more of it",
    "    1. deep",
  ]);
  expect(coloured("- a\n1. b", 80)).toEqual(["\x1b[36m•\x1b[39m a", "", "\x1b[36m1.\x1b[39m b"]);
});

test("MD-1: a bullet indented by two columns is inside the numbered item above it", () => {
  expect(plain("1. a\n  - b\n  - c\n2. d", 80)).toEqual(["1. a", "   ◦ b", "   ◦ c", "2. d"]);
});

test("MD-1: a paragraph is interrupted by a list, but not by a number in it", () => {
  expect(plain("There were\n1986. Good year.\nSee:\n- a\n* * *\nEnd", 40)).toEqual([
    "There were 1986. Good year. See:",
    "",
    "• a",
    "",
    "─".repeat(40),
    "",
    "End",
  ]);
});

test("MD-1: nested quotes with lists and code", () => {
  const text = `> ${LOREM}\nlazy\n>\n> - item\n> > inner\n>\n> \`\`\`\n> code\n> \`\`\`\nafter`;
  expect(plain(text, 40)).toEqual([
    "│ The quick brown fox jumps over the",
    "│ lazy dog, and then it does so once",
    "│ more. lazy",
    "│",
    "│ • item",
    "│",
    "│ │ inner",
    "│",
    "│ ```",
    "│ code",
    "│ ```",
    "",
    "after",
  ]);
  expect(coloured("> a", 80)).toEqual(["\x1b[2m│\x1b[22m a"]);
});

test("MD-1: rules fill the width", () => {
  expect(plain("---", 40)).toEqual(["─".repeat(40)]);
  expect(plain("> * * *", 80)).toEqual([`│ ${"─".repeat(78)}`]);
});

test("MD-1: HTML is shown as text", () => {
  const text = "<div>\n  **no**  \n</div>\n\n<!-- a\n\n# b\n-->\na <b>c</b> <kbd>d</kbd>";
  expect(plain(text, 40)).toEqual([
    "<div>",
    "  **no**",
    "</div>",
    "",
    "<!-- a",
    "",
    "# b",
    "-->",
    "",
    "a <b>c</b> <kbd>d</kbd>",
  ]);
});

test("MD-1: nesting deeper than twelve levels is text", () => {
  expect(plain(`${"> ".repeat(14)}x`, 80)).toEqual([`${"│ ".repeat(12)}> > x`]);
  expect(plain(`${"> ".repeat(12)}x`, 24)).toEqual([`${"│ ".repeat(6)}x`]);
});

test("MD-1: without colours there are no escape sequences, and meaningful marks stay", () => {
  const text = "# A\n\n**b** *c* ~~d~~ `e` [f](g)\n\n```ts\nlet h;\n```\n\n> i\n\n|j|\n|-|\n|k|";
  expect(plain(text, 80)).toEqual([
    ...["# A", "", "b c ~~d~~ `e` f (g)", "", "```ts", "let h;", "```", "", "│ i", "", "j", "─", "k"],
  ]);
});

test("MD-4: no terminal control sequence comes through", () => {
  const cases = {
    "a\x1b[31mb\x1b[0mc": "abc",
    "a\x1b]0;title\x07b": "ab",
    "a\x1b]8;;https://x\x1b\\b": "ab",
    "a\x9b2Jb\x90q\x9cc": "abc",
    "a\x1bPdevice\nb": "a b",
    "a\x1b(Bb\x1bcc": "abc",
    "a\0\x07\x08\x0b\x7f\x85b": "ab",
    "a\u202eb\u2066c": "abc",
    "a\r\nb\rc\u2028d": "a b c d",
    "a&#27;[31mb&#x9b;1mc&#7;d": "abcd",
    "[a&#27;](https://b&#27;[2m) `&#27;`": "a (https://b) `&#27;`",
  };
  for (const [text, line] of Object.entries(cases)) expect(plain(text, 80)).toEqual([line]);
  expect(plain("```\na\x1b[31mb\n```", 80)).toEqual(["```", "ab", "```"]);
  expect(plain("```\x1b[31mts\n\x1b[2Jx\n```", 80)).toEqual(["```ts", "x", "```"]);
});

test("MD-1: Chinese and Japanese are wrapped between characters, and no line starts with a closing character", () => {
  const text = "你好世界，这是一个很长的中文段落。日本語（にほんご）も同じです。한국어는 단어 사이";
  expect(plain(text, 12)).toEqual([
    "你好世界，这",
    "是一个很长的",
    "中文段落。日",
    "本語（にほん",
    "ご）も同じで",
    "す。한국어는",
    "단어 사이",
  ]);
  expect(plain("hello 你好世界", 10)).toEqual(["hello 你好", "世界"]);
  expect(plain("你好世界一二。三", 12)).toEqual(["你好世界一", "二。三"]);
  expect(plain("你好世界一（二）", 12)).toEqual(["你好世界一", "（二）"]);
  expect(plain("漢字\nかな\nlatin\n漢字", 40)).toEqual(["漢字かな latin 漢字"]);
});

test("MD-1: emoji and combining characters are never cut, and are measured at their display width", () => {
  expect(plain("👩‍👩‍👧".repeat(5), 4)).toEqual(["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]);
  expect(plain("🇩🇪🇫🇷🇯🇵", 5)).toEqual(["🇩🇪🇫🇷", "🇯🇵"]);
  expect(plain("e\u0301".repeat(5), 3)).toEqual(["e\u0301".repeat(3), "e\u0301".repeat(2)]);
  expect(plain("- ❤️ a\n- 1️⃣ b", 5)).toEqual(["• ❤️", "  a", "• 1️⃣", "  b"]);
});

test("MD-1: a word longer than a line is cut", () => {
  expect(plain("see https://example.com/a/long/path ok", 16)).toEqual([
    "see",
    "https://example.",
    "com/a/long/path",
    "ok",
  ]);
});
