/** Checks on a model's answer. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { checkAnswer, readAnswer } from "../../src/facts/learn/answer.ts";

const FACT_ID = "3f9a2xw0c1";
const OTHER_ID = "8d2c1a9z00";

/** The accepted facts with these quotes, if the user said this. */
function kept(said: string, ...quotes: string[]): string[] {
  const facts = quotes.map((quote) => ({ text: `From: ${quote}`, quote }));
  const turns = [
    { message: 1, role: "user" as const, text: said, at: "" },
    { message: 2, role: "assistant" as const, text: "You could use a kayak for that.", at: "" },
  ];
  return checkAnswer({ facts, ended: [], pairs: [] }, { turns, facts: [], pairs: [] }).facts.map(({ text }) =>
    text.slice(6),
  );
}

test("LEARN-2: a quote counts if a user said it, whatever its case, spaces and quotation marks", () => {
  const said = "We bake at 4am,\n  never later. It's “Mill Lane” where we are";
  const quotes = ["we bake at 4AM, never later", 'It’s "Mill Lane"', "we bake at 5am", "use a kayak", ""];
  expect(kept(said, ...quotes)).toEqual(["we bake at 4AM, never later", 'It’s "Mill Lane"']);
});

test("LEARN-2: pasted and quoted text, questions and single words prove nothing", () => {
  for (const [said, quote] of [
    ["look:\n```\nI use an old driver\n```\nodd", "I use an old driver"],
    ["look:\n```\nI use an old driver", "I use an old driver"],
    ["> I live in Porto\nwhat should I answer", "I live in Porto"],
    ['my boss always says "I sleep four hours" lol', "I sleep four hours"],
    ["should we move to Oslo?", "we move to Oslo"],
    ["what would happen if we sold the van?", "we sold the van?"],
    ["maybe rowing, who knows", "rowing"],
  ] as const)
    expect([said, kept(said, quote)]).toEqual([said, []]);
  for (const [said, quote] of [
    ["we moved the stand-up to ten, can you change the page?", "we moved the stand-up to ten"],
    ["should we move to Oslo? we live in Bergen now", "we live in Bergen now"],
    ['she said "I live in Porto" and I live in Porto too', "I live in Porto"],
    ["Vegetarian.", "vegetarian."],
    ["我住在东京附近", "住在东京"],
  ] as const)
    expect([said, kept(said, quote)]).toEqual([said, [quote]]);
});

test("LEARN-2: items that fail a check are dropped and counted, and the rest is kept", () => {
  const turns = [{ message: 7, role: "user" as const, text: "I keep bees and two goats", at: "" }];
  const quote = "I keep bees";
  const good = { text: "The user keeps bees.", quote };
  const { facts, ended, decisions, dropped } = checkAnswer(
    {
      facts: [
        good,
        { ...good, text: "x".repeat(301) },
        { ...good, text: "The password is hunter2hunter2" },
        { ...good, replaces: ["3f9a2x"], because: "a  reason" },
        { ...good, replaces: ["zzzzzz"] },
        { ...good, replaces: ["3"] },
        { text: "no quote" },
        "nonsense",
        null,
      ],
      ended: [
        { id: "8d2c1a", quote, because: "sold" },
        { id: "8d2c1a", quote: "not said at all" },
        { id: "none00", quote },
      ],
      pairs: [
        { newer: "8d2c1a", decision: "both" },
        { newer: "3f9a2x", decision: "both" },
        { newer: "8d2c1a", decision: "perhaps" },
      ],
    },
    { turns, facts: [FACT_ID, OTHER_ID], pairs: [OTHER_ID] },
  );
  expect(facts).toMatchObject([
    { text: "The user keeps bees.", message: 7, about: "person", replaces: [] },
    { replaces: [FACT_ID], because: "a reason" },
  ]);
  expect(ended).toEqual([{ id: OTHER_ID, because: "sold" }]);
  expect(decisions).toEqual([{ newer: OTHER_ID, decision: "both", because: null }]);
  expect(dropped).toEqual({ malformed: 5, secret: 1, "unknown id": 4, "not said": 1 });
});

test("LEARN-2: an answer adds at most 40 facts", () => {
  const turns = [{ message: 1, role: "user" as const, text: "I keep bees", at: "" }];
  const facts = Array.from({ length: 60 }, (_, n) => ({ text: `Fact ${n}.`, quote: "I keep bees" }));
  const learned = checkAnswer({ facts, ended: [], pairs: [] }, { turns, facts: [], pairs: [] });
  expect([learned.facts.length, learned.dropped]).toEqual([40, { "too many": 20 }]);
});

test("LEARN-2: JSON may have a fence or words around it; anything else is rejected", () => {
  const empty = { facts: [], ended: [], pairs: [] };
  for (const text of [
    '{"facts": []}',
    '```json\n{"facts": [], "ended": []}\n```',
    'Here you are: {"facts": [], "pairs": null} Anything else?',
  ])
    expect(readAnswer(text)).toEqual(empty);
  for (const text of ["", "none", "[]", "{}", '{"facts": "none"}', '{"facts": [', '"facts"'])
    expect([text, readAnswer(text)]).toEqual([text, null]);
});

test("LEARN-2: checking any answer never throws and keeps only quoted facts", () => {
  const item = fc.oneof(
    fc.anything(),
    fc.record({ text: fc.string(), quote: fc.string(), replaces: fc.array(fc.string()) }),
  );
  fc.assert(
    fc.property(fc.string(), fc.array(item), fc.array(item), fc.array(item), (said, facts, ended, pairs) => {
      readAnswer(said);
      const turns = [{ message: 1, role: "user" as const, text: said, at: "" }];
      const learned = checkAnswer({ facts, ended, pairs }, { turns, facts: [FACT_ID], pairs: [FACT_ID] });
      const dropped = Object.values(learned.dropped).reduce((sum, count) => sum + count, 0);
      const counted = learned.facts.length + learned.ended.length + learned.decisions.length + dropped;
      expect(counted).toBe(facts.length + ended.length + pairs.length);
    }),
  );
});
