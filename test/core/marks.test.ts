import { expect, test } from "bun:test";
import fc from "fast-check";
import { noteOf, RECALLED_TAGS, readReply, withoutRecalled } from "../../src/core/marks/marks.ts";
import { withoutPrivate } from "../../src/core/secrets/private.ts";

/** A reply, its visible text, and the texts of its marks. */
type Row = [reply: string, visible: string, ...texts: string[]];

function check(rows: readonly Row[]): void {
  for (const [reply, visible, ...texts] of rows) {
    const read = readReply(reply);
    expect([reply, read.visible, ...read.marks.map(({ text }) => text)]).toEqual([reply, visible, ...texts]);
  }
}

const one = (reply: string) => {
  const { marks } = readReply(reply);
  expect(marks).toHaveLength(1);
  return marks[0];
};

test("MARK-1: [MEMORY] at the start of a line marks a fact to the line's end", () => {
  check([
    ["[MEMORY] Jamie likes TypeScript", "", "Jamie likes TypeScript"],
    ["Hi.\n[MEMORY] Jamie likes Go\nBye.", "Hi.\nBye.", "Jamie likes Go"],
    ["Hi.\n  [MEMORY] Jamie likes Go \nBye.", "Hi.\nBye.", "Jamie likes Go"],
    ["[memory] a\r\n[Memory] b\r\nBye.", "Bye.", "a", "b"],
    ["- [MEMORY] a\n* [MEMORY] b\n2. [MEMORY] c\n  - [MEMORY] d\n- seen", "- seen", "a", "b", "c", "d"],
    ["• [MEMORY] a\n## [MEMORY] b\n- **[MEMORY]** c\n1) _[MEMORY] d_\nx", "x", "a", "b", "c", "d"],
    ["<memory>T: n</memory> [MEMORY] a\nx", "x", "n", "a"],
    ["**[MEMORY]** fact\nx", "x", "fact"],
    ["__[MEMORY]:__ fact\nx", "x", "fact"],
    ["**[MEMORY] fact**\nx", "x", "fact"],
    ["[MEMORY]: fact\n[MEMORY] - other", "", "fact", "other"],
    ["[MEMORY] [MEMORY] b\nx", "x", "b"],
    ["[MEMORY] writes [MEMORY] before facts\nx", "x", "writes [MEMORY] before facts"],
    ["[MEMORY] a [/MEMORY] x", "x", "a"],
    ["[MEMORY] uses `[MEMORY]` tags", "", "uses `[MEMORY]` tags"],
    ["[MEMORY] fact.\n- seen\n- seen too", "- seen\n- seen too", "fact."],
  ]);
});

test("MARK-1: [MEMORY] after other text is text", () => {
  const same = [
    "You can write [MEMORY] before a sentence.",
    "Noted. [MEMORY] Jamie likes Go\nBye.",
    "So: **[MEMORY]** fact",
    "- Write [MEMORY], then a list:\n- a",
    "12 [MEMORY] x",
    "-[MEMORY] x",
    "a \\ [MEMORY] fact",
    "| [MEMORY] | x |",
    "End it with [/MEMORY] on a line.",
    "a [MEMORY] b [/MEMORY] c",
    "Hi [MEMORY",
  ];
  check(same.map((reply) => [reply, reply]));
});

