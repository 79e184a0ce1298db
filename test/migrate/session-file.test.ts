import { expect, test } from "bun:test";
import fc from "fast-check";
import { RetainError } from "../../src/core/errors.ts";
import { parseSession } from "../../src/migrate/session-file.ts";

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
const said = (text: string, name = "a.jsonl") =>
  parseSession(text, name)?.messages.map(({ role, content }) => `${role}: ${content}`);

test("MIG-4: a line without a role describes the session, at the top or later", () => {
  const session = parseSession(
    lines(
      { type: "meta", session_id: "s1", title: "First", startedAt: 1_771_405_200 },
      { role: "user", content: "Hi", timestamp: 1_771_405_201_000 },
      { title: "Renamed", tags: ["a", "a", " b "], updated_at: "2026-02-18T10:00:00+01:00" },
    ),
    "x.jsonl",
  );
  expect(session).toMatchObject({
    id: "s1",
    title: "Renamed",
    tags: ["a", "b"],
    created_at: "2026-02-18T09:00:00.000Z",
    updated_at: "2026-02-18T09:00:00.000Z",
    problems: [],
  });
  expect(session?.messages[0]?.timestamp).toBe("2026-02-18T09:00:01.000Z");
});

test("MIG-4: messages are read in the formats of other tools", () => {
  const shapes = [
    { role: "Human", text: "one" },
    { type: "message", message: { role: "ai", content: [{ type: "text", text: "two" }, "three"] } },
    { role: "tool", content: "four" },
    { role: "system", content: "five" },
  ];
  const expected = ["user: one", "assistant: two\n\nthree", "tool: four", "system: five"];
  expect(said(lines(...shapes))).toEqual(expected);
  expect(said(JSON.stringify(shapes.slice(2)), "a.json")).toEqual(expected.slice(2));
  expect(said(lines(...shapes), "a.json")).toEqual(expected);
});

test("MIG-4: unreadable lines are reported with their number, and the rest is imported", () => {
  const text = [
    lines({ role: "user", content: "one" }),
    '{"role":"assistant","content":"cut o',
    lines({ role: "owl", content: "hoo" }),
    lines({ role: "user", content: [{ type: "image" }, { type: "text", text: "look" }] }),
    lines({ role: "user", content: null }),
    lines({ event: "typing" }),
    "7",
  ].join("\n");
  const session = parseSession(text, "a.jsonl");
  expect(session?.messages.map(({ content }) => content)).toEqual(["one", "look"]);
  expect(session?.problems).toEqual([
    { line: 2, why: expect.stringContaining("JSON") },
    { line: 3, why: expect.stringContaining('"owl"') },
    { line: 4, why: expect.stringContaining("non-text parts") },
    { line: 5, why: "It has no text." },
    { line: 6, why: expect.stringContaining("not a message") },
    { line: 7, why: expect.stringContaining("JSON") },
  ]);
});

test("MIG-4: JSON without a session is ignored, and invalid JSON is refused", () => {
  expect(parseSession('{"version": 1}', "index.json")).toBeNull();
  expect(parseSession("", "empty.jsonl")).toBeNull();
  expect(() => parseSession('{"messages": [', "a.json")).toThrow("not valid JSON");
  expect(() => parseSession("%PDF\nhello", "a.jsonl")).toThrow("is a message");
});

test("MIG-4: any file is a session, ignored or refused", () => {
  const pieces = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom('{"role":"user","content":"x"}', '{"messages":[1,{"role":"__proto__"}]}', '{"role":{}}'),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), fc.constantFrom("a.json", "a.jsonl"), (parts, name) => {
      try {
        const session = parseSession(parts.join("\n"), name);
        for (const { content } of session?.messages ?? []) expect(typeof content).toBe("string");
      } catch (error) {
        expect(error).toBeInstanceOf(RetainError);
      }
    }),
  );
});
