import { expect, test } from "bun:test";
import { renderMarkdown } from "../../src/tui/markdown/stream.ts";

const plain = (text: string, width: number) => renderMarkdown(text, { width, colours: false });

const TABLE = [
  "| Name | Age | Notes |",
  "|:-----|----:|:-----:|",
  "| Bob | 7 | likes **cheese** |",
  "| Alice | 123 | a longer note, with `a\\|b` in it |",
].join("\n");

test("MD-1: a table has aligned columns, as wide as their cells if there is room", () => {
  expect(plain(TABLE, 80)).toEqual([
    "Name  │ Age │              Notes",
    "──────┼─────┼────────────────────────────────",
    "Bob   │   7 │          likes cheese",
    "Alice │ 123 │ a longer note, with `a|b` in it",
  ]);
});

test("MD-1: narrow columns wrap their cells and separate rows with lines", () => {
  expect(plain(TABLE, 40)).toEqual([
    "Name  │ Age │           Notes",
    "──────┼─────┼───────────────────────────",
    "Bob   │   7 │        likes cheese",
    "──────┼─────┼───────────────────────────",
    "Alice │ 123 │ a longer note, with `a|b`",
    "      │     │           in it",
  ]);
});

test("MD-1: if words do not fit into columns, rows become blocks of names and values", () => {
  expect(plain(TABLE, 16)).toEqual([
    "Name: Bob",
    "Age: 7",
    "Notes: likes",
    "  cheese",
    "",
    "Name: Alice",
    "Age: 123",
    "Notes: a longer",
    "  note, with",
    "  `a|b` in it",
  ]);
});

test("MD-1: Chinese text in a table is measured at its display width", () => {
  expect(plain("a | 名前\n--|--\n漢字 | x\n👩‍👩‍👧 | e\u0301", 40)).toEqual([
    "a    │ 名前",
    "─────┼─────",
    "漢字 │ x",
    "👩‍👩‍👧   │ e\u0301",
  ]);
});

test("MD-1: a table's header is bold and its lines are faint", () => {
  expect(renderMarkdown("|a|b|\n|-|-|\n|c|d|", { width: 80, colours: true })).toEqual([
    "\x1b[1ma\x1b[22m \x1b[2m│\x1b[22m \x1b[1mb\x1b[22m",
    "\x1b[2m──┼──\x1b[22m",
    "c \x1b[2m│\x1b[22m d",
  ]);
});

test("MD-1: rows may have too few cells or too many; a line without a bar ends the table", () => {
  expect(plain("text before\n|a|b|\n|-|-|\n|1|\n|2|3|4|\nafter", 40)).toEqual([
    "text before",
    "",
    "a │ b",
    "──┼──────",
    "1 │",
    "2 │ 3 | 4",
    "",
    "after",
  ]);
  expect(plain("|a|b|\n|-|", 40)).toEqual(["|a|b| |-|"]);
  expect(plain("|a|b|\n|-|-|", 40)).toEqual(["a │ b", "──┼──"]);
});

test("MD-1: the first rows of a long table determine its column widths, with extra room", () => {
  const rows = Array.from(
    { length: 60 },
    (_, index) => `| ${index} | ${"word ".repeat(index > 40 ? 4 : 1)}|`,
  );
  const lines = plain(["|n|text|", "|-:|-|", ...rows].join("\n"), 40);
  expect(lines.slice(0, 3)).toEqual(["   n │ text", "─────┼─────────", "   0 │ word"]);
  expect(lines.slice(-4)).toEqual(["  59 │ word", "     │ word", "     │ word", "     │ word"]);
});
