/** Properties of any reply, whole or streaming. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { CodeTracker } from "../../src/core/marks/code.ts";
import { FactBlock } from "../../src/core/marks/facts.ts";
import { Layer } from "../../src/core/marks/layer.ts";
import { MarkStripper, readReply, withoutRecalled } from "../../src/core/marks/marks.ts";
import { NoteText } from "../../src/core/marks/note-text.ts";
import { TagStart } from "../../src/core/marks/tags.ts";
import { VisibleText } from "../../src/core/marks/visible.ts";
import { withoutPrivate } from "../../src/core/secrets/private.ts";
import { LineScanner } from "../../src/core/text/markdown.ts";

/** The text shown after each piece, and after the end. */
function stream(pieces: readonly string[]): string[] {
  const stripper = new MarkStripper();
  return [...pieces.map((piece) => stripper.push(piece)), stripper.end()];
}

/** Parts of replies in any order: marks, near-marks, code, white space, and what Markdown lines begin with. */
const part = fc.constantFrom(
  ..."word|é|\"|'|“|”|«|    |\ud800|\0|:|/|(|]| |  |\t|\n|\n\n|\r\n|\r|- |* |1. |> |# |- [ ] |•|---\n|text.\n\n".split(
    "|",
  ),
  ..."*|**|_|`|``|```|````|~~~|\\|`[MEMORY] x`|`<memory>y</memory>`|``` js\n[MEMORY] z\n```\n".split("|"),
  ..."[MEMORY]|[MEMORY] fact|[MEMORY] Facts:\n- a\n- b\n|[MEMORY]\n|[/MEMORY]|[memory scope=global] x".split(
    "|",
  ),
  ...'<memory>|</memory>|<memory>T: x</memory>|<memory>x\n\ny</memory>|<MEMORY a="b" >|</ memory>|<memory/>'.split(
    "|",
  ),
  ..."<working-memory>|</working-memory>|<working-memory/>|<chat-memory>c</chat-memory>|<memory |[MEMORY a=".split(
    "|",
  ),
  ..."<|>|[|</|<mem|ory>|memory>|memory|[MEM|ORY]|<private>|</private>|<recalled>|</recalled>".split("|"),
);
const replies = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(""));
const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1)
    pieces.push(text.slice(at, at + (sizes[pieces.length % sizes.length] ?? 1)));
  return pieces;
}

test("MARK-13: a text without marks comes back byte for byte", () => {
  const unmarked = part.filter((text) => !/memory|ory|mem/i.test(text));
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(unmarked).map((parts) => `${parts.join("")} memories`),
  );
  fc.assert(
    fc.property(texts, lengths, (text, sizes) => {
      expect(readReply(text)).toEqual({ visible: text, marks: [] });
      expect(stream(cut(text, sizes)).join("")).toBe(text);
    }),
    { numRuns: 500 },
  );
  const odd = "a \r\n\0 \ud800 \udc00x  \n\n\n * _ ** - memories \t\r\n";
  expect(readReply(odd).visible).toBe(odd);
});

test("MARK-13: however a reply is split into pieces, the same text is shown and saved, and nothing is retracted", () => {
  fc.assert(
    fc.property(replies, lengths, (reply, sizes) => {
      const { visible, marks } = readReply(reply);
      const stripper = new MarkStripper();
      let shown = "";
      for (const piece of cut(reply, sizes)) {
        shown += stripper.push(piece);
        expect(visible.startsWith(shown)).toBe(true);
      }
      expect(shown + stripper.end()).toBe(visible);
      expect(stripper.marks).toEqual(marks);
      expect(stripper.end()).toBe("");
    }),
    { numRuns: 3000 },
  );
});