test("MARK-9: quoted marks are text: in block quotes, and right after a quotation mark", () => {
  const same = [
    "> [MEMORY] x",
    ">[MEMORY] Facts:\n> - a\n> - b\n\nx",
    "> He wrote <memory>x</memory>\n> </memory>",
    "- > [MEMORY] x",
    "1. > <memory>T: x</memory>",
    "Write \"<memory>x</memory>\" or '<memory>User's name: x</memory>'.",
    'Write "[MEMORY] x" or\n"[MEMORY] y".',
    "“<memory>x</memory>” ‘<chat-memory>x</chat-memory>’ «<memory>x</memory>» „<memory>x</memory>“",
    "”<memory>x</memory>” »<memory>x</memory>« ‹<memory>x</memory>› 写“<memory>x</memory>”和「<memory>x</memory>」",
    '("<memory>", "</memory>", "<working-memory/>")',
    '**"<memory>x</memory>"** and "**<memory>x</memory>**"',
    '"<memory>a</memory><memory>b</memory>"',
    '"<memory>\nx\n</memory>"',
    '"<memory',
  ];
  check(same.map((reply) => [reply, reply]));
  check([
    ["> seen\n[MEMORY] x", "> seen", "x"],
    ["> seen\n\n<memory>x</memory>", "> seen", "x"],
    ['He said "hi".<memory>x</memory> Bye.', 'He said "hi". Bye.', "x"],
    ['He said "hi"<memory>x</memory> Bye.', 'He said "hi" Bye.', "x"],
    ['Use "<memory>" tags. <memory>x</memory> Bye.', 'Use "<memory>" tags. Bye.', "x"],
    ['Use "<memory> tags.\n\n<memory>x</memory>', 'Use "<memory> tags.', "x"],
    ['<memory>Rule: use "<memory>x</memory>" tags</memory> Bye.', "Bye.", 'use "<memory>x</memory>" tags'],
    ['[MEMORY] Uses "<memory>" tags\nBye.', "Bye.", 'Uses "<memory>" tags'],
    ['<memory>Likes: " spaces "</memory> Bye.', "Bye.", '" spaces "'],
    ['`"<memory>` and <memory>x</memory> Bye.', '`"<memory>` and Bye.', "x"],
    ["> <private>a [MEMORY] b</private>\n[MEMORY] c", "> <private>a [MEMORY] b</private>", "c"],
  ]);
  expect(withoutPrivate('> <private>a</private> b "<private>c</private>"')).toBe('> b ""');
});

test("MARK-1: text that only looks like a mark is text", () => {
  const same = [
    ..."[Memory](a.md)|[[Memory]]|\\[MEMORY] x|\\<memory>|[MEMORY usage is high]|[MEMORYX] x|MEMORY] x".split(
      "|",
    ),
    ..."< memory>|<memory-bank>|<memories>|<memory a\n\nb>|memory>x|<b>memory</b>".split("|"),
    `<memory ${"a ".repeat(200)}>`,
  ];
  check(same.map((reply) => [reply, reply]));
});

test("MARK-1: after [MEMORY], or words that end with a colon, each bullet is a fact", () => {
  for (const label of [
    "[MEMORY]",
    "[MEMORY] Updated facts:",
    "**[MEMORY] Facts:**",
    "[MEMORY] **Facts:**",
    "## [MEMORY]",
  ])
    for (const gap of ["\n", "\n\n", "\r\n"]) check([[`${label}${gap}- a\n- b\n\nBye.`, "Bye.", "a", "b"]]);
  for (const bullet of ["-", "*", "+", "•", "–", "1.", "1)", "- [ ]", "- [x]", "  -", "\t*"])
    check([[`[MEMORY] Facts:\n${bullet} a\n${bullet} b\n\nBye.`, "Bye.", "a", "b"]]);
  check([
    ["[MEMORY] Facts:\n- a\n  more\nlazy\n- b", "", "a more lazy", "b"],
    ["[MEMORY] Facts:\n- a\n\n- b\n\n  more\n\nBye.", "Bye.", "a", "b more"],
    ["[MEMORY] Facts:\n- a\n\n* seen", "* seen", "a"],
    ["[MEMORY] Facts:\n- a\n\n\n- seen", "- seen", "a"],
    ["[MEMORY] Facts:\n\n\n- seen", "- seen", "Facts:"],
    ["[MEMORY] Facts:\n- a\n## Next\nx", "## Next\nx", "a"],
    ["[MEMORY] Facts:\n- a\n---\nx", "---\nx", "a"],
    ["[MEMORY] Facts:\n- a\n> x", "> x", "a"],
    ["[MEMORY] Facts:\n- a\n```sh\nls\n```", "```sh\nls\n```", "a"],
    ["[MEMORY] Facts:\n- a\n[MEMORY] b\n**[MEMORY]** c\nx", "x", "a", "b", "c"],
    ["[MEMORY] Facts:\n- [MEMORY] a\n- [MEMORY] b", "", "a", "b"],
    ["[MEMORY] Facts:\n- a\n**[MEMORY]** b\nx", "x", "a", "b"],
    ["[MEMORY] Facts:\n- a\n<memory>T: b</memory>\nx", "x", "a", "b"],
    ["[MEMORY] Jamie said:\nPlain text.\nMore.", "Plain text.\nMore.", "Jamie said:"],
    ["[MEMORY]\nFacts:\n\n- a\n- b", "", "a", "b"],
  ]);
});

