import { expect, test } from "bun:test";
import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { type Chunk, chunkMarkdown, passagesOf } from "../../src/core/text/chunk.ts";
import { sentencesOf } from "../../src/core/text/sentences.ts";

const headings = (chunks: readonly Chunk[]) => chunks.map(({ heading }) => heading);
/** Unique, so that it can be searched for. */
const sentence = (index: number) =>
  `Sentence number ${index} tells what happened to the engine on day d${index}.`;
const sentences = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => sentence(from + index)).join(" ");
const blockOf = (tokens: number, line: (index: number) => string) => {
  const lines: string[] = [];
  for (let size = 0, index = 0; size < tokens; index++) {
    lines.push(line(index));
    size += estimateTokenCount(line(index));
  }
  return lines;
};

/** Pieces of Markdown in any order, good and bad, each line with a word of its own. */
const markdown = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom("# ", "## ", "### ", "#", "###### ", "   ## "), fc.constant(" ##"))
        .map(([a, b]) => [`${a}W${b}`]),
      fc.constantFrom(["W", "==="], ["W", "W", "---"], ["---"], ["***"], ["> W", "> W", "W"]),
      fc.nat(60).map((count) => [Array.from({ length: count + 1 }, () => "W word.").join(" ")]),
      fc.constantFrom(["- W", "  - W", "", "    W", "- W"], ["1. W", "2. W", "   W"], ["* W", "", "W"]),
      fc
        .tuple(fc.constantFrom("```", "~~~~", "  ```", "- ```sh", "```ts"), fc.boolean())
        .map(([open, closed]) => [
          open,
          "# W",
          "",
          "W",
          ...(closed ? [open.replace(/^- |sh$|ts$/g, "")] : []),
        ]),
      fc.constantFrom(["| W | W |", "|---|---|", "| W | W |"], ["W | W", "--|--"], ["| W"]),
      fc.constantFrom(
        ["<!-- W", "", "# W", "-->"],
        ["<!-- W -->"],
        ["<pre>", "# W", "</pre>"],
        ["<div>W</div>"],
      ),
      fc.constantFrom(["[W]: http://x.y", "[a](b) ![c](d)"], ["W\t\tW"], ["W 😀 机器学习。W"], ["#W"]),
      fc.constantFrom([""], ["  "], ["", "", ""]),
    ),
    { maxLength: 40 },
  )
  .chain((pieces) =>
    fc.constantFrom("\n", "\r\n").map((eol) => {
      let count = 0;
      return pieces
        .flat()
        .join(eol)
        .replace(/W/g, () => `w${count++}`);
    }),
  );

