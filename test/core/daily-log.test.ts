import { expect, test } from "bun:test";
import fc from "fast-check";
import { dayOfLog, type Note, parseLog, printNote, withNote } from "../../src/core/facts/daily-log.ts";

const bare = (content: string): Note[] =>
  parseLog(content).notes.map(({ time, title, text }) => ({ time, title, text }));

test("NOTE-1: a note may start with any dash and with times of any width", () => {
  for (const dash of ["-", "--", "---", "–", "—"])
    expect(bare(`## 9:05 ${dash} Learned\nLikes tea\n\n## 14:15 ${dash} Plan\nTwo\n\nparagraphs\n`)).toEqual([
      { time: "09:05", title: "Learned", text: "Likes tea" },
      { time: "14:15", title: "Plan", text: "Two\n\nparagraphs" },
    ]);
  expect(bare("# Sunday\r\n\r\n## 10:30 — Hi\r\nthere\r\n")).toEqual([
    { time: "10:30", title: "Hi", text: "there" },
  ]);
  expect(bare("## 10:30\nno title\n")).toEqual([{ time: "10:30", title: "", text: "no title" }]);
});

test("NOTE-1: a heading in a code block doesn't start a note; smaller headings belong to the note", () => {
  const log = "## 10:30 - Code\n```md\n## 11:00 - not a note\n```\n### Details\nmore\n";
  expect(parseLog(log).notes).toHaveLength(1);
  expect(parseLog(log).strays).toEqual([]);
});

test("NOTE-1: lines outside any note are reported", () => {
  expect(parseLog("# Day\n\nsomething\n\n## 10:30 - A\nb\n").strays).toEqual([3]);
  expect(parseLog("## 10:30 - A\nb\n\n## Ideas\nfly\n").strays).toEqual([4, 5]);
  expect(parseLog("## 25:30 - A\nb\n").strays).toEqual([1, 2]);
  expect(parseLog("# Day\n\n## 10:30 - A\nb\n").strays).toEqual([]);
});

test("NOTE-1: a note reads back as written, next to any other notes", () => {
  const note = fc.record({
    time: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([h, m]) => `${String(h).padStart(2, "0")}:${String(m).padStart(2, "0")}`),
    title: fc.string().map((title) => title.replace(/\s+/g, " ").trim()),
    text: fc
      .array(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            "## 10:30 - x",
            "# x",
            "```",
            "~~~js",
            "<!-- a",
            "---",
            "===",
            "- b",
            "    c",
            "\\## d",
            "",
            "> q",
            "|a|",
            "<pre>",
          ),
        ),
      )
      .map((lines) =>
        lines
          .join("\n")
          .replace(/[\r\u2028\u2029]/g, "")
          .trim(),
      ),
  });
  fc.assert(
    fc.property(fc.array(note, { minLength: 1, maxLength: 5 }), (notes) => {
      const log = notes.reduce(withNote, "");
      const { strays } = parseLog(log);
      expect(strays).toEqual([]);
      const squeezed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/gm, "");
      expect(bare(log).map(({ text, ...rest }) => ({ ...rest, text: squeezed(text) }))).toEqual(
        notes.map(({ text, ...rest }) => ({ ...rest, text: squeezed(text) })),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("NOTE-1: an ordinary note is written plainly", () => {
  expect(printNote({ time: "10:30", title: "User preference", text: "Prefers tea.\n- green\n" })).toBe(
    "## 10:30 - User preference\nPrefers tea.\n- green\n",
  );
});

test("NOTE-1: a log is a file named by a day of the calendar", () => {
  expect(dayOfLog("2026-11-15.md")).toBe("2026-11-15");
  for (const name of ["2026-02-30.md", "2026-13-01.md", "MEMORY.md", "2026-11-15.txt", "x2026-11-15.md"])
    expect(dayOfLog(name)).toBeNull();
});