test("MARK-1: [MEMORY] alone marks the paragraph under it; [/MEMORY] ends a block of several", () => {
  check([
    ["[MEMORY]\nJamie likes Go\nand Bun.\n\nBye.", "Bye.", "Jamie likes Go and Bun."],
    ["[MEMORY]\n\nBye.", "Bye."],
    ["[MEMORY]\na\n[/MEMORY]\nBye.", "Bye.", "a"],
    ["[MEMORY]\na\n\nb\nb\n\n- c\n- d\n[/MEMORY] x\nBye.", "x\nBye.", "a", "b b", "c", "d"],
    ["[MEMORY]\n\na\n\n[/MEMORY]\n\nBye.", "Bye.", "a"],
    ["[MEMORY]\na\n- b\n[/MEMORY]", "", "a", "b"],
    ["[MEMORY]\na\n- seen\n\nBye.", "- seen\n\nBye.", "a"],
    ["[MEMORY] Facts:\na\n[/MEMORY]x", "x", "a"],
    ["[MEMORY] Facts:\na\n\nb\n[/MEMORY]", "a\n\nb", "Facts:"],
    ["[MEMORY] Facts:\n\na [/MEMORY]", "a [/MEMORY]", "Facts:"],
    ["[MEMORY] Facts:\na\n- b\n\n- c\n[/MEMORY]", "a\n- b\n\n- c", "Facts:"],
    [`[MEMORY]\na\n\n${"x".repeat(2000)}\n[/MEMORY]`, "x".repeat(2000), "a"],
    ["[MEMORY]\na\n\nb <memory>T: c</memory>", "b", "a", "c"],
    ["a\n[/MEMORY]\nb", "a\nb"],
  ]);
});

test("MARK-4: attributes set scope, category and tags; others are ignored", () => {
  const plain = { scope: null, category: null, tags: [] } as const;
  const rich = { scope: "global", category: "Work", tags: ["a", "b c"] } as const;
  const attributes = ` scope="global" category='Work'  tags="a, b c," colour=red`;
  expect(one(`[MEMORY${attributes}] x`)).toMatchObject({ kind: "fact", text: "x", ...rich });
  expect(one(`<memory${attributes} >x</memory>`)).toMatchObject({ kind: "note", text: "x", ...rich });
  expect(one(`<memory\n SCOPE = GLOBAL important category=Work tags=["a","b c"]>x`)).toMatchObject({
    scope: "global",
  });
  expect(one("<chat-memory tags=[a,b]>x</chat-memory>")).toMatchObject({ ...plain, tags: ["a", "b"] });
  expect(one(`[MEMORY scope="Project"] x`)).toMatchObject({ scope: "project" });
  expect(one(`<memory scope="everywhere" category="">x</memory>`)).toMatchObject(plain);
  expect(one("[MEMORY] x")).toMatchObject(plain);
});

test("MARK-5: <memory> and <chat-memory> are notes, titled explicitly or by their first words", () => {
  const note = { kind: "note", tag: "<memory>", closed: true, at: 8 };
  expect(one("Got it. <memory>Preference: brief answers</memory>")).toMatchObject({
    ...note,
    title: "Preference",
    text: "brief answers",
  });
  expect(one("<Chat-Memory>Topic: AI law</CHAT-MEMORY>")).toMatchObject({
    kind: "chat-note",
    tag: "<chat-memory>",
    title: "Topic",
  });
  const long = "word ".repeat(40).trim();
  const titles: [note: string, title: string, text: string][] = [
    ["Stack:\n- Bun\n- SQLite", "Stack", "- Bun\n- SQLite"],
    ["**Stack:** Bun", "Stack", "Bun"],
    ["标题：内容", "标题", "内容"],
    ["Meeting at 10:30", "Meeting at 10:30", "Meeting at 10:30"],
    ["- a: b\n- c", "a: b", "- a: b\n- c"],
    ["- one\n- two", "one", "- one\n- two"],
    ["Stack:", "Stack:", "Stack:"],
    [`${long}: x`, "word ".repeat(12).trim(), `${long}: x`],
    ["x".repeat(90), "x".repeat(60), "x".repeat(90)],
  ];
  for (const [body, title, text] of titles) {
    expect(noteOf(body)).toEqual({ title, text });
    expect(one(`<memory>\n${body}\n</memory>`)).toMatchObject({ title, text });
  }
  check([["a <memory></memory><chat-memory> \n </chat-memory><memory/>", "a"]]);
});