const anyText = fc.oneof(
  markdown,
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

test("every line that is not blank is in a chunk, in order, under its line number", () => {
  fc.assert(
    fc.property(markdown, fc.constantFrom("", "Title"), (content, title) => {
      const chunks = chunkMarkdown(content, title);
      const lines = content.split(/\r?\n/);
      for (const line of lines) {
        if (line.trim() !== "") expect(chunks.some(({ text }) => text.includes(line))).toBe(true);
      }
      let previous = 0;
      for (const { text, line } of chunks) {
        expect(text.trim()).not.toBe("");
        expect(content).toContain(text);
        expect(line).toBeGreaterThanOrEqual(previous);
        expect(lines[line - 1]?.trimEnd()).toEndWith(text.split(/\r?\n/)[0]?.trimEnd() ?? "");
        previous = line;
      }
    }),
    { numRuns: 500 },
  );
});

test("any text gives the same chunks each time, and no character is lost", () => {
  fc.assert(
    fc.property(anyText, fc.string(), (content, title) => {
      const chunks = chunkMarkdown(content, title);
      expect(chunkMarkdown(content, title)).toEqual(chunks);
      const characters = new Set(content.replace(/^\uFEFF/, "").replace(/\s/g, ""));
      const kept = new Set(chunks.map(({ text }) => text).join(""));
      expect([...characters].filter((character) => !kept.has(character))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("an empty document has no chunk, a lone heading has one", () => {
  for (const blank of ["", " ", "\n\n", "\r\n \t\r\n", "\uFEFF"])
    expect(chunkMarkdown(blank, "T")).toEqual([]);
  expect(chunkMarkdown("# Only", "Only")).toEqual([{ heading: "Only", text: "# Only", line: 1 }]);
  expect(chunkMarkdown("\n\n## Deep\n", "T")).toEqual([{ heading: "T > Deep", text: "## Deep", line: 3 }]);
  expect(chunkMarkdown("\tabc", "")).toEqual([{ heading: "", text: "\tabc", line: 1 }]);
  expect(chunkMarkdown("plain", "")).toEqual([{ heading: "", text: "plain", line: 1 }]);
});

test("headings of both kinds form the path, with the title first and only once", () => {
  const body = sentences(4);
  const content = [
    `# Guide\n\n${body}`,
    `## Install ##\n\n${body}`,
    `### On **Linux** with [apt](http://x)\n\n${body}`,
    `Running\n-------\n\n${body}`,
    `Other Guide\n===========\n\n${body}`,
    `##### Far down\n\n${body}`,
  ].join("\n\n");
  const paths = [
    "Guide",
    "Guide > Install",
    "Guide > Install > On Linux with apt",
    "Guide > Running",
    "Guide > Other Guide",
    "Guide > Other Guide > Far down",
  ];
  expect(headings(chunkMarkdown(content, "Guide"))).toEqual(paths);
  expect(headings(chunkMarkdown(content.replaceAll("\n", "\r\n"), "GUIDE"))[1]).toBe("GUIDE > Install");
  expect(headings(chunkMarkdown(content, "Notes")).slice(0, 2)).toEqual([
    "Notes > Guide",
    "Notes > Guide > Install",
  ]);
  expect(headings(chunkMarkdown(content, ""))[1]).toBe("Guide > Install");
  expect(headings(chunkMarkdown(`\uFEFF# Guide\n\n${body}`, "Notes"))).toEqual(["Notes > Guide"]);
});

test("text that only looks like a heading isn't one", () => {
  const body = sentences(4);
  const lookalikes = [
    "```sh\n# a\n```",
    "~~~\n# a\n```\n# b\n~~~",
    "````\n```\n# a\n```\n````",
    "```\n    ```\n# a\n```",
    "- item\n\n      ```\n      code\n# a\n      ```",
    "- ```sh\n# a\n  ```",
    "<!--\n# a\n\n## b\n-->",
    "<pre>\n# a\n\n# b\n</pre>",
    "#tag",
    "    # indented code",
    "####### seven",
    "> # quoted",
    "- item\n---",
    "| a |\n|---|\n| b |",
    `${body} ${body} ${body}\n---`,
    "\\# escaped",
  ];
  for (const text of lookalikes) expect(headings(chunkMarkdown(`${text}\n\n${body}`, "T"))).toEqual(["T"]);
  expect(headings(chunkMarkdown(`${body}\n\n\`\`\`\n# never closed\n\n# again`, "T"))).toEqual(["T"]);
  expect(headings(chunkMarkdown(`\`\`\`a\`b\n# Real\n\n${body}`, "T"))).toEqual(["T > Real"]);
});

test("the path stays short, however long a heading is", () => {
  const [chunk] = chunkMarkdown(`# ${"long ".repeat(200)}\n\n${sentences(5)}`, "x".repeat(10_000));
  expect(chunk?.heading.length).toBeLessThan(250);
});

test("code, tables and comments are not cut", () => {
  const filler = (from: number) => sentences(15, from);
  const whole = [
    ["```ts", ...blockOf(500, (index) => `const value${index} = compute(${index});\n`), "```"],
    ["~~~~", "```", ...blockOf(300, (index) => `line ${index}\n\n# not a heading`), "~~~~"],
    ["| name | size |", "|---|---|", ...blockOf(500, (index) => `| row ${index} | ${index} |`)],
    ["<!--", ...blockOf(500, (index) => `remark ${index}\n`), "-->"],
    ["1. step", "", "   ```sh", ...blockOf(300, (index) => `   run ${index}\n`), "   ```"],
  ].map((lines) => lines.join("\n"));
  const content = whole.map((block, index) => `${filler(index * 100)}\n\n${block}`).join("\n\n");
  const chunks = chunkMarkdown(content, "T");
  expect(chunks.length).toBeGreaterThan(5);
  for (const block of whole) {
    const [first = ""] = block.split("\n", 1);
    const holding = chunks.filter(({ text }) => text.includes(block));
    expect(`${first}: ${holding.length}`).toBe(`${first}: 1`);
    const touching = chunks.filter(({ text }) =>
      block.split("\n").some((line) => /\d/.test(line) && text.includes(`${line}\n`)),
    );
    expect(touching).toEqual(holding);
  }
});

test("code and tables anywhere are each whole in one chunk", () => {
  const piece = fc.tuple(fc.constantFrom("text", "code", "table"), fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const blocks = pieces.map(([kind, count], index) => {
        if (kind === "text") return sentences(Math.ceil(count / 3), index * 100);
        const lines = Array.from({ length: count }, (_, row) => `${kind} ${index} row ${row}`);
        if (kind === "code") return ["```", ...lines.map((line) => `${line}\n`), "```"].join("\n");
        return ["| a |", "|---|", ...lines.map((line) => `| ${line} |`)].join("\n");
      });
      const chunks = chunkMarkdown(blocks.join("\n\n"), "T");
      for (const [index, [kind]] of pieces.entries()) {
        if (kind === "text") continue;
        const touching = chunks.filter(({ text }) => text.includes(`${kind} ${index} row`));
        expect(touching.every(({ text }) => text.includes(blocks[index] ?? ""))).toBe(true);
        expect(touching.length).toBeGreaterThan(0);
      }
    }),
  );
});

test("a long section becomes chunks of about 400 tokens that overlap in whole sentences", () => {
  const paragraphs = Array.from({ length: 40 }, (_, index) => sentences(4, index * 4));
  const chunks = chunkMarkdown(`# T\n\n${paragraphs.join("\n\n")}`, "T");
  expect(chunks.length).toBeGreaterThan(5);
  for (const [index, { text }] of chunks.entries()) {
    const tokens = estimateTokenCount(text);
    expect(tokens).toBeLessThan(500);
    if (index < chunks.length - 1) expect(tokens).toBeGreaterThan(280);
    const next = chunks[index + 1];
    if (next === undefined) continue;
    const shared = text.slice(text.indexOf(next.text.split("\n")[0] ?? ""));
    expect(next.text.startsWith(shared)).toBe(true);
    expect(estimateTokenCount(shared)).toBeGreaterThan(15);
    expect(estimateTokenCount(shared)).toBeLessThanOrEqual(85);
    expect(shared).toStartWith("Sentence number");
  }
});

test("paragraphs, and list items with their nested text, stay whole", () => {
  const items = Array.from({ length: 80 }, (_, index) =>
    [`- ${sentence(index)}`, `  - detail d${index} of it`, "", `  more m${index} about it`, ""].join("\n"),
  );
  const chunks = chunkMarkdown(items.join("\n"), "T");
  expect(chunks.length).toBeGreaterThan(3);
  for (const item of items) expect(chunks.some(({ text }) => text.includes(item.trim()))).toBe(true);
  for (const { text } of chunks) expect(text).toStartWith("- Sentence");
});

test("text repeated from a long paragraph has its own line number", () => {
  const lines = Array.from({ length: 60 }, (_, index) => sentence(index));
  const paragraphs = [lines.slice(0, 25), lines.slice(25, 50), lines.slice(50)].map((some) =>
    some.join("\n"),
  );
  const all = paragraphs.join("\n\n").split("\n");
  const chunks = chunkMarkdown(paragraphs.join("\n\n"), "T");
  expect(chunks.length).toBe(3);
  for (const { text, line } of chunks) expect(text.split("\n")[0]).toBe(all[line - 1] ?? "");
  expect(chunks[1]?.line).toBeLessThan(26);
});

test("a tiny remainder doesn't become a chunk of its own", () => {
  const size = estimateTokenCount(sentence(10));
  const paragraphs = (tokens: number) => sentences(Math.floor(tokens / size), 10).replaceAll(". ", ".\n\n");
  expect(chunkMarkdown(paragraphs(400 + 30), "T").length).toBe(1);
  expect(chunkMarkdown(paragraphs(400 + 80), "T").length).toBe(2);
});

test("sections do not run into each other", () => {
  const chunks = chunkMarkdown(`## A\n\n${sentences(8)}\n\n## B\n\n${sentences(8, 50)}`, "T");
  expect(headings(chunks)).toEqual(["T > A", "T > B"]);
  expect(chunks[1]?.text).toStartWith("## B");
  expect(chunks[1]?.line).toBe(5);
});

test("tiny sections are merged with the next one on the same level or below", () => {
  const many = Array.from({ length: 50 }, (_, index) => `## Day ${index}\n\nRan ${index} km.`).join("\n\n");
  const chunks = chunkMarkdown(`# Log\n\n${many}`, "Log");
  expect(chunks.length).toBeLessThan(15);
  expect(new Set(headings(chunks))).toEqual(new Set(["Log"]));
  for (let index = 0; index < 50; index++)
    expect(chunks.filter(({ text }) => text.includes(`## Day ${index}\n\nRan ${index} km.`)).length).toBe(1);

  const led = chunkMarkdown(`# Log\n\nShort.\n\n## A\n\n## B\n\n${sentences(60)}`, "Log");
  expect(led[0]?.text).toStartWith("# Log\n\nShort.\n\n## A\n\n## B\n\nSentence");
  expect(new Set(headings(led))).toEqual(new Set(["Log > B"]));
  expect(headings(chunkMarkdown("# Log\n\n## A\n\ntiny", "Log"))).toEqual(["Log > A"]);
});

test("a tiny section does not leave its parent", () => {
  const content = `## A\n\n${sentences(6)}\n\n### A1\n\ntiny\n\n## B\n\n${sentences(6)}`;
  expect(headings(chunkMarkdown(content, "T"))).toEqual(["T > A", "T > A > A1", "T > B"]);
});

test("a chunk never ends with a heading whose text is in another chunk", () => {
  for (const count of [1, 2, 3, 10, 40]) {
    const content = Array.from(
      { length: 6 },
      (_, index) => `## S${index}\n\n${sentences(count, index * 50)}`,
    );
    for (const { text } of chunkMarkdown(content.join("\n\n"), "T")) expect(text).not.toMatch(/## S\d$/);
  }
});

test("overlong code is cut at line ends, and nothing is lost", () => {
  const code = blockOf(5_000, (index) => `call(${index}, "argument ${index}");`);
  const content = `\`\`\`js\n${code.join("\n")}\n\`\`\``;
  const chunks = chunkMarkdown(content, "T");
  expect(chunks.length).toBeGreaterThan(8);
  expect(chunks.map(({ text }) => text).join("\n")).toBe(content);
  const lines = content.split("\n");
  for (const { text, line } of chunks) expect(text.split("\n")[0]).toBe(lines[line - 1] ?? "");
});

test("an overlong table repeats its header", () => {
  const header = "| name | size |\r\n|------|-----:|\r\n";
  const rows = blockOf(5_000, (index) => `| row number ${index} | ${index} |`);
  const chunks = chunkMarkdown(header + rows.join("\r\n"), "T");
  expect(chunks.length).toBeGreaterThan(8);
  for (const { text } of chunks) expect(text).toStartWith(header);
  const bodies = chunks.map(({ text }) => text.slice(header.length));
  expect(bodies.join("\r\n")).toBe(rows.join("\r\n"));
  expect(chunks[0]?.line).toBe(1);
  for (const [index, { line }] of chunks.entries())
    if (index > 0) expect(bodies[index]?.split("\r\n")[0]).toBe(rows[line - 3] ?? "none");
});

test("a table under a line of text repeats only its header", () => {
  const rows = blockOf(3_000, (index) => `| row number ${index} | ${index} |`).join("\n");
  const [first, ...others] = chunkMarkdown(`Sizes:\n| name | size |\n|---|---|\n${rows}`, "T");
  expect(first?.text).toStartWith("Sizes:\n| name | size |");
  for (const { text } of others) expect(text).toStartWith("| name | size |\n|---|---|\n| row number");
});

test("one endless line is cut at sentences, then words, then characters", () => {
  const bySentence = chunkMarkdown(sentences(500), "T");
  expect(bySentence.length).toBeGreaterThan(10);
  for (const { text, line } of bySentence) {
    expect(text).toMatch(/^Sentence number.*\.$/);
    expect(line).toBe(1);
  }
  const words = Array.from({ length: 8_000 }, (_, index) => `word${index}`);
  const byWord = chunkMarkdown(words.join(" "), "T");
  expect(byWord.flatMap(({ text }) => text.trim().split(" "))).toEqual(words);
  for (const endless of [
    "😀".repeat(20_000),
    "机".repeat(9_000),
    "x".repeat(50_000),
    `a${"𝒳".repeat(9_999)}`,
    "x".repeat(90_000) + "机".repeat(9_000),
  ]) {
    const pieces = chunkMarkdown(endless, "T").map(({ text }) => text);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join("")).toBe(endless);
    for (const piece of pieces) {
      expect(piece.isWellFormed()).toBe(true);
      expect(estimateTokenCount(piece)).toBeLessThan(700);
    }
  }
});

test("endless white space is cut too, and doesn't become a chunk", () => {
  const far = "\n".repeat(60_000);
  for (const content of [
    `first${" ".repeat(500_000)}last`,
    `first\n\n${"\t".repeat(90_000)}- last`,
    `first${far}last`,
    `# first${far}last`,
    `# first${far}# last`,
    `- first${far}  - last`,
    `${sentences(20)} first${far}last ${sentences(20)}`,
  ]) {
    const chunks = chunkMarkdown(content, "T");
    for (const { text } of chunks) {
      expect(text.length).toBeLessThan(50_000);
      expect(text.trim()).not.toBe("");
    }
    expect(chunks.map(({ text }) => text).join(" ")).toMatch(/first.*last/s);
    expect(chunks.at(-1)?.line).toBe(content.split("\n").length);
  }
});

test("no chunk of any document is far too large", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyText, fc.integer({ min: 1, max: 3_000 })), { maxLength: 4 }),
      (parts) => {
        const content = parts
          .map(([text, times]) => text.repeat(Math.min(times, 20_000 / (text.length + 1))))
          .join("\n");
        for (const { text } of chunkMarkdown(content, "T")) {
          expect(estimateTokenCount(text)).toBeLessThan(2_000);
          if (content.isWellFormed()) expect(text.isWellFormed()).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});

const ENDLESS = [
  ..."x|a |机器学习|机。|😀|```\n|# h\n|[a](|*|* |_|- |. |...x|<a |<!--|> a\n|e.g. |1. |a\r\n|[a]: b\n|- ```\n|a\n-\n|`|\\|\t".split(
    "|",
  ),
  "|",
  "a|b\n|-\n",
  '."',
];

test("chunking any long text takes linear time", () => {
  for (const unit of ENDLESS) {
    const content = unit.repeat(200_000 / unit.length);
    for (const { heading, text } of chunkMarkdown(content, "T").slice(0, 200)) passagesOf(heading, text);
    passagesOf("T", content);
  }
}, 30_000);

test("a short chunk is one passage, under the last parts of its path", () => {
  expect(passagesOf("Guide > Install > Linux", "### Linux\n\nUse apt. Then restart.")).toEqual([
    "Install > Linux: Use apt. Then restart.",
  ]);
  expect(passagesOf("", "Use apt.")).toEqual(["Use apt."]);
  expect(passagesOf("Log", "## Monday\n\nRan.\n\n## Tuesday\n\nRested.")).toEqual([
    "Log: Monday: Ran. Tuesday: Rested.",
  ]);
  expect(passagesOf("Log", "# Log")).toEqual(["Log"]);
  expect(passagesOf("Log", "# Log\n\n## Later")).toEqual(["Log: Later"]);
});

test("passages drop Markdown marks and keep words and identifiers", () => {
  const said = (markdown: string) => passagesOf("", markdown)[0];
  expect(said("**Bold** and _it_ and ~~gone~~ and `snake_case_name` and __init__")).toBe(
    "Bold and it and gone and snake_case_name and init",
  );
  expect(said("[`openRetain`](docs/x_(y).md) and ![a chart](c.png) and [ref][1] and [[Page|name]][^2]")).toBe(
    "openRetain and a chart and ref and name",
  );
  expect(said("| Name | Size |\n|:--|--:|\n| `a_b` | **3** |")).toBe("Name, Size. a_b, 3");
  expect(said("- [x] done\n- [ ] open\n  1. nested\n> quoted\n> # more")).toBe(
    "done. open. nested. quoted more",
  );
  expect(said("```ts\nconst a = b_c(2 * d);\n}\n```")).toBe("const a = b_c(2 * d);");
  expect(said('<b>x</b> &amp; y <!-- z --> <https://a.b> 2 \\* 3\n\n[r]: http://x.y "Title"')).toBe(
    "x & y z https://a.b 2 * 3. r Title",
  );
  expect(said("my_var_name stays, snake_ too")).toBe("my_var_name stays, snake too");
});

test("a long chunk is split into at most 16 passages of a few sentences, none empty", () => {
  const passages = passagesOf("Guide > Part", sentences(30));
  expect(passages.length).toBeGreaterThan(5);
  expect(passages.length).toBeLessThanOrEqual(16);
  for (const passage of passages) {
    expect(passage).toMatch(/^Guide > Part: Sentence number.*\.$/);
    expect(estimateTokenCount(passage)).toBeLessThan(90);
  }
  expect(passages.map((passage) => passage.slice("Guide > Part: ".length)).join(" ")).toBe(sentences(30));
  for (let length = 5; length < 60; length++)
    expect(passagesOf("", `${`${"word ".repeat(length)}word. `.repeat(12)}End.`).at(-1)).not.toBe("End.");
  expect(passagesOf("T", sentences(2_000)).length).toBeLessThanOrEqual(16);
  expect(passagesOf("T", "word ".repeat(300)).length).toBeGreaterThan(3);
});

test("any text has passages, and none is empty", () => {
  expect(passagesOf("", " --- \n ***")).toEqual(["--- \n ***"]);
  expect(passagesOf("T", "...")).toEqual(["T: ..."]);
  expect(passagesOf("", "")).toEqual([]);
  fc.assert(
    fc.property(anyText, fc.oneof(fc.constant(""), fc.string()), (text, heading) => {
      const passages = passagesOf(heading, text);
      expect(passages.length).toBeLessThanOrEqual(16);
      if (text.trim() !== "") expect(passages.length).toBeGreaterThan(0);
      expect(passages.filter((passage) => passage.trim() === "")).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("every word of a chunk is in a passage", () => {
  fc.assert(
    fc.property(markdown, (content) => {
      for (const { heading, text } of chunkMarkdown(content, "T")) {
        const said = passagesOf(heading, text).join(" ");
        const words = (text.match(/w\d+/g) ?? []).filter((word) => !heading.includes(word));
        expect(words.filter((word) => !said.includes(word))).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test("sentences end at marks, not at abbreviations, decimals, versions, initials and ordinals", () => {
  const cut = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end));
  expect(cut("One. Two! Three? Four")).toEqual(["One.", "Two!", "Three?", "Four"]);
  for (const one of [
    "Use e.g. version v1.2.0 or 3.5 of foo.ts now",
    "Dr. Smith, i.e. J. R. Smith et al. said so",
    'He asked "why?" and left',
    "See Fig. 3 and No. 5 vs. the rest",
    "Well... maybe",
    "z.B. so und d.h. anders",
    "Oma hat am 3. Mai Geburtstag",
    "Abgabe: 14. Dez. 2026, im 2. Stock",
    "Sie wohnt im 4. Stock und liest den 2. Band",
  ])
    expect(cut(one)).toEqual([one]);
  expect(cut("It ended at 5 p.m. Then we left, etc. Done.")).toEqual([
    "It ended at 5 p.m.",
    "Then we left, etc.",
    "Done.",
  ]);
  expect(cut("I am 30. My son is 8. May I go? Mach 3. Maya lief")).toEqual([
    "I am 30.",
    "My son is 8.",
    "May I go?",
    "Mach 3.",
    "Maya lief",
  ]);
  expect(cut("「机器。」学习！好？是")).toEqual(["「机器。」", "学习！", "好？", "是"]);
  expect(cut('He said "Go." (Really.) *Yes.* no')).toEqual(['He said "Go."', "(Really.)", "*Yes.*", "no"]);
  expect(cut("- a\n- b\n1. c\n\nd\ne")).toEqual(["- a", "- b", "1. c", "d\ne"]);
  expect(cut(" \n ")).toEqual([]);
});

test("sentences are in order and contain everything except white space", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let at = 0;
      let between = "";
      for (const { start, end } of sentencesOf(text)) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        between += text.slice(at, start);
        at = end;
      }
      expect((between + text.slice(at)).trim()).toBe("");
    }),
    { numRuns: 1_000 },
  );
});
