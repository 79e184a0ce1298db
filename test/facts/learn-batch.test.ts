/** Which turns are unread, when they are due, and how they are split into batches. */
import { expect, test } from "bun:test";
import type { MessageDetails, Role } from "../../src/core/sessions/conversation.ts";
import { areDue, learnedTo, nextBatch, saysAnything, unreadIn } from "../../src/facts/learn/batch.ts";

type Said = readonly [role: Role, content: string, details?: MessageDetails];

const DAY = "2026-11-17T12:00:00Z";
const messages = (...said: Said[]) =>
  said.map(([role, content, details = {}], index) => ({
    id: index + 1,
    role,
    content,
    details,
    timestamp: DAY,
  }));
const OPEN = { since: "2026-11-17T00:00:00Z", isOver: false };
const OVER = { ...OPEN, isOver: true };
const lasts = (unread: readonly { readonly last: number }[]) => unread.map(({ last }) => last);
const call = { calls: [{ id: "1", name: "read_file", input: {} }] };

test("an exchange is unread until a mark covers it, and isn't read before its reply is finished", () => {
  const said = messages(
    ["user", "I keep bees"],
    ["assistant", "Noted."],
    ["user", "I keep goats"],
    ["assistant", "Let me look.", call],
  );
  expect(lasts(unreadIn(said, OPEN))).toEqual([2]);
  expect(lasts(unreadIn(said, OVER))).toEqual([2, 4]);
  const marked = [...said, ...messages(["system", "", { learnedTo: 2 }]).map((one) => ({ ...one, id: 5 }))];
  expect([learnedTo(marked), lasts(unreadIn(marked, OVER))]).toEqual([2, [4]]);
  expect(unreadIn(said, { ...OVER, since: "2026-11-18T00:00:00Z" })).toEqual([]);
});

test("unread turns are due once there are enough, or before a summary hides them", () => {
  const said = messages(["user", "a b"], ["assistant", "c"], ["user", "d e"], ["assistant", "f"]);
  const unread = unreadIn(said, OPEN);
  expect([areDue(unread, said, 2), areDue(unread, said, 3)]).toEqual([true, false]);
  const compacted = [
    ...said,
    ...messages(["system", "summary", { compactsTo: 2 }]).map((one) => ({ ...one, id: 5 })),
  ];
  expect(areDue(unread, compacted, 3)).toBe(true);
});

test("a batch has the exchanges that fit, at least one, and the exchange before it", () => {
  const said = messages(
    ["user", "I keep bees"],
    ["assistant", "Noted."],
    ["user", `I keep goats ${"x".repeat(500)}`],
    ["tool", "a result"],
    ["assistant", "Noted."],
    ["user", "I keep hens"],
    ["assistant", "Noted."],
  );
  const unread = unreadIn(said, OPEN);
  const first = nextBatch("s", said, unread, 100);
  expect(first).toMatchObject({ from: 1, to: 2, exchanges: 1, earlier: [] });
  const second = nextBatch("s", said, unread.slice(1), 100);
  expect(second).toMatchObject({ from: 3, to: 5, exchanges: 1, earlier: [{ text: "I keep bees" }, {}] });
  expect(second?.turns.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(nextBatch("s", said, unread, 10_000)).toMatchObject({ from: 1, to: 7, exchanges: 3 });
  expect(nextBatch("s", said, [], 100)).toBeNull();
});

test("long messages are shortened, and marks, private parts and secrets left out", () => {
  const said = messages(
    ["user", `I keep bees ${"x".repeat(9_000)} <private>and drink</private>`],
    ["assistant", `${"y".repeat(9_000)}\n[MEMORY] The user keeps bees`],
  );
  const { turns = [] } = nextBatch("s", said, unreadIn(said, OPEN), 100) ?? {};
  expect(turns.map(({ text }) => text.length < 6_100)).toEqual([true, true]);
  expect(turns.map(({ text }) => text).join()).not.toMatch(/drink|MEMORY/);
});

test("thanks and greetings contain nothing to learn", () => {
  const batch = (content: string) => {
    const said = messages(["user", content], ["assistant", "I own a boat, and you?"]);
    return { turns: nextBatch("s", said, unreadIn(said, OPEN), 100)?.turns ?? [] };
  };
  expect([saysAnything(batch("thanks a lot!")), saysAnything(batch("I keep bees"))]).toEqual([false, true]);
});