test("MARK-5: <working-memory> is saved whole; an empty one clears it", () => {
  check([
    ["<working-memory>\n- a: b\n- c\n</working-memory>\n\nOk.", "Ok.", "- a: b\n- c"],
    ["<working-memory></working-memory>Ok.", "Ok.", ""],
    ["<Working-Memory />Ok.", "Ok.", ""],
  ]);
  expect(one("<working-memory/>")).toMatchObject({ kind: "working", tag: "<working-memory>", title: null });
});

test("marks come in the order of the reply, with their offsets", () => {
  const reply =
    "a <memory>n</ memory > b <working-memory>w</working-memory>\n[MEMORY] F:\n- f\n- g\n\n[MEMORY] h";
  const { visible, marks } = readReply(reply);
  expect(visible).toBe("a b");
  expect(marks.map(({ text, at }) => [text, reply.slice(at, at + 8)])).toEqual([
    ["n", "<memory>"],
    ["w", "<working"],
    ["f", "[MEMORY]"],
    ["g", "[MEMORY]"],
    ["h", "[MEMORY]"],
  ]);
});

test("MARK-10: a nested mark is part of the outer mark's text, without its tags", () => {
  check([
    ["<memory>a <memory>b</memory> c</memory> d", "d", "a b c"],
    ["<working-memory>a <memory>b</memory> c</working-memory>d", "d", "a b c"],
    ["<memory>[MEMORY] a\n- [MEMORY] b\n[/MEMORY]</memory>c", "c", "a\n- b"],
    ["<memory>Uses [MEMORY] tags</memory>c", "c", "Uses [MEMORY] tags"],
    ["[MEMORY] a <memory>b</memory> c\nd", "d", "a b c"],
    ["[MEMORY] a <memory> tag\nd", "d", "a tag"],
    ["<memory>say `<memory>x</memory>` so</memory>d", "d", "say `<memory>x</memory>` so"],
    ["<mem<memory>a</memory>ory>b</memory>c", "c", "a", "b"],
    ["<<memory>a</memory>/memory>b", "b", "a"],
    ["<memory\n<memory>a</memory>\n>b</memory>c", "c", "a", "b"],
    ["[MEM<memory>a</memory>ORY] b\nc", "c", "a", "b"],
  ]);
});

test("MARK-10: an unclosed mark ends at the first tag that may be meant to close it", () => {
  check([
    ["<memory>a <memory>b</memory> Seen.", "Seen.", "a b"],
    ["<chat-memory>a</memory> Seen.", "Seen.", "a"],
    ["<memory>the ` key</memory> Press `x` now.", "Press `x` now.", "the ` key"],
    ["<memory>a\n```\nb</memory>\nSeen.\n[MEMORY] c", "Seen.", "a\n```\nb", "c"],
  ]);
});

