import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { Sandbox } from "../helpers/sandbox.ts";
import { fixture, importedIn, open, outcomesOf, writeAll } from "./place.ts";

function session(id: string, ...said: string[]): string {
  const messages = said.map((content, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content,
    timestamp: `2026-02-18T09:00:0${index}.000Z`,
  }));
  return JSON.stringify({ id, title: id, tags: [], messages });
}

test("MIG-7: a session keeps its id, title, tags, times, roles and texts", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.migrate(fixture(sandbox, "chat"));
  const kept = await retain.sessions.show("session_20260218_001");
  expect(kept).toMatchObject({
    id: "session_20260218_001",
    title: "Choosing a runtime",
    tags: ["bun", "tooling"],
    created_at: "2026-02-18T09:00:00.000Z",
    updated_at: "2026-02-18T09:30:00.000Z",
    chat: "main",
  });
  expect(kept.conversation.map(({ role, content, timestamp }) => [role, content, timestamp])).toEqual([
    ["user", "Which runtime should I take?", "2026-02-18T09:01:00.000Z"],
    ["assistant", "Take Bun: it has SQLite built in.", "2026-02-18T09:01:07.000Z"],
    ["user", "And for the zeppelin simulator?", "2026-02-18T09:02:00.000Z"],
  ]);
});

test("MIG-7: a missing title is generated, and the messages are searchable", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.migrate(fixture(sandbox, "chat"));
  expect((await retain.sessions.find("session_20260219_001")).title).toBe("How do I ski at Taos in April?");
  const { hits } = await retain.search("zeppelin");
  expect(hits.map(({ text }) => text)).toContain("And for the zeppelin simulator?");
});

test("MIG-7: a session of a chat with its own memory belongs to that chat", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.migrate(fixture(sandbox, "bot"));
  expect((await retain.sessions.find("telegram-123")).chat).toBe("telegram-123");
});

test("MIG-7: an equal session is already present, and a longer one continues the stored one", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = writeAll(join(sandbox.work, "old"), { "sessions/a.json": session("a", "one", "two") });
  await retain.migrate(directory);
  expect(outcomesOf(await retain.migrate(directory))).toEqual(["existing a"]);
  writeAll(directory, { "sessions/a.json": session("a", "one", "two", "three", "four") });
  const report = await retain.migrate(directory);
  expect(report.items[0]).toMatchObject({ outcome: "imported", name: "a", messages: 2 });
  writeAll(directory, { "sessions/a.json": session("a", "one", "two", "three") });
  expect(outcomesOf(await retain.migrate(directory))).toEqual(["existing a"]);
  const { conversation } = await retain.sessions.show("a");
  expect(conversation.map(({ content }) => content)).toEqual(["one", "two", "three", "four"]);
});

test("MIG-7: a session with the same id but different messages is reported and skipped", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = writeAll(join(sandbox.work, "old"), {
    "sessions/1.json": session("a", "one", "two"),
    "sessions/2.json": session("a", "one", "another"),
    "sessions/3.json": session("b", "three"),
  });
  const report = await retain.migrate(directory);
  expect(outcomesOf(report)).toEqual(["imported a", "skipped a", "imported b"]);
  expect(report.items[1]).toMatchObject({
    file: "sessions/2.json",
    hint: expect.stringContaining("retain sessions show a"),
  });
  expect((await retain.sessions.show("a")).conversation.map(({ content }) => content)).toEqual([
    "one",
    "two",
  ]);
});

test("MIG-7: an invalid id is reported", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = writeAll(join(sandbox.work, "old"), {
    "sessions/a.json": session("../../etc/passwd", "one"),
  });
  const report = await retain.migrate(directory);
  expect(report.items[0]).toMatchObject({ outcome: "skipped", file: "sessions/a.json" });
  expect(report.items[0]?.why).toContain("session name");
});

test("MIG-10: secrets and private parts of messages are removed, and that is reported", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const directory = writeAll(join(sandbox.work, "old"), {
    "sessions/a.json": session("a", `My token is ${secret}.`, "Noted. <private>her PIN</private> Bye."),
  });
  const report = await retain.migrate(directory);
  expect(report.items[0]?.why).toContain("2 messages");
  const { conversation } = await retain.sessions.show("a");
  expect(JSON.stringify(conversation)).not.toMatch(/ghp_abc|her PIN/);
  expect(outcomesOf(await retain.migrate(directory))).toEqual(["existing a"]);
});

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "\n\n", "[MEMORY] Likes tea", "- a\n- b", "<b>&amp;</b>", "\ud800 alone"),
);
const messages = fc.array(
  fc.record({
    role: fc.constantFrom("user", "assistant", "system", "tool"),
    content: texts,
    timestamp: fc
      .date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString()),
  }),
  { minLength: 1, maxLength: 6 },
);

test("MIG-7: any sessions are imported message by message, as JSON or JSON lines, and a second run adds nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(messages, fc.boolean()), { minLength: 1, maxLength: 4 }),
      async (all) => {
        const sandbox = new Sandbox();
        const files = all.map(([said, isLines], index) => {
          const id = `session_${index}`;
          const lines = [{ id, title: "T" }, ...said].map((line) => JSON.stringify(line)).join("\n");
          return isLines
            ? [`sessions/${id}.jsonl`, lines]
            : [`sessions/${id}.json`, JSON.stringify({ id, title: "T", messages: said })];
        });
        const directory = writeAll(join(sandbox.work, "old"), Object.fromEntries(files));
        using retain = open(sandbox);
        const report = await retain.migrate(directory);
        expect(importedIn(report)).toBe(all.length);
        const again = await retain.migrate(directory);
        expect(again.items.map(({ outcome }) => outcome)).toEqual(all.map(() => "existing"));
        for (const [index, [said]] of all.entries()) {
          const stored = retain.sessions.show(`session_${index}`);
          const { conversation } = await stored;
          expect(conversation.map(({ role, content, timestamp }) => ({ role, content, timestamp }))).toEqual(
            said.map(({ role, content, timestamp }) => ({
              role: role as "user",
              content: content.replaceAll("\0", "").toWellFormed(),
              timestamp,
            })),
          );
        }
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);
