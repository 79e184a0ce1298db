/** Titles and summaries made without a model. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { findSecrets } from "../../src/core/secrets/secrets.ts";
import { extractSummary } from "../../src/sessions/extract.ts";
import { titleOf } from "../../src/sessions/title.ts";

const KEY = `sk-ant-api03-${"aB3dE5gH".repeat(11)}`;

test("SESS-24: a title is the first meaningful sentence, cut between words at 60 characters", () => {
  const titles: [string, string | null][] = [
    ["How do I rotate refresh tokens?", "How do I rotate refresh tokens?"],
    ["Hi! How do I rotate refresh tokens? They last a year.", "How do I rotate refresh tokens?"],
    ["Hi!", "Hi!"],
    ["The database in Frankfurt is slow.", "The database in Frankfurt is slow"],
    [
      "Why does the nightly export of the orders of our largest customers fail on Sundays?",
      "Why does the nightly export of the orders of our largest…",
    ],
    ["x".repeat(60), "x".repeat(60)],
    ["x".repeat(61), `${"x".repeat(59)}…`],
    ["Fix `src/app.ts`: it **crashes** at [start](http://x.y).", "Fix src/app.ts: it crashes at start"],
    ["# Plan\n\n- one\n- two", "Plan"],
    ["```js\nconst answer = 42;\n```\nWhy is this 42?", "Why is this 42?"],
    ["```js\nconst answer = 42;\n```", "const answer = 42;"],
    ["/remember that the wifi is slow", "that the wifi is slow"],
    ["/usr/bin/env is missing here", "/usr/bin/env is missing here"],
    ["我想知道如何轮换令牌。谢谢！", "我想知道如何轮换令牌"],
    ["Say it\u001b[31m in red\u0007 please", "Say it[31m in red please"],
    ["<private>My ex is Bo.</private> What is a vesting cliff?", "What is a vesting cliff?"],
    ["<private>all of it</private>", null],
    ["[MEMORY] Likes tea", null],
    [`Is ${KEY} a key?`, "Is [secret removed] a key?"],
    ["", null],
    [" \n ", null],
    ["?!", null],
  ];
  for (const [text, title] of titles) expect([text, titleOf(text)]).toEqual([text, title]);
});

test("SESS-24: a title is always one line of 1 to 60 characters without a secret, or missing", () => {
  const words = fc.constantFrom(
    "word",
    KEY,
    "\n",
    "`",
    "```\n",
    "<private>",
    "</private>",
    "**",
    "漢字",
    "/x",
    "\u001b",
    " ",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(words).map((all) => all.join(" ")),
      ),
      (text) => {
        const title = titleOf(text);
        if (title === null) return;
        expect(Array.from(title).length).toBeGreaterThan(0);
        expect(Array.from(title).length).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/[\n\u001b\0]/);
        expect(findSecrets(title)).toEqual([]);
      },
    ),
  );
});

const talk = (...texts: string[]) =>
  texts.map((content, index) => ({
    role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content,
  }));

test("SESS-6: without a model, a summary consists of the most informative sentences", () => {
  const talks: [string[], string][] = [
    [
      [
        "Hi there!",
        "Hello! How can I help?",
        "Our staging database in Frankfurt is slow since Tuesday. Which index is missing?",
        "Let me look. The table `orders` has no index on customer_id. Every query scans all rows of orders.\n\n```sql\nCREATE INDEX\n```\n[MEMORY] The database is in Frankfurt",
        "Done, thanks!",
        "Great! Anything else?",
      ],
      "Our staging database in Frankfurt is slow since Tuesday. The table orders has no index on customer_id. Every query scans all rows of orders.",
    ],
    [
      [
        "Wir ziehen im März nach Berlin um und suchen eine Wohnung in Neukölln",
        "Schön! In Neukölln liegen die Mieten bei etwa 15 Euro je Quadratmeter. Soll ich Angebote suchen?",
        "Ja, höchstens 1200 Euro warm, zwei Zimmer, mit Balkon.",
      ],
      "Wir ziehen im März nach Berlin um und suchen eine Wohnung in Neukölln. In Neukölln liegen die Mieten bei etwa 15 Euro je Quadratmeter. Ja, höchstens 1200 Euro warm, zwei Zimmer, mit Balkon.",
    ],
    [
      [
        "我们的数据库很慢。怎么办？",
        "请检查订单表的索引。订单表没有客户编号的索引，所以每次查询都会扫描全部数据。",
      ],
      "我们的数据库很慢。 请检查订单表的索引。 订单表没有客户编号的索引，所以每次查询都会扫描全部数据。",
    ],
    [["ok"], "ok."],
    [["```\nls -la\n```", "```\ntotal 0\n```"], "ls -la"],
    [["", "[MEMORY] Likes tea"], ""],
    [[], ""],
  ];
  for (const [texts, summary] of talks)
    expect([texts, extractSummary(talk(...texts))]).toEqual([texts, summary]);
});

test("SESS-6: an extracted summary is short, verbatim, and omits tool results", () => {
  const sentence = fc
    .array(
      fc.constantFrom("alpha", "beta", "gamma", "delta", "der", "la", "数据库", "x".repeat(90), "4711"),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((words) => `${words.join(" ")}.`);
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "system", "tool"),
    content: fc.array(sentence, { maxLength: 4 }).map((all) => all.join(" ")),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
      const summary = extractSummary(messages);
      const said = messages.filter(({ role }) => role !== "tool").map(({ content }) => content);
      const sentences = summary.split(/(?<=[.…])\s/).filter((one) => one !== "");
      expect(sentences.length).toBeLessThanOrEqual(3);
      for (const one of sentences) {
        const words = one.replace(/[.…]+$/, "");
        expect([summary, said.some((text) => text.includes(words))]).toEqual([summary, true]);
      }
      expect(summary.length).toBeLessThanOrEqual(620);
      if (said.some((text) => text !== "")) expect(summary).not.toBe("");
    }),
  );
});
