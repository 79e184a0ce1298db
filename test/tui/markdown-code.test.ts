import { expect, test } from "bun:test";
import { join } from "node:path";
import { renderMarkdown } from "../../src/tui/markdown/stream.ts";

const plain = (text: string, width: number) => renderMarkdown(text, { width, colours: false });
const coloured = (text: string, width: number) => renderMarkdown(text, { width, colours: true });
/** The lines of one code block, without the rules above and below. */
const code = (text: string, width: number) => coloured(text, width).slice(1, -1);

test("MD-1: code in a known language is highlighted", () => {
  expect(code('```ts\nconst a = "b"; // c\n```', 80)).toEqual([
    '\x1b[35mconst\x1b[39m a = \x1b[32m"b"\x1b[39m; \x1b[2m// c\x1b[22m',
  ]);
  expect(code("~~~Python title=x\nreturn 1\n~~~", 80)).toEqual(["\x1b[35mreturn\x1b[39m \x1b[36m1\x1b[39m"]);
});

const SAMPLES = {
  typescript: "const a = 1",
  javascript: "const a = 1",
  json: '{"a": 1}',
  python: "return 1",
  bash: "echo 'a'",
  shell: "$ echo 'a'",
  sql: "SELECT 1",
  rust: "let a = 1;",
  go: "return 1",
  java: "return 1;",
  c: "return 1;",
  cpp: "return 1;",
  csharp: "return 1;",
  ruby: "return 1",
  php: "return 1;",
  yaml: "a: 1",
  html: "<a b='c'>",
  css: "a { color: red }",
  markdown: "# a",
  diff: "+a",
  dockerfile: "FROM a",
  kotlin: "return 1",
  swift: "return 1",
  toml: "a = 1",
};

test("MD-1: these languages are known", () => {
  for (const [language, sample] of Object.entries(SAMPLES)) {
    const [line = ""] = code(`\`\`\`${language}\n${sample}\n\`\`\``, 80);
    expect({ language, text: Bun.stripANSI(line) }).toEqual({ language, text: sample });
    expect({ language, coloured: line !== sample && !line.startsWith(`\x1b[36m${sample}`) }).toEqual({
      language,
      coloured: true,
    });
  }
});

test("MD-1: code in any other language has one colour", () => {
  expect(code("```brainfuck\n+[-]\n\n.\n```", 80)).toEqual(["\x1b[36m+[-]\x1b[39m", "", "\x1b[36m.\x1b[39m"]);
  expect(code("```constructor\na\n```", 80)).toEqual(["\x1b[36ma\x1b[39m"]);
});

test("MD-1: code stands between rules with the language's name, and its lines have no prefix", () => {
  for (const width of [12, 30])
    expect(coloured("Text\n\n```TS\na\n  b\n```\nText", width).map((line) => Bun.stripANSI(line))).toEqual([
      "Text",
      "",
      `── ts ${"─".repeat(width - 6)}`,
      "a",
      "  b",
      "─".repeat(width),
      "",
      "Text",
    ]);
  const [above = ""] = coloured(`\`\`\`${"language".repeat(20)}\na\n\`\`\``, 20);
  expect(Bun.stringWidth(above)).toBe(20);
});

test("MD-1: a long line of code breaks between words or names, and its rest is indented further", () => {
  const text = "```\n  if (a)   b;\n\treturn 'a long line of code that is cut where it ends';\n\n  \nc\n```";
  expect(plain(text, 40)).toEqual([
    "```",
    "  if (a)   b;",
    "    return 'a long line of code that is",
    "      cut where it ends';",
    "",
    "  ",
    "c",
    "```",
  ]);
  expect(plain(text, 80)[2]).toBe("    return 'a long line of code that is cut where it ends';");
  expect(plain("```\n  line.trim().split(comma).filter(Boolean)\n```", 20)).toEqual([
    "```",
    "  line.trim().split(",
    "    comma).filter(",
    "    Boolean)",
    "```",
  ]);
});

test("MD-1: indented code, code in a list, empty code and unclosed code are shown", () => {
  expect(plain("text\n\n    a\n\n\n      b\n\nafter", 40)).toEqual([
    "text",
    "",
    "a",
    "",
    "",
    "  b",
    "",
    "after",
  ]);
  expect(plain("1. x\n   ```\n   a\n     b\n   ```\n2. y", 40)).toEqual([
    ...["1. x", "   ```", "   a", "     b", "   ```", "2. y"],
  ]);
  expect(coloured("a\n\n```\n```\n\nb", 40)).toEqual(["a", "", "b"]);
  expect(plain("````\n```\n````\n```", 40)).toEqual(["````".slice(1), "```", "```"]);
  expect(plain("```\na\n\n# b", 40)).toEqual(["```", "a", "", "# b", "```"]);
});

test("MD-1: a comment of many lines keeps its colour to the end", () => {
  const comment = Array.from({ length: 40 }, (_, index) => ` * line ${index} of return and const`);
  const source = ["const a = 1;", "const b = 2;", "/**", ...comment, " */", "const c = 3;"];
  const lines = code(["```ts", ...source, "```"].join("\n"), 80);
  expect(lines.map((line) => Bun.stripANSI(line))).toEqual(source);
  for (const line of lines.slice(2, 44)) expect(line).toMatch(/^\x1b\[2m[^\x1b]*\x1b\[22m$/);
  expect(lines.at(-1)).toBe("\x1b[35mconst\x1b[39m c = \x1b[36m3\x1b[39m;");
});

test("MD-1: a colour that spans lines is closed and reopened on each", () => {
  expect(code("```js\nf('aaaa bbbb cccc')\n```", 12)).toEqual([
    "\x1b[1mf\x1b[22m(\x1b[32m'aaaa bbbb\x1b[39m",
    "  \x1b[32mcccc'\x1b[39m)",
  ]);
});

test("MD-1: colours do not depend on what was shown before", () => {
  const page = "```html\n<script>\nconst a = 1;\n</script>\n<style>a { color: red }</style>\n```";
  const source = join(import.meta.dir, "../../src/tui/markdown/stream.ts");
  const script = `import { renderMarkdown } from ${JSON.stringify(source)};
    console.log(JSON.stringify(renderMarkdown(${JSON.stringify(page)}, { width: 80, colours: true })));`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script]);
  for (const language of Object.keys(SAMPLES)) coloured(`\`\`\`${language}\na\n\`\`\``, 80);
  expect(JSON.parse(stdout.toString())).toEqual(coloured(page, 80));
});
