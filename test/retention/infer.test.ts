/** What is inferred from what a person said, and what is not. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { inferFacts } from "../../src/retention/infer-facts.ts";
import { GIVES, GIVES_NOTHING } from "./infer-table.ts";

const texts = (said: string) => inferFacts(said).map(({ text }) => text);

test("INFER-1: names, work, home, tools, decisions, dates, versions and customs give one sentence each", () => {
  expect(GIVES.length).toBeGreaterThan(60);
  expect(GIVES.map(([said]) => [said, texts(said)])).toEqual(GIVES.map(([said, fact]) => [said, [fact]]));
});

test("INFER-1: a fact has its kind and what it is about", () => {
  const of = (said: string) => inferFacts(said).map(({ kind, entity }) => [kind, entity]);
  expect(of("We use Postgres 16 for the orders.")).toEqual([["tool", "Postgres 16"]]);
  expect(of("My name is Ada.")).toEqual([["name", "Ada"]]);
  expect(of("I prefer tabs over spaces.")).toEqual([["preference", "tabs"]]);
  expect(of("We decided to use SQLite because it needs no server.")).toEqual([["decision", "SQLite"]]);
  expect(of("The launch is on 12 March.")).toEqual([["date", "launch"]]);
});

test("INFER-1: a message of several sentences and clauses gives several", () => {
  const said =
    "Hi! I'm Ada and I work at Acme as a data engineer. We use Postgres 16, and I prefer short answers.";
  expect(texts(said)).toEqual([
    "The user works at Acme as a data engineer.",
    "The project uses Postgres 16.",
    "The user prefers short answers.",
  ]);
  expect(texts("Hello, I'm Ada.\n\nWhat is Go?\n\n- We use Go 1.24.\n- I live in Oslo.")).toEqual([
    "The user's name is Ada.",
    "The project uses Go 1.24.",
    "The user lives in Oslo.",
  ]);
});

test("INFER-2: questions, what is only thought of, denied, quoted, pasted, played or ordered gives nothing", () => {
  expect(GIVES_NOTHING.length).toBeGreaterThan(100);
  expect(GIVES_NOTHING.filter((said) => texts(said).length > 0)).toEqual([]);
});

test("INFER-2: no statement gives anything once it is a question, a condition, a quote, code, or somebody's words", () => {
  const frames: readonly ((said: string) => string)[] = [
    (said) => `${said.replace(/[.!]$/, "")}?`,
    (said) => `If ${said}`,
    (said) => `Maybe ${said}`,
    (said) => `"${said}"`,
    (said) => `\`\`\`\n${said}\n\`\`\``,
    (said) => `> ${said}`,
    (said) => `Bob said: ${said}`,
    (said) => `Translate this: ${said}`,
    (said) => `Pretend that you are somebody else. ${said}`,
    (said) => `Here is the log:\n\n${said}`,
  ];
  const single = GIVES.filter(([said]) => !/[!.] /.test(said));
  expect(texts("Bob wrote: Hello! My name is Ada.\n\nI live in Rome.")).toEqual([]);
  const wrong = single.flatMap(([said]) =>
    frames.map((frame) => frame(said)).filter((one) => texts(one).length > 0),
  );
  expect(wrong).toEqual([]);
});

test("INFER-5: of what people say to agents, only what holds for good and is meant so gives a fact", () => {
  const file = join(import.meta.dir, "../fixtures/said-to-agents.txt");
  const [, gives = "", givesNothing = ""] = readFileSync(file, "utf8").split(/^## .*\n/m);
  const lines = (part: string) => part.split("\n").filter((line) => line !== "");
  const said = (line: string) => line.replaceAll("\\n", "\n");
  expect(lines(gives).length).toBeGreaterThan(100);
  expect(lines(givesNothing).length).toBeGreaterThan(300);
  expect(
    lines(givesNothing).flatMap((line) => texts(said(line)).map((text) => `${line} => ${text}`)),
  ).toEqual([]);
  const given = lines(gives).map((line) => line.split("  =>  ")[0] ?? "");
  expect(given.map((line) => `${line}  =>  ${texts(said(line)).join(" ")}`)).toEqual(lines(gives));
});

test("INFER-3: a fact that would hold a secret is not given", () => {
  expect(texts("My name is Ada. I always use sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.")).toEqual([
    "The user's name is Ada.",
  ]);
});

test("INFER-4: whatever is said, nothing throws, and what is given is one line of the person's own words", () => {
  const words = fc.constantFrom(
    ...GIVES.flatMap(([said]) => said.split(" ")),
    ...[
      "if",
      "?",
      "\n\n",
      "```",
      '"',
      ">",
      "- ",
      "because",
      ",",
      "\u0000",
      "👩‍💻",
      "<private>",
      "I",
      "we",
      "prefer",
      ":",
    ],
  );
  const message = fc.oneof(
    fc.array(words, { maxLength: 40 }).map((said) => said.join(" ")),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  fc.assert(
    fc.property(message, (said) => {
      for (const { text, entity } of inferFacts(said)) {
        // The frame around the person's words: "The project's convention is: …", "they are" for "I'm".
        expect(text.length).toBeLessThanOrEqual(said.length * 2 + 40);
        expect(text).toMatch(/^[^\n\p{Cc}]+\.$/u);
        expect(entity.length).toBeLessThanOrEqual(said.length);
        expect(entity).not.toBe("");
      }
    }),
    { numRuns: 2_000 },
  );
});

test("INFER-4: what would move a terminal's cursor is left out", () => {
  expect(texts("We use Post\u0007gres\u001b 16.")).toEqual(["The project uses Postgres 16."]);
});

test("INFER-4: a megabyte takes no longer than its length", () => {
  const started = performance.now();
  for (const piece of [
    "We use Postgres 16. ",
    "I'm a ",
    '"',
    "`a",
    "I like ",
    "a".repeat(64),
    "\n> ",
    "- I prefer ",
  ])
    inferFacts(piece.repeat(Math.ceil(1_000_000 / piece.length)));
  for (const piece of ["We use Postgres 16. ", "I'm a ", '"', "`a", "I like a, ", "write a ", "- I prefer "])
    inferFacts(piece.repeat(Math.floor(7_900 / piece.length)));
  // The longest sentences that are looked at, each by every rule that its first words wake up.
  for (const [said] of GIVES)
    for (const filler of ["a", "A", "a ", "A ", "a, ", "A.", "1 ", "and ", "of A "]) {
      const start = said.replace(/[.!]$/, "");
      for (let cut = start.length; cut > 0; cut = start.lastIndexOf(" ", cut - 1))
        inferFacts(`${start.slice(0, cut)} ${filler.repeat(280)}`.slice(0, 290));
    }
  // Quadratic work on so much would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});