const words = fc.array(fc.stringMatching(/^[a-z][a-z0-9.,;!?'"()=+é漢😀-]{0,6}$/u), {
  minLength: 1,
  maxLength: 8,
});
const prose = words.map((list) => list.join(" "));
type Marked = [mark: string, ...texts: string[]];
/** Marks that may follow other text. */
const inlineMark: fc.Arbitrary<Marked> = fc.oneof(
  prose.map((text): [string, string] => [`<memory>Title: ${text}</memory>`, text]),
  prose.map((text): [string, string] => [
    `<Chat-Memory category=a>\nTitle: ${text}\n\n- b\n</chat-memory>`,
    `${text}\n\n- b`,
  ]),
  prose.map((text): [string, string] => [`<working-memory>${text}</working-memory >`, text]),
);
const marked: fc.Arbitrary<Marked> = fc.oneof(
  inlineMark,
  prose.map((text): [string, string] => [`[MEMORY] ${text}`, text]),
  fc.tuple(prose, prose).map(([a, b]): [string, string, string] => [`[MEMORY] Facts:\n- ${a}\n- ${b}`, a, b]),
);

test("MARK-13: in a reply of paragraphs and marks, the paragraphs are shown and the marks are saved", () => {
  const paragraphs = fc.array(fc.tuple(prose, fc.option(inlineMark), fc.array(marked, { maxLength: 2 })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(paragraphs, fc.constantFrom("\n", "\r\n"), (parts, eol) => {
      const blank = eol + eol;
      const blocks = parts.flatMap(([text, inline, own]) => [
        inline === null ? text : `${text} ${inline[0]}`,
        ...own.map(([mark]) => mark),
      ]);
      const { visible, marks } = readReply(blocks.join(blank));
      expect(visible).toBe(parts.map(([text]) => text).join(blank));
      const texts = parts.flatMap(([, inline, own]) =>
        [inline, ...own].flatMap((mark) => mark?.slice(1) ?? []),
      );
      expect(marks.map(({ text }) => text)).toEqual(texts);
    }),
    { numRuns: 500 },
  );
});

test("MARK-13: text is shown immediately, except what may be part of a mark", () => {
  fc.assert(
    fc.property(fc.array(prose, { minLength: 1 }), lengths, (paragraphs, sizes) => {
      const text = paragraphs.join("\n\n");
      const stripper = new MarkStripper();
      let pushed = "";
      let shown = "";
      for (const piece of cut(text, sizes)) {
        pushed += piece;
        shown += stripper.push(piece);
        expect(shown.trimEnd()).toBe(pushed.trimEnd());
      }
    }),
  );
  const rows: [pieces: string[], shown: string[]][] = [
    [
      ["a <", "b", "> [", "1] <m", "y"],
      ["a", " <b", ">", " [1]", " <my", ""],
    ],
    [
      ["a ", "\n\n", "<memory>x", "</memory>", "b"],
      ["a", "", "", "", " \n\nb", ""],
    ],
    [
      ["- ", "a *", "b"],
      ["", "- a", " *b", ""],
    ],
    [
      ["a ` b ", "c <memory", "> d` e", "f"],
      ["a ` b", " c", " <memory> d` e", "f", ""],
    ],
    [
      ["```", "ts", "\n[MEMORY] x", "\n"],
      ["```", "ts", "\n[MEMORY] x", "", "\n"],
    ],
    [
      ["[MEMORY] F:\n- a\n", "\n", "B", "ye"],
      ["", "", "B", "ye", ""],
    ],
    [
      ["[MEMORY] a", "\nB", "ye"],
      ["", "B", "ye", ""],
    ],
    [
      ["x <memory>a</memory>", " y"],
      ["x", " y", ""],
    ],
  ];
  for (const [pieces, shown] of rows) expect(stream(pieces)).toEqual(shown);
  const stripper = new MarkStripper();
  expect(stripper.push("a ` b\n[MEMORY] c\n")).toBe("a ` b");
  expect(stripper.push("d\n")).toBe("");
  expect(stripper.push("\n")).toBe("\nd");
  expect(stripper.marks).toMatchObject([{ text: "c" }]);
});

test("MARK-13: the visible text of a reply contains no mark", () => {
  fc.assert(
    fc.property(replies, (reply) => {
      // Add a paragraph, since half a tag is a mark only at the end.
      const left = `${readReply(reply).visible}\n\nmemory`;
      expect(readReply(left)).toEqual({ visible: left, marks: [] });
    }),
    { numRuns: 3000 },
  );
});

const STRAINS: Record<string, (size: number) => string> = {
  prose: (size) => "The memory of a fox, etc. ".repeat(size / 26),
  "one run of backticks": (size) => "`".repeat(size),
  "backticks of every length": (size) => {
    const runs = Array.from({ length: Math.sqrt(size) }, (_, index) => "`".repeat(index + 1));
    return `${runs.map((run) => `[MEMORY] ${run} [MEMORY] x`).join("\n")}\n${runs.join(" ")}`;
  },
  "white space": (size) => `a ${" ".repeat(size / 2)}${"\n".repeat(size / 2)}<memory>x</memory>`,
  asterisks: (size) => `[MEMORY] x\n${"*".repeat(size)}`,
  "brackets left open": (size) => "<".repeat(size / 2) + "[".repeat(size / 2),
  "half tags": (size) => "<mem[MEM".repeat(size / 8),
  "tags left open": (size) => "<memory ".repeat(size / 8),
  "marks left open": (size) => "<memory>".repeat(size / 8),
  "nested marks": (size) => "<memory>".repeat(size / 17) + "</memory>".repeat(size / 17),
  "nested marks, one closed": (size) =>
    `${"<memory>".repeat(size / 16)}</memory>${"text ".repeat(size / 10)}`,
  "closing tags": (size) => "</memory>".repeat(size / 9),
  "marks on one line": (size) => " *<memory>x</memory>*".repeat(size / 21),
  facts: (size) => "[MEMORY] fact\n".repeat(size / 14),
  "lists of facts": (size) => `[MEMORY] Facts:\n${"- a\nb\n".repeat(size / 6)}`,
  "blocks that may be closed later": (size) => "[MEMORY]\nfact\n\nmore text\n".repeat(size / 25),
  "marks behind an open backtick": (size) => `\` ${"[MEMORY] a\n".repeat(size / 11)}`,
  "facts in a note": (size) => `<memory>${"[MEMORY] a ".repeat(size / 11)}</memory>`,
  quotations: (size) => '"<memory>'.repeat(size / 9),
  "indented code": (size) => "    [MEMORY] a\n".repeat(size / 15),
  "marks in code": (size) => `\` ${"<memory>".repeat(size / 8)} \``,
  "paragraphs with an open backtick": (size) => "` <memory>x\n\ny</memory>".repeat(size / 22),
  "private parts": (size) => "<private><memory>".repeat(size / 17),
};

/** Every step that a character can cost, and what copying and scanning a line costs. */
const STEPS: readonly [owner: object, method: string][] = [
  [CodeTracker.prototype, "take"],
  [CodeTracker.prototype, "copy"],
  [LineScanner.prototype, "peek"],
  [TagStart.prototype, "next"],
  [Layer.prototype, "take"],
  [VisibleText.prototype, "show"],
  [FactBlock.prototype, "show"],
  [NoteText.prototype, "show"],
];

function stepsFor(reply: string): number {
  let steps = 0;
  const originals = STEPS.map(([owner, method]) => Reflect.get(owner, method));
  STEPS.forEach(([owner, method], index) => {
    Reflect.set(owner, method, function (this: unknown, ...values: unknown[]) {
      steps += 1;
      if (this instanceof CodeTracker && method === "copy") steps += this.open.length;
      if (this instanceof LineScanner) steps += String(values[0]).length;
      return originals[index].apply(this, values);
    });
  });
  try {
    stream(cut(reply, [3]));
  } finally {
    STEPS.forEach(([owner, method], index) => {
      Reflect.set(owner, method, originals[index]);
    });
  }
  return steps;
}

test("ten times the reply takes about ten times the work, for any reply", () => {
  for (const [name, make] of Object.entries(STRAINS)) {
    const steps = [2_000, 20_000].map((size) => stepsFor(make(size)));
    const growth = (steps[1] ?? 0) / (steps[0] ?? 1);
    expect([name, growth > 5 && growth < 14]).toEqual([name, true]);
  }
});

test("any text can be read", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), replies), (text) => {
      for (const left of [readReply(text).visible, withoutPrivate(text), withoutRecalled(text)])
        expect(left.length).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 500 },
  );
  expect(readReply("<memory>".repeat(10_000))).toEqual({ visible: "", marks: [] });
  const deep = `${"<memory>".repeat(10_000)}x${"</memory>".repeat(10_000)} y`;
  expect(readReply(deep)).toMatchObject({ visible: "y", marks: [{ text: "x", closed: true }] });
});