test("MARK-9: marks in code are text", () => {
  const same = [
    "Use `[MEMORY] x` or ``<memory>`x`</memory>``.",
    "```\n[MEMORY] x\n```",
    "~~~~ html\n<memory>x</memory>\n~~~\n</memory>\n~~~~",
    "   ````\n```\n[MEMORY] x\n````",
    "- a\n  - ```\n    [MEMORY] x\n    ```\n    `<memory>`",
    "> ```\n> [MEMORY] x\n> ```",
    "- a\n\n     ```\n     a\n\n     [MEMORY] x\n     ```",
    "``` <memory>",
    "a `b\n[MEMORY] x\nc` d",
    "```\n[MEMORY] left open\n\n<memory>x</memory>",
    "`a\\` `[MEMORY] x`",
    "```a ` b <memory>x ``` c",
    "    [MEMORY] x",
    "a\n\n    [MEMORY] x\n    <memory>y</memory>\n\n\t[MEMORY] z",
    "# a\n    [MEMORY] x",
  ];
  check(same.map((reply) => [reply, reply]));
  check([
    ["a ` b\n[MEMORY] x\n\nc ` d", "a ` b\n\nc ` d", "x"],
    ["a `` b\n[MEMORY] x ` c", "a `` b", "x ` c"],
    ["a \\` b\n[MEMORY] x ` c", "a \\` b", "x ` c"],
    ["`` a ` b <memory>x</memory> ` c\n\n", "`` a ` b <memory>x</memory> ` c\n\n"],
    ["- a ` b\n- [MEMORY] x\n- c ` d", "- a ` b\n- c ` d", "x"],
    ["a ` b\n```\n[MEMORY] x\n```\n[MEMORY] y ` z", "a ` b\n```\n[MEMORY] x\n```", "y ` z"],
    ["> ```\n> a\n[MEMORY] x", "> ```\n> a", "x"],
    ["```\na\n```\n[MEMORY] x", "```\na\n```", "x"],
    ["    ```\n[MEMORY] x", "    ```", "x"],
    ["# a ` b\n[MEMORY] x ` c", "# a ` b", "x ` c"],
    ["# ```\n[MEMORY] x", "# ```", "x"],
    ["12```\n[MEMORY] x", "12```", "x"],
    ["<!--\n```\n-->\n[MEMORY] x", "<!--\n```\n-->", "x"],
    ["- a\n\nb\n\n     ```\n[MEMORY] x", "- a\n\nb\n\n     ```", "x"],
    ["a ` b\n- <memory>x</memory> c ` d", "a ` b\n- c ` d", "x"],
    ["> ```\n> a\n\n[MEMORY] x", "> ```\n> a", "x"],
    ["`a`<memory>x</memory>`b`", "`a` `b`", "x"],
    ["a\n    [MEMORY] x", "a", "x"],
    ["- a\n\n    [MEMORY] x\n- b", "- a\n\n- b", "x"],
    ["<memory>\n    T: x\n    </memory> Bye.", "Bye.", "x"],
    ["[MEMORY]\n\n    - a\n    - b", "", "a", "b"],
  ]);
});

/** `</memory>` is hidden outside code and has no other effect, so it shows what counts as code. */
function agreesWithCommonMark(markdown: string): void {
  let count = 0;
  const reply = markdown.replace(/P/g, () => `p${count++}</memory>`);
  const numbers = (text: string) =>
    [...text.matchAll(/p(\d+)(?:<|&lt;)\/memory/g)].map((match) => Number(match[1]));
  const code = [...Bun.markdown.html(reply).matchAll(/<code[^>]*>([\s\S]*?)<\/code>/g)].map(
    (match) => match[1],
  );
  expect([reply, numbers(readReply(reply).visible)]).toEqual([reply, numbers(code.join(" "))]);
}

test("MARK-9: inline code agrees with CommonMark", () => {
  const piece = fc.constantFrom(..."P|P|`|`|``|```|x| |\\|\nx |\n\nx |\n- x |\n# x ".split("|"));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => agreesWithCommonMark(`x ${pieces.join("")}`)),
    { numRuns: 2000 },
  );
});

test("MARK-9: fenced and indented code agrees with CommonMark", () => {
  const line = fc.constantFrom(
    ..."P|P|x P||```|````|~~~|~~~~|```js|  ```|``` x|~~~ `|``` `|   ~~~|# x|    P|\tx P|   P|    x ` P|x ` P".split(
      "|",
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => agreesWithCommonMark(lines.join("\n"))),
    { numRuns: 2000 },
  );
});

