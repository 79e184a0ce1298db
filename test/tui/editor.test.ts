/** The input's editor: after any edits, the cursor is between graphemes, and nothing throws. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { contentOf, type Edit, type Editor, EMPTY, edit } from "../../src/tui/editor/editor.ts";
import { widthOf } from "../../src/tui/editor/graphemes.ts";
import { cellOf, rowsOf, shownRow } from "../../src/tui/editor/rows.ts";

const MOVES = [
  "left",
  "right",
  "word-left",
  "word-right",
  "line-start",
  "line-end",
  "backspace",
  "delete",
  "cut-to-start",
  "cut-to-end",
  "cut-run-before",
  "cut-word-before",
  "cut-word-after",
  "yank",
  "yank-older",
  "undo",
  "clear",
] as const;

const ODD = [
  "é",
  "e\u0301",
  "\u0301",
  "👨‍👩‍👧",
  "🇩🇪",
  "\u200d",
  "漢字",
  "1️⃣",
  "\ud83d",
  "\u{f0000}",
  "\t",
  "\x1b[31m",
  "\r\n",
  "  ",
  "한",
  "ᄒ",
  "ᅡ",
];

const text = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...ODD, "word ", "a b", "e", "\n") },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(""));

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constantFrom(...MOVES).map((type) => ({ type })),
  fc.record({ type: fc.constantFrom("insert" as const, "paste" as const, "set" as const), text }),
  fc.record({ type: fc.constant("paste" as const), text: text.map((line) => `${line}x\n`.repeat(12)) }),
  fc.record({
    type: fc.constantFrom("up" as const, "down" as const),
    width: fc.integer({ min: 1, max: 20 }),
  }),
);

function after(edits: readonly Edit[], start: Editor = EMPTY): Editor {
  return edits.reduce(edit, start);
}

/** The boundaries between graphemes. A fold is always one grapheme. */
function gaps(line: string): Set<number> {
  const found = new Set([0, line.length]);
  for (const { index } of new Intl.Segmenter("en").segment(line)) found.add(index);
  for (const match of line.matchAll(/[\u{f0000}-\u{ffffd}]/gu)) found.add(match.index + 2);
  return found;
}

function typed(value: string): Editor {
  return edit(EMPTY, { type: "insert", text: value });
}

function type(editor: Editor, ...types: readonly (typeof MOVES)[number][]): Editor {
  return after(
    types.map((name) => ({ type: name })),
    editor,
  );
}

test("TUI-1: the cursor is always between two graphemes", () => {
  fc.assert(
    fc.property(fc.array(anyEdit, { maxLength: 40 }), (edits) => {
      const editor = after(edits);
      const lineStart = editor.text.slice(0, editor.cursor).lastIndexOf("\n") + 1;
      const lineEnd = `${editor.text}\n`.indexOf("\n", editor.cursor);
      expect(gaps(editor.text.slice(lineStart, lineEnd)).has(editor.cursor - lineStart)).toBe(true);
      expect(editor.text.isWellFormed()).toBe(true);
      expect(contentOf(editor)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u{f0000}-\u{ffffd}]/u);
    }),
    { numRuns: 500 },
  );
});

test("TUI-1: after a character that joins its neighbour, the cursor is after both", () => {
  const joined = edit(type(typed("\u0301"), "line-start"), { type: "insert", text: "e" });
  expect([joined.text, joined.cursor]).toEqual(["e\u0301", 2]);
  expect(type(joined, "backspace").text).toBe("");
  // Nothing joins with a paste.
  const pasted = edit(edit(EMPTY, { type: "paste", text: "x\n".repeat(20) }), {
    type: "insert",
    text: "\u0301",
  });
  expect(contentOf(type(pasted, "backspace"))).toBe("x\n".repeat(20));
});

