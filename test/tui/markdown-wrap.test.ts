import { expect, test } from "bun:test";
import fc from "fast-check";
import { hardWrap, wrapText } from "../../src/tui/ansi/wrap.ts";

const RED = "\x1b[31m";
const BOLD = "\x1b[1m";

test("MD-1: text is wrapped between words, and the hanging indent counts towards the width", () => {
  expect(wrapText("• one two three four", 10, "  ")).toEqual(["• one two", "  three", "  four"]);
  expect(wrapText("one two\n\nthree four", 7)).toEqual(["one two", "", "three", "four"]);
  expect(wrapText("", 7)).toEqual([""]);
  expect(wrapText("  a   b    c", 7)).toEqual(["  a   b", "c"]);
  expect(wrapText("a\u00a0b c", 4)).toEqual(["a\u00a0b", "c"]);
});

test("MD-1: a colour is closed at the end of a line and reopened on the next", () => {
  expect(wrapText(`${RED}one ${BOLD}two three${"\x1b[0m"} four`, 8)).toEqual([
    `${RED}one ${BOLD}two\x1b[39;22m`,
    `\x1b[31;1mthree\x1b[39;22m`,
    "four",
  ]);
  expect(wrapText(`a${RED}b\nc\x1b[39md`, 8)).toEqual([`a${RED}b\x1b[39m`, `${RED}c\x1b[39md`]);
  expect(wrapText("\x1b[38;5;208mone two\x1b[m", 4)).toEqual(
    ["one", "two"].map((word) => `\x1b[38;5;208m${word}\x1b[39m`),
  );
  expect(wrapText(`${BOLD}a \x1b[2mb\x1b[22m c`, 2)).toEqual([`${BOLD}a\x1b[22m`, "\x1b[1;2mb\x1b[22m", "c"]);
});

test("MD-1: bold stays on when only dim ends, though one code ends both", () => {
  expect(wrapText(`${BOLD}a\x1b[2mb\x1b[22m${BOLD}c`, 8)).toEqual([`${BOLD}a\x1b[2mb\x1b[22;1mc\x1b[22m`]);
});

test("TUI-4: wrapping takes linear time, even for zero-width text", () => {
  const units = ["\u0301", "a", "漢", "a ", `${RED}a\x1b[39m`].map((unit) => unit.repeat(100_000));
  for (const given of [...units, "\u200b".repeat(150_000) + "a".repeat(100)]) {
    expect(visible(wrapText(given, 80).join(""))).toBe(visible(given));
    expect(visible(hardWrap(given, 80).join(""))).toBe(visible(given));
  }
});

test("MD-1: escape sequences other than colours are dropped", () => {
  expect(wrapText("a\x1b[2Jb\x1b[?25lc", 8)).toEqual(["abc"]);
});

test("MD-1: code keeps every space and is cut at full lines", () => {
  expect(hardWrap(`  a ${RED}b  cde\x1b[39m  `, 6)).toEqual([`  a ${RED}b \x1b[39m`, `${RED} cde\x1b[39m  `]);
  expect(hardWrap("漢字漢", 3)).toEqual(["漢", "字", "漢"]);
  expect(hardWrap("a\n\nb", 3)).toEqual(["a", "", "b"]);
});

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom(
        " ",
        "  ",
        "\n",
        RED,
        BOLD,
        "\x1b[2m",
        "\x1b[22m",
        "\x1b[39m",
        "\x1b[0m",
        "漢字",
        "👩‍👩‍👧",
        "e\u0301",
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

test("MD-1: no line is too wide, each closes its colours, and only spaces are dropped", () => {
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 2, max: 30 }),
      fc.constantFrom("", " ", "   "),
      (given, width, indent) => {
        for (const lines of [wrapText(given, width, indent), hardWrap(given, width)]) {
          for (const line of lines) {
            expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width);
            expect(isClosed(line)).toBe(true);
          }
          expect(visible(lines.join(""))).toBe(visible(given));
        }
        expect(Bun.stripANSI(hardWrap(given, width).join("")).replaceAll("\n", "")).toBe(
          Bun.stripANSI(given).replaceAll("\n", ""),
        );
      },
    ),
    { numRuns: 500 },
  );
});

function visible(given: string): string {
  return Bun.stripANSI(given).replace(/[ \n]/g, "");
}

/** Whether no style is active at its end. */
function isClosed(line: string): boolean {
  const open = new Set<string>();
  for (const [, codes = ""] of line.matchAll(/\x1b\[([\d;]+)m/g))
    for (const code of codes.split(";")) {
      if (code === "22") for (const weight of ["1", "2"]) open.delete(weight);
      else if (code === "39") open.delete("31");
      else open.add(code);
    }
  return open.size === 0;
}