test("MARK-10: a mark without an end is hidden up to the end of the reply, and reported as not closed", () => {
  const rows: [reply: string, text: string][] = [
    ["Hi <memory>T: a\n\nb", "a\n\nb"],
    ["Hi <chat-memory>T: a</chat-mem", "a"],
    ["Hi <working-memory>a <", "a <"],
  ];
  for (const [reply, text] of rows) {
    expect(readReply(reply).visible).toBe("Hi");
    expect(one(reply)).toMatchObject({ text, closed: false });
  }
  expect(one("[MEMORY] Facts:\n\n")).toMatchObject({ text: "Facts:", closed: false });
  expect(one("<working-memory>a</working-memory")).toMatchObject({ text: "a", closed: true });
  check([
    ["Hi <memory categ", "Hi"],
    ["Hi <working-memory", "Hi"],
    ["Hi\n[MEMORY", "Hi"],
    [`Hi\n[MEMORY scope="gl`, "Hi"],
    ["Hi\n[MEMORY] likes a <mem", "Hi", "likes a"],
  ]);
});

test("MARK-10: half a tag's name at the end is text, and a closing tag without a mark is hidden", () => {
  for (const reply of ["a <", "a <mem", "a [MEMO", "a </mem", "a <chat-memor", "a ["])
    check([[reply, reply]]);
  check([
    ["a</memory> b</ WORKING-memory >", "a b"],
    ["a </memory", "a"],
    ["<memory>x: y</memory></memory>", "", "y"],
  ]);
});

test("MARK-9: marks in private or recalled text are hidden and not saved", () => {
  expect(RECALLED_TAGS).toEqual(["recalled", "retain-context", "mental_models"]);
  for (const name of ["private", ...RECALLED_TAGS])
    check([
      [`<${name}>a\n[MEMORY] b\n<memory>c</memory>d</${name}>\n[MEMORY] e`, `<${name}>a\nd</${name}>`, "e"],
      [`<${name.toUpperCase()} x="1">a\n[MEMORY] b\nc`, `<${name.toUpperCase()} x="1">a\nc`],
      [
        `<${name}><${name}>a</${name}>\n[MEMORY] b\n</${name}>\n[MEMORY] c`,
        `<${name}><${name}>a</${name}>\n</${name}>`,
        "c",
      ],
      [`\`<${name}>\` a\n[MEMORY] b`, `\`<${name}>\` a`, "b"],
      [`<memory>T: a <${name}>b</${name}> c</memory>d`, "d", "a c"],
      [`[MEMORY] F:\n- a <${name}>b\n- c</${name}> d\n\ne`, "e", "a", "d"],
      [`[MEMORY] <${name}>b</${name}>\nc`, "c"],
      [`<memory>a <${name}>b</memory> c\n[MEMORY] d`, "c", "a"],
    ]);
});

test("MARK-9: private and recalled text isn't saved", () => {
  const rows: [text: string, left: string][] = [
    ["a <private>b</private> c", "a c"],
    ["a\n<Private>\nb\n\nc\n</PRIVATE >\nd", "a\nd"],
    ["a <private>b", "a"],
    ["a <private", "a"],
    ["a <private>b <private>c</private> d</private> e", "a e"],
    ["a <private>b `</private>` c</private> d", "a d"],
    ["a <private>b ` c</private> d ` e", "a"],
    [
      "use `<private>x</private>` [MEMORY] <memory>y\r\n",
      "use `<private>x</private>` [MEMORY] <memory>y\r\n",
    ],
    ["a </private> b<private/>", "a b"],
  ];
  for (const [text, left] of rows) {
    expect([text, withoutPrivate(text)]).toEqual([text, left]);
    const recalled = (part: string) => part.replace(/private/gi, "recalled");
    expect(withoutRecalled(recalled(text))).toBe(recalled(left));
  }
  expect(withoutPrivate("a <priv<private>b</private>ate>c</private> d")).toBe("a");
  expect(withoutRecalled("a <recal<recalled>b</recalled>led>c</recalled> d")).toBe("a d");
  expect(withoutRecalled("```\n<recalled>x\n```\n<recalled>y")).toBe("```\n<recalled>x\n```");
  expect(withoutPrivate("<recalled>a</recalled>")).toBe("<recalled>a</recalled>");
  expect(withoutRecalled("a <retain-context>b</retain-context>")).toBe("a");
});