test("TUI-1: every edit can be undone, and as many backspaces remove what was inserted", () => {
  fc.assert(
    fc.property(fc.array(anyEdit, { maxLength: 15 }), anyEdit, (edits, last) => {
      const editor = after(edits);
      const next = edit(editor, last);
      if (last.type === "undo" || next.text === editor.text) return;
      const typing = editor.last === "type" && next.last === "type";
      if (!typing && last.type !== "yank-older") expect(edit(next, { type: "undo" }).text).toBe(editor.text);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(text, fc.stringMatching(/^[a-z ]{0,9}$/), (before, word) => {
      const editor = typed(`${before}.`);
      const longer = edit(editor, { type: "insert", text: word });
      const back = type(longer, ...Array.from(word, () => "backspace" as const));
      expect([back.text, back.cursor]).toEqual([editor.text, editor.cursor]);
    }),
  );
});

test("TUI-1: the cursor moves and cuts by word and line as in a shell, and cut text can be pasted", () => {
  const editor = typed("one two-three\nfour");
  expect(type(editor, "cut-word-before").text).toBe("one two-three\n");
  expect(type(editor, "line-start", "left", "cut-word-before").text).toBe("one two-\nfour");
  expect(type(editor, "line-start", "left", "cut-run-before").text).toBe("one \nfour");
  expect(type(editor, "cut-to-start", "cut-to-start", "cut-to-start").text).toBe("");
  expect(type(editor, "cut-to-start", "cut-to-start", "cut-to-start", "yank").text).toBe(editor.text);
  const second = edit(type(editor, "cut-to-start"), { type: "insert", text: "a b" });
  expect(type(second, "cut-word-before", "yank").text).toBe("one two-three\na b");
  expect(type(second, "cut-word-before", "yank", "yank-older").text).toBe("one two-three\na four");
  expect(type(edit(typed("\nx"), { type: "up", width: 9 }), "delete").text).toBe("x");
  expect(type(edit(typed("\nx"), { type: "up", width: 9 }), "line-start").cursor).toBe(0);
  expect(type(editor, "word-left", "word-left", "cut-to-end").text).toBe("one two-\nfour");
  expect(type(editor, "word-left", "word-left", "word-left", "cut-word-after").text).toBe("one -three\nfour");
});

test("TUI-1: a paste of over ten lines or 800 characters is folded into one labelled character and sent whole", () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join("\n");
  const editor = edit(edit(typed("See: "), { type: "paste", text: lines }), { type: "insert", text: " ok?" });
  expect(rowsOf(editor.text, 76, editor.pastes).map(shownRow)).toEqual(["See: [pasted 1,000 lines] ok?"]);
  expect(contentOf(editor)).toBe(`See: ${lines} ok?`);
  expect(type(editor, "word-left", "left", "backspace").text).toBe("See:  ok?");
  expect(contentOf(type(editor, "word-left", "left", "backspace", "undo"))).toBe(`See: ${lines} ok?`);
  expect(contentOf(type(editor, "cut-to-start", "yank"))).toBe(`See: ${lines} ok?`);
  const lines11 = edit(EMPTY, { type: "paste", text: `${"a\n".repeat(10)}a` });
  expect(rowsOf(lines11.text, 76, lines11.pastes).map(shownRow)).toEqual(["[pasted 11 lines]"]);
  expect(edit(EMPTY, { type: "paste", text: `${"a\n".repeat(9)}a` }).pastes).toEqual([]);
  const wide = edit(EMPTY, { type: "paste", text: "x".repeat(801) });
  expect(rowsOf(wide.text, 76, wide.pastes).map(shownRow)).toEqual(["[pasted 801 characters]"]);
  const short = edit(EMPTY, { type: "paste", text: "a\r\nb\rc" });
  expect(short.text).toBe("a\nb\nc");
});

test("TUI-1: rows fit the width, contain the whole text once, and place the cursor at its character", () => {
  fc.assert(
    fc.property(fc.array(anyEdit, { maxLength: 15 }), fc.integer({ min: 24, max: 60 }), (edits, width) => {
      const editor = after(edits);
      const rows = rowsOf(editor.text, width, editor.pastes);
      for (const row of rows) {
        expect(row.width).toBeLessThanOrEqual(width + 1);
        expect(shownRow(row).trimEnd().length === 0 || widthOf(shownRow(row).trimEnd()) <= width).toBe(true);
      }
      expect(rows.map((row) => editor.text.slice(row.start, row.end)).join("")).toBe(
        editor.text.replaceAll("\n", ""),
      );
      const cell = cellOf(rows, editor.cursor);
      const row = rows[cell.row];
      const shown = (row?.cells ?? [])
        .filter((piece) => piece.at < editor.cursor)
        .map((piece) => piece.shown);
      expect(cell.column).toBe(shown.reduce((sum, piece) => sum + widthOf(piece), 0));
    }),
    { numRuns: 500 },
  );
});

test("TUI-1: Up and Down move by screen rows and keep their column across shorter rows", () => {
  const editor = typed("0123456789\nab\n漢字漢字漢字");
  const up = edit(editor, { type: "up", width: 40 });
  expect(up.cursor).toBe("0123456789\nab".length);
  expect(edit(up, { type: "up", width: 40 }).cursor).toBe("0123456789".length);
  const five = type(typed("0123456789\n漢字漢字"), "left", "left");
  expect(edit(five, { type: "up", width: 40 }).cursor).toBe(4);
  const first = edit(edit(up, { type: "up", width: 40 }), { type: "line-start" });
  expect(edit(first, { type: "up", width: 40 })).toBe(first);
  expect(rowsOf("one two three", 8, []).map(shownRow)).toEqual(["one two ", "three"]);
  expect(edit(typed("one two three"), { type: "up", width: 8 }).cursor).toBe(5);
});
