import { expect, test } from "bun:test";
import { MarkdownStream, renderMarkdown } from "../../src/tui/markdown/stream.ts";

const WIDTH = 40;

/** The screen after each piece: the finished lines and the live ones. */
function watched(pieces: Iterable<string>, colours = false) {
  const stream = new MarkdownStream({ colours });
  const finished: string[] = [];
  const states: { readonly finished: number; readonly live: readonly string[] }[] = [];
  for (const piece of pieces) {
    stream.push(piece);
    finished.push(...stream.take(WIDTH));
    states.push({ finished: finished.length, live: stream.live(WIDTH) });
  }
  stream.end();
  finished.push(...stream.take(WIDTH));
  return { finished, states, rest: stream.live(WIDTH) };
}

/** The screen after the text, before `end`. */
function screenAfter(text: string): string[] {
  const stream = new MarkdownStream({ colours: false });
  stream.push(text);
  return [...stream.take(WIDTH), ...stream.live(WIDTH)];
}

test("TUI-4: a block is finished when the next one begins, and returned once", () => {
  const stream = new MarkdownStream({ colours: false });
  stream.push("One\n\nTwo");
  expect(stream.take(WIDTH)).toEqual(["One"]);
  expect(stream.take(WIDTH)).toEqual([]);
  expect(stream.live(WIDTH)).toEqual(["", "Two"]);
  stream.push(" and more");
  expect(stream.take(WIDTH)).toEqual([]);
  expect(stream.live(WIDTH)).toEqual(["", "Two and more"]);
  stream.end();
  expect(stream.take(WIDTH)).toEqual(["", "Two and more"]);
  expect(stream.live(WIDTH)).toEqual([]);
});

test("TUI-4: text pushed after the end starts a new block", () => {
  const stream = new MarkdownStream({ colours: false });
  for (const text of ["> One\x1b]0;title", "Two"]) {
    stream.push(text);
    stream.end();
  }
  expect(stream.take(WIDTH)).toEqual(["│ One", "", "Two"]);
});

test("TUI-4: live lines stay the same until text arrives or the width changes", () => {
  const stream = new MarkdownStream({ colours: false });
  stream.push("some words");
  const live = stream.live(WIDTH);
  expect(stream.live(WIDTH)).toBe(live);
  expect(stream.live(5)).toEqual(["some", "words"]);
  stream.push("!");
  expect(stream.live(WIDTH)).toEqual(["some words!"]);
});

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`);

/** A block, and how many lines of it may be live. */
const LONG_BLOCKS: Readonly<Record<string, readonly [text: string, most: number]>> = {
  list: [
    words(400)
      .map((word) => `- ${word}\n`)
      .join(""),
    2,
  ],
  "nested list": [
    `- a\n${words(400)
      .map((word) => `  1. ${word}\n`)
      .join("")}`,
    2,
  ],
  quote: [
    words(400)
      .map((word) => `> ${word}\n>\n`)
      .join(""),
    2,
  ],
  "code in a known language": [
    `\`\`\`ts\n${words(400)
      .map((word) => `let ${word} = 1;\n`)
      .join("")}`,
    10,
  ],
  "a comment": [`\`\`\`ts\n/*\n${words(400).join("\n")}\n*/\n`, 66],
  "code in no language": [`\`\`\`\n${words(400).join("\n")}\n\`\`\`\n`, 3],
  "code in an item": [
    `- a\n\n  \`\`\`\n${words(400)
      .map((word) => `  ${word}\n`)
      .join("")}`,
    4,
  ],
  table: [
    `|a|b|\n|-|-|\n${words(400)
      .map((word) => `|${word}|1|\n`)
      .join("")}`,
    27,
  ],
  HTML: [`<div>\n${words(400).join("\n")}`, 1],
  "a paragraph of one line": [words(1500).join(" "), 150],
  "a paragraph of many lines": [words(1500).join("\n"), 150],
};

test("TUI-4: finished parts of a long block are returned before it ends", () => {
  for (const [name, [text, most]] of Object.entries(LONG_BLOCKS)) {
    const { states, finished } = watched(text.match(/.{1,7}/gs) ?? []);
    const longest = Math.max(...states.map((state) => state.live.length));
    expect({ name, isSmall: longest <= most, longest }).toEqual({ name, isSmall: true, longest });
    expect({ name, finished }).toEqual({
      name,
      finished: renderMarkdown(text, { width: WIDTH, colours: false }),
    });
  }
});

test("TUI-4: a long paragraph loses no word where it is split", () => {
  for (const between of [" ", "\n", ". "]) {
    const { finished } = watched([words(4000).join(between)]);
    expect([...(finished.join(" ").match(/\w+/g) ?? [])]).toEqual(words(4000));
  }
  const unbroken = "漢".repeat(6001);
  expect(watched([unbroken]).finished.join("")).toBe(unbroken);
});

test("TUI-4: finished lines never change; live lines only follow them", () => {
  const text = "# A\n\n- b\n- c\n\n```ts\nlet a;\n```\n\n|d|\n|-|\n|e|\n\nf **g** h\n";
  const whole = renderMarkdown(text, { width: WIDTH, colours: false });
  const { states, finished, rest } = watched(text);
  expect(finished).toEqual(whole);
  expect(rest).toEqual([]);
  const counts = states.map((state) => state.finished);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});

test("TUI-4: incomplete marks are not shown as text while streaming", () => {
  const cases: Readonly<Record<string, string[]>> = {
    "a **": ["a"],
    "a **bo": ["a bo"],
    "a **bold*": ["a bold"],
    "a **bold** c": ["a bold c"],
    "a `co": ["a `co`"],
    "a `co`": ["a `co`"],
    "a ~~stru": ["a ~~stru~~"],
    "a *b **c": ["a b c"],
    "a [li": ["a li"],
    "a [link](https://exa": ["a link"],
    "2 * 3": ["2 * 3"],
    snake_ca: ["snake_ca"],
    "a \\*b": ["a *b"],
    "text\n-": ["text"],
    "text\n\n1": ["text"],
    "text\n\n##": ["text"],
    "text\n``": ["text"],
    "- a\n- [": ["• a"],
    "> a\n> #": ["│ a"],
    "|a|b|\n|-": ["|a|b|"],
    "|a|b|\n|-|-": ["|a|b|"],
  };
  for (const [text, lines] of Object.entries(cases))
    expect({ text, screen: screenAfter(text) }).toEqual({ text, screen: lines });
});

test("TUI-4: unclosed marks are shown at the end", () => {
  expect(renderMarkdown("a **bo", { width: WIDTH, colours: false })).toEqual(["a **bo"]);
  expect(renderMarkdown("a [link](https://exa", { width: WIDTH, colours: false })[0]).toBe(
    "a [link](https://exa",
  );
});

test("MD-4: an escape sequence cut in two is also removed while streaming", () => {
  for (const text of ["a\x1b[31mb", "a\x1b]0;title\x07b", "a\x1b]0;title\x1b\\b", "a\x9b1;2mb", "a\x1b(Bb"]) {
    const { finished, states } = watched(text);
    expect(finished).toEqual(["ab"]);
    expect(states.map((state) => state.live.join()).every((live) => /^ab?$/.test(live))).toBe(true);
  }
  expect(watched(["a\r", "\nb"]).finished).toEqual(["a b"]);
});