test("MARK-13: white space is tidied where a mark was, and nowhere else", () => {
  const mark = "<memory>T: x</memory>";
  const rows: [reply: string, visible: string][] = [
    ["Got it. M", "Got it."],
    ["Got it. M\nNext  \n", "Got it.\nNext  \n"],
    ["a M b", "a b"],
    ["aM b", "a b"],
    ["a M, b", "a , b"],
    ["a\tM \tM b", "a\tb"],
    ["a\n\nM\n\nb", "a\n\nb"],
    ["a\n\n\nM\n \n\nM\n\nb", "a\n\nb"],
    ["a\nM\nb", "a\nb"],
    ["a\n  M M  \nb", "a\nb"],
    ["a  \nM\nb", "a  \nb"],
    ["a M\n\n\nb", "a\n\n\nb"],
    ["a\r\n\r\nM\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"],
    ["a M\r\nb", "a\r\nb"],
    ["M\n\nb", "b"],
    ["\n\nM\n\n  b", "  b"],
    ["  M b", "  b"],
    ["a\n\nM", "a"],
    ["a\r\n\r\nM", "a"],
    ["a\n\nM\n", "a\n"],
    ["a\n\nM\n\n\n", "a\n"],
    ["a\nM\n  ", "a\n  "],
    ["M", ""],
    ["\n M \n\n", ""],
    ["- a\n- M\n- b", "- a\n- b"],
    ["- M b", "- b"],
    ["-\nM\n- ", "-\n- "],
    ["a **M** b", "a b"],
    ["**M**\na", "a"],
    ["**M*\na", "***\na"],
    ["a **M__ b", "a **__ b"],
    ["a * M\nb", "a *\nb"],
    ["`a`M`b`", "`a` `b`"],
  ];
  for (const [reply, visible] of rows) {
    expect([reply, readReply(reply.replaceAll("M", mark)).visible]).toEqual([reply, visible]);
    expect(readReply(reply.replaceAll("M", "</memory>")).visible).toBe(visible);
  }
});

test("MARK-4: a mark names the facts it replaces or ends, and gives a key", () => {
  const of = (reply: string) =>
    readReply(reply).marks.map(({ text, key, replaces }) => ({ text, key, replaces }));
  for (const tag of [
    "[MEMORY replaces k3f9a2, 8d2c1a]",
    '[MEMORY replaces="k3f9a2, 8d2c1a"]',
    "[memory Replaces K3F9A2 and 8D2C1A]",
    "[MEMORY replaces: k3f9a2 8d2c1a]",
  ])
    expect([tag, of(`${tag} Deploys are on Tuesdays`)]).toEqual([
      tag,
      [{ text: "Deploys are on Tuesdays", key: null, replaces: ["k3f9a2", "8d2c1a"] }],
    ]);
  expect(of("[MEMORY ends k3f9a2]")).toEqual([{ text: "", key: null, replaces: ["k3f9a2"] }]);
  expect(of("Fine.\n\n[MEMORY ends k3f9a2]\n\nAnything else?")).toEqual([
    { text: "", key: null, replaces: ["k3f9a2"] },
  ]);
  expect(readReply("Fine.\n\n[MEMORY ends k3f9a2]\n\nAnything else?").visible).toBe(
    "Fine.\n\nAnything else?",
  );
  expect(of('[MEMORY key="Deploy day" replaces k3f9a2] Tuesdays')).toEqual([
    { text: "Tuesdays", key: "Deploy day", replaces: ["k3f9a2"] },
  ]);
  expect(of("[MEMORY] Nothing is named here")).toEqual([
    { text: "Nothing is named here", key: null, replaces: [] },
  ]);
  expect(of("[MEMORY replaces the old one] x")).toEqual([]);
  expect(of('[MEMORY key="Days" replaces k3f9a2]\n- Deploys on Mondays\n- Backups on Fridays')).toEqual([
    { text: "Deploys on Mondays", key: null, replaces: ["k3f9a2"] },
    { text: "Backups on Fridays", key: null, replaces: [] },
  ]);
});
