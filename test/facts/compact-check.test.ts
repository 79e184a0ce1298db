import { expect, test } from "bun:test";
import { factId } from "../../src/core/facts/fact-text.ts";
import { type FactAdded, HISTORY_HEAD, type HistoryEntry, printEntry } from "../../src/core/facts/history.ts";
import { type Account, type Compaction, lossesOf, requireLossless } from "../../src/facts/compact/check.ts";

const MEMORY = "# Memory\n\nA word of mine.\n\n- Prefers tea\n- Timezone: Mexico City\n";
const LOG = "## 10:30 - Timezone\nMadrid\n\n## 10:31 - Pets\n2 cats\n";
const AT = "2026-11-15T12:00:00Z";

function added(text: string, more: Partial<FactAdded> = {}): FactAdded {
  const source = { by: "compaction", session: null, message: null, trust: "inferred", tags: [] } as const;
  const id = factId(text, null);
  const taken = { supersedes: [], because: null };
  return { kind: "added", at: AT, id, text, file: "MEMORY.md", category: "x", source, ...taken, ...more };
}

const HISTORY =
  HISTORY_HEAD + [added("Prefers tea"), added("Timezone: Mexico City")].map(printEntry).join("");
const madrid = added("Timezone: Madrid", {
  supersedes: [{ id: factId("Timezone: Mexico City", null), text: "Timezone: Mexico City" }],
});
const pets = added("Pets: 2 cats");

interface Planned {
  readonly memory?: string;
  readonly entries?: readonly HistoryEntry[];
  readonly history?: string;
  readonly accounts?: readonly Account[];
  readonly log?: string;
  readonly more?: Compaction["changes"];
}

const ACCOUNTS: readonly Account[] = [
  { log: "2026-01-02.md", line: 1, outcome: "added", as: madrid.id },
  { log: "2026-01-02.md", line: 4, outcome: "added", as: pets.id },
];

/** A compaction that loses nothing, except for the given changes. */
function planned({
  memory = "# Memory\n\nA word of mine.\n\n- Prefers tea\n- Timezone: Madrid\n\n## Compacted memories\n\n- Pets: 2 cats\n",
  entries = [madrid, pets],
  history = HISTORY + entries.map(printEntry).join(""),
  accounts = ACCOUNTS,
  log = LOG,
  more = [],
}: Planned = {}): Compaction {
  const before = { "MEMORY.md": MEMORY, "HISTORY.md": HISTORY, "2026-01-02.md": log };
  return {
    before: new Map(Object.entries(before)),
    accounts,
    changes: [
      { path: "MEMORY.md", before: MEMORY, after: memory },
      { path: "HISTORY.md", before: HISTORY, after: history },
      { path: "2026-01-02.md", before: log, after: null },
      ...more,
    ],
  };
}

const whole = planned().changes[0]?.after ?? "";

test("COMPACT-9: a compaction that loses nothing passes", () => {
  expect(lossesOf(planned())).toEqual([]);
  requireLossless(planned());
});

const lossy: Record<string, Planned> = {
  "a bullet is gone": { memory: whole.replace("- Prefers tea\n", "") },
  "a bullet is changed": { memory: whole.replace("Prefers tea", "Prefers coffee") },
  "a bullet is superseded by nothing": { entries: [added("Timezone: Madrid"), pets] },
  "a bullet is superseded by what is not there": {
    memory: whole.replace("- Prefers tea\n", ""),
    entries: [
      madrid,
      pets,
      {
        kind: "removed",
        at: AT,
        id: factId("Prefers tea", null),
        text: "Prefers tea",
        file: "MEMORY.md",
        by: "compaction",
        supersededBy: "nobody",
      },
    ],
  },
  "a bullet is said to be removed": {
    memory: whole.replace("- Prefers tea\n", ""),
    entries: [
      madrid,
      pets,
      {
        kind: "removed",
        at: AT,
        id: factId("Prefers tea", null),
        text: "Prefers tea",
        file: "MEMORY.md",
        by: "compaction",
        supersededBy: null,
      },
    ],
  },
  "another line is gone": { memory: whole.replace("A word of mine.\n\n", "") },
  "the order is another": {
    memory: whole.replace("# Memory\n\nA word of mine.\n", "A word of mine.\n\n# Memory\n"),
  },
  "a line of the history is gone": { history: `${HISTORY_HEAD}${[madrid, pets].map(printEntry).join("")}` },
  "a new bullet is not told of": { entries: [madrid] },
  "a new bullet is hidden in code": { memory: whole.replace("## Compacted", "```\n## Compacted") },
  "a note is not accounted for": { accounts: ACCOUNTS.slice(1) },
  "a note is accounted for by what is not there": {
    accounts: [ACCOUNTS[0] as Account, { log: "2026-01-02.md", line: 4, outcome: "known", as: "nobody" }],
  },
  "a note is accounted for by another one's fact": {
    accounts: [ACCOUNTS[0] as Account, { log: "2026-01-02.md", line: 4, outcome: "added", as: madrid.id }],
  },
  "a note is taken for empty": {
    accounts: [ACCOUNTS[0] as Account, { log: "2026-01-02.md", line: 4, outcome: "empty", as: null }],
  },
  "a merged note is nowhere in its own words": {
    memory: whole.replace("Pets: 2 cats", "Has cats"),
    entries: [madrid, added("Has cats")],
    accounts: [
      ACCOUNTS[0] as Account,
      { log: "2026-01-02.md", line: 4, outcome: "merged", as: factId("Has cats", null) },
    ],
  },
  "a log goes that is not wholly understood": { log: `${LOG}\n## Later\nwho knows\n` },
  "a file of facts goes": { more: [{ path: "USER.md", before: "- Name: Jamie\n", after: null }] },
  "a log is changed": { more: [{ path: "2026-01-03.md", before: LOG, after: "" }] },
  "working memory is changed": { more: [{ path: "working/s.md", before: "x", after: null }] },
};

test("COMPACT-9: any loss in a plan is detected, and nothing is written", () => {
  for (const [loss, plan] of Object.entries(lossy)) {
    const losses = lossesOf(planned(plan));
    expect([loss, losses.length > 0]).toEqual([loss, true]);
    expect(() => requireLossless(planned(plan))).toThrow(expect.objectContaining({ code: "conflict" }));
  }
});
