import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  HISTORY_HEAD,
  type HistoryEntry,
  parseEntry,
  parseHistory,
  printEntry,
} from "../../src/core/facts/history.ts";
import { TRUSTS } from "../../src/core/memory.ts";

const at = fc.integer({ min: 0, max: 4e9 }).map((s) => `${new Date(s * 1000).toISOString().slice(0, 19)}Z`);
const id = fc.stringMatching(/^[a-z0-9]{8}$/);
const text = fc.string({ unit: "binary" });
const name = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9 ;"<>[\]-]{1,12}$/), fc.string({ minLength: 1 }));
const tags = fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 3 });

const entry: fc.Arbitrary<HistoryEntry> = fc.oneof(
  fc.record({
    kind: fc.constant("added" as const),
    at,
    id,
    text,
    file: name,
    category: name,
    source: fc.record({
      by: name,
      session: fc.option(name),
      message: fc.option(fc.nat()),
      trust: fc.constantFrom(...TRUSTS),
      tags,
    }),
    supersedes: fc.array(fc.record({ id, text }), { maxLength: 3 }),
    because: fc.option(name),
    since: fc.option(at, { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("removed" as const),
    at,
    id,
    text,
    file: name,
    by: name,
    supersededBy: fc.option(id),
  }),
);

test("HIST-1: a line reads back as written, for any fact", () => {
  fc.assert(
    fc.property(entry, (one) => {
      const line = printEntry(one);
      expect(line.endsWith("\n")).toBe(true);
      expect(line.trimEnd()).not.toContain("\n");
      expect(parseHistory(`${HISTORY_HEAD}${line}`)).toEqual([one]);
    }),
    { numRuns: 2_000 },
  );
});

test("HIST-1: a line reads like a sentence", () => {
  const line = printEntry({
    kind: "added",
    at: "2026-11-15T20:17:47Z",
    id: "k3f9a2xw",
    text: "Timezone: Madrid",
    file: "MEMORY.md",
    category: "User Preferences",
    source: { by: "[MEMORY]", session: "s1", message: 12, trust: "inferred", tags: ["travel"] },
    supersedes: [{ id: "8d2c1a9z", text: "Timezone: Mexico City" }],
    because: "same key, new value",
  });
  expect(line).toBe(
    '- 2026-11-15T20:17:47Z added k3f9a2xw "Timezone: Madrid"; in MEMORY.md; section "User Preferences"; by [MEMORY]; ' +
      'session s1; message 12; trust inferred; tags travel; supersedes 8d2c1a9z "Timezone: Mexico City"; ' +
      'because "same key, new value"\n',
  );
});

test("HIST-1: a person's own lines are skipped", () => {
  fc.assert(fc.property(fc.string(), (line) => void parseEntry(line)));
  for (const line of [
    "",
    "# History",
    "- hello",
    '- 2026-11-15T20:17:47Z added x1 "unclosed',
    "- 2026-11-15T20:17:47Z added x1 bare",
  ])
    expect(parseEntry(line)).toBeNull();
});
