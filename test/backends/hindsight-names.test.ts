/** Round trips: document ids, transcripts, and parts of a conversation. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DocumentIds, uuidOf } from "../../src/backends/hindsight/document-ids.ts";
import { halvesOf } from "../../src/backends/hindsight/parts.ts";
import type { WireItem } from "../../src/backends/hindsight/protocol.ts";
import { parseTranscript, printTranscript } from "../../src/backends/hindsight/transcript.ts";

const name = fc
  .oneof(
    fc.string({ minLength: 1, unit: "grapheme" }),
    fc.stringMatching(/^[%/:#?.\\a2Ff-]{1,6}$/),
    fc.constantFrom("..", "%2F", "a/b/chunks", "x#3", "doc:", "session:"),
  )
  .filter((text) => text.isWellFormed());
const tags = fc.array(fc.constantFrom("project:a", "b"), { maxLength: 2 });

test("HIND-5: an id can be parsed back, contains no slash, and is unique", () => {
  fc.assert(
    fc.property(name, name, fc.nat(99), tags, (one, other, from, scope) => {
      const ids = new DocumentIds(scope);
      const made = [ids.document({ collection: one, id: other }), ids.session(one, from)];
      expect(ids.read(made[0] ?? "")).toEqual({ kind: "document", ref: { collection: one, id: other } });
      expect(ids.read(made[1] ?? "")).toEqual({ kind: "message", session: one, from });
      for (const id of made) expect(id).not.toMatch(/[/\\?\u0000-\u001f]/);
      expect(new DocumentIds([...scope, "another"]).read(made[0] ?? "")).toBeNull();
      if (one !== other)
        expect(ids.document({ collection: one, id: other })).not.toBe(
          ids.document({ collection: other, id: one }),
        );
    }),
  );
  expect(uuidOf(["a"])).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidOf(["a"])).not.toBe(uuidOf(["b"]));
});

const line = fc.oneof(
  fc.string(),
  fc.constantFrom("user (2026): x", "\\user (): y", "\\\\assistant (a): ", "user: z", "", "assistant (x):"),
);
const turn = fc.record({
  role: fc.constantFrom("user" as const, "assistant" as const),
  at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  content: fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n")),
});

test("BACKEND-7: any conversation survives its transcript turn for turn", () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 6 }), (turns) => {
      expect(parseTranscript(printTranscript(turns))).toEqual(turns);
    }),
  );
  expect(parseTranscript("Not written here\nuser (x): hi")).toEqual([
    { role: "user", at: "x", content: "hi" },
  ]);
});

test("BACKEND-7: a conversation cut in two is the same when joined, and a growing one is cut at the same place", () => {
  const item = (turns: Parameters<typeof printTranscript>[0]): WireItem => ({
    ...{ content: printTranscript(turns), timestamp: "t", context: "c", metadata: {}, tags: [] },
    ...{ document_id: "session:s", update_mode: "replace" },
  });
  const ids = new DocumentIds([]);
  const stretchesOf = (whole: WireItem) =>
    (halvesOf(whole) ?? [whole]).flatMap((half) => halvesOf(half) ?? [half]);
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 20 }), (turns) => {
      const joined: typeof turns = [];
      for (const { document_id, content } of stretchesOf(item(turns))) {
        expect(ids.read(document_id)).toEqual({ kind: "message", session: "s", from: joined.length });
        joined.push(...parseTranscript(content));
      }
      expect(joined).toEqual(turns);
    }),
  );
  const one = { role: "user" as const, at: "t", content: "x" };
  const cuts = Array.from(
    { length: 8 },
    (_, more) => halvesOf(item(Array(9 + more).fill(one)))?.[1].document_id,
  );
  expect(new Set(cuts)).toEqual(new Set(["session:s#8"]));
  expect(halvesOf(item([one]))).toBeNull();
  expect(halvesOf({ ...item([one, one]), document_id: "retain:1" })).toBeNull();
});
