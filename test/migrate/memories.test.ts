import { expect, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parseHistory } from "../../src/core/facts/history.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { fixture, importedIn, open, outcomesOf, read, writeAll } from "./place.ts";

async function migrated(files: Record<string, string>, known: Record<string, string> = {}) {
  const sandbox = new Sandbox();
  writeAll(sandbox.memory, known);
  const directory = writeAll(join(sandbox.work, "old"), files);
  const retain = open(sandbox);
  return { sandbox, directory, retain, report: await retain.migrate(directory) };
}

test("MIG-15: facts of another workspace keep their dates, so that an older one doesn't outdate a newer one", async () => {
  const source = new Sandbox();
  const older = open(source);
  await older.facts.retain([
    { content: "The api uses Redis 6", at: "2024-03-01T10:00:00Z", until: "2099-01-01" },
    { content: "The api is slow", at: "2024-04-01T10:00:00Z" },
  ]);
  older.close();
  const target = new Sandbox();
  const retain = open(target);
  await retain.facts.retain([{ content: "The api uses Redis 7", at: "2025-03-01T10:00:00Z" }]);
  const report = await retain.migrate(source.memory);
  const facts = await retain.facts.list();
  expect(
    facts.map(({ text, created_at, until, doubts }) => [text, created_at.slice(0, 10), until, doubts]),
  ).toEqual(
    expect.arrayContaining([
      ["The api uses Redis 6", "2024-03-01", "2099-01-01", null],
      ["The api is slow", "2024-04-01", null, null],
      ["The api uses Redis 7", "2025-03-01", null, null],
    ]),
  );
  expect(report.left[0]).toMatchObject({
    path: "memories/HISTORY.md",
    why: expect.stringContaining("dates"),
  });
});

test("MIG-15: facts of another workspace keep their keys, and a known key keeps its fact", async () => {
  const source = new Sandbox();
  const older = open(source);
  await older.facts.retain([
    { content: "Tuesdays at ten", key: "Deploy day" },
    { content: "In room 3", key: "Standup" },
  ]);
  older.close();
  const retain = open(new Sandbox());
  await retain.facts.retain([{ content: "In room 7", key: "Standup" }]);
  for (let run = 0; run < 2; run++) await retain.migrate(source.memory);
  await retain.facts.remember("Deploy day: Fridays");
  const facts = await retain.facts.list();
  expect(facts.map(({ text, key }) => [text, key]).sort()).toEqual([
    ["Deploy day: Fridays", "Deploy day"],
    ["Standup: In room 7", "Standup"],
  ]);
});

test("MIG-15: facts are compared as by `remember`, and record their source", async () => {
  const { sandbox, retain, report } = await migrated(
    {
      "memories/MEMORY.md":
        "# Memory\n\n- Prefers tea.\n- Timezone: Lima\n\n## Work\n\n- Uses Bun as the JS runtime\n- Timezone: Madrid\n",
    },
    { "memories/MEMORY.md": "# Memory\n\n- prefers tea\n" },
  );
  expect(outcomesOf(report, "facts")).toEqual([
    "existing Prefers tea.",
    "imported Timezone: Lima",
    "imported Uses Bun as the JS runtime",
    "imported Timezone: Madrid",
  ]);
  expect(read(sandbox, "memories/MEMORY.md")).toBe(
    "# Memory\n\n- prefers tea\n- Timezone: Madrid\n\n## Work\n\n- Uses Bun as the JS runtime\n",
  );
  const facts = await retain.facts.list();
  expect(facts.find(({ text }) => text.startsWith("Uses Bun"))).toMatchObject({
    category: "Work",
    source: { by: "migrate", trust: "imported" },
  });
  expect((await retain.search("bun runtime")).hits[0]).toMatchObject({ kind: "fact" });
});

test("MIG-15: contradicting facts are skipped, facts that add detail are imported", async () => {
  const { retain, report } = await migrated(
    {
      "memories/MEMORY.md":
        "# Memory\n\n- Timezone: Lima\n- Uses Bun as the JS runtime on all servers\n\n## Bob\n\n- Lives in Rome\n",
    },
    {
      "memories/MEMORY.md":
        "# Memory\n\n- Timezone: Madrid\n- Uses Bun as the JS runtime\n\n## Alice\n\n- Lives in Paris\n",
    },
  );
  expect(outcomesOf(report)).toEqual([
    "skipped Timezone: Lima",
    "imported Uses Bun as the JS runtime on all servers",
    "imported Lives in Rome",
  ]);
  expect(report.items[0]).toMatchObject({
    file: "memories/MEMORY.md",
    line: 3,
    why: expect.stringContaining('"Timezone: Madrid"'),
    hint: "If the file is right: retain remember 'Timezone: Lima'",
  });
  expect((await retain.facts.list()).map(({ text }) => text)).toEqual([
    "Timezone: Madrid",
    "Uses Bun as the JS runtime",
    "Uses Bun as the JS runtime on all servers",
    "Lives in Paris",
    "Lives in Rome",
  ]);
});

test("MIG-4: a memory file with git conflicts is skipped, and the others are imported", async () => {
  const merging = (ours: string, theirs: string) =>
    `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> branch\n`;
  const { sandbox, retain, report } = await migrated({
    "memories/MEMORY.md": `# Memory\n\n- Prefers tea\n${merging("- Lives in Berlin", "- Lives in Madrid")}`,
    "memories/USER.md": merging("Ann", "Anna"),
    "memories/2026-02-06.md": merging("## 10:00 - Ours\nA", "## 10:00 - Theirs\nB"),
    "memories/PREFERENCES.md": "How git shows it:\n\n=======\n",
  });
  expect(outcomesOf(report)).toEqual([
    "skipped 2026-02-06.md",
    "skipped MEMORY.md",
    "skipped USER.md",
    "imported PREFERENCES.md",
  ]);
  expect(report.items[0]).toMatchObject({ why: expect.stringContaining("git conflicts") });
  expect(await retain.facts.list()).toEqual([]);
  expect(read(sandbox, "memories/PREFERENCES.md")).toContain("=======");
});

test("MIG-15: a fact that has ended is not imported again", async () => {
  const { retain, directory } = await migrated({
    "memories/MEMORY.md": "- Timezone: Lima\n- Likes skiing\n",
  });
  await retain.facts.remember("Timezone: Madrid");
  const [skiing] = (await retain.facts.list()).filter(({ text }) => text === "Likes skiing");
  const again = await retain.migrate(directory);
  expect(again.items).toMatchObject([
    { outcome: "existing", name: "Timezone: Lima", why: expect.stringContaining("ended") },
    { outcome: "existing", name: "Likes skiing", why: null },
  ]);
  expect(skiing).toBeDefined();
  expect((await retain.facts.list()).map(({ text }) => text)).toEqual(["Timezone: Madrid", "Likes skiing"]);
});

test("MIG-15: nor is a fact with the same meaning as an ended one", async () => {
  const { retain, directory, report } = await migrated({
    "memories/MEMORY.md": "- Timezone: Lima\n- User's timezone: Lima\n- Timezone: Madrid\n",
  });
  expect(outcomesOf(report)).toEqual([
    "imported Timezone: Lima",
    "existing User's timezone: Lima",
    "imported Timezone: Madrid",
  ]);
  const again = await retain.migrate(directory);
  expect(again.items.map(({ outcome }) => outcome)).toEqual(["existing", "existing", "existing"]);
});

test("MIG-5: a fact that contradicts the workspace is skipped again, whatever else was imported", async () => {
  const { retain, directory } = await migrated(
    { "memories/MEMORY.md": "- No longer uses Bun 1.4\n- The user likes Bun 1.4\n- Timezone: Madrid\n" },
    { "memories/MEMORY.md": "- Timezone: Bun 1.4\n" },
  );
  expect(importedIn(await retain.migrate(directory))).toBe(0);
});

const values = ["Madrid", "Lima", "Rome", "Bun 1.4", "tea", "dark mode"];
const sentences = fc.oneof(
  fc
    .tuple(fc.constantFrom("Timezone", "Editor", "Name", "Likes"), fc.constantFrom(...values))
    .map(([key, value]) => `${key}: ${value}`),
  fc
    .tuple(fc.constantFrom("Uses", "Prefers", "Lives in", "No longer uses"), fc.constantFrom(...values))
    .map(([verb, value]) => `${verb} ${value}`),
  fc
    .tuple(fc.constantFrom(...values), fc.constantFrom("", " on servers", " at home, every day"))
    .map(([value, more]) => `The user likes ${value}${more}`),
);

test("MIG-5: whatever the facts on both sides, a second run imports none", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sentences, { maxLength: 4 }),
      fc.array(fc.tuple(sentences, fc.constantFrom("", "## A\n", "## B\n")), { minLength: 1, maxLength: 10 }),
      async (known, old) => {
        const memory = `# M\n\n${old.map(([fact, heading]) => `${heading}- ${fact}\n`).join("")}`;
        const own = `# M\n\n${known.map((fact) => `- ${fact}\n`).join("")}`;
        const { retain, directory, sandbox } = await migrated(
          { "memories/MEMORY.md": memory },
          { "memories/MEMORY.md": own },
        );
        const before = read(sandbox, "memories/MEMORY.md");
        expect(importedIn(await retain.migrate(directory))).toBe(0);
        expect(read(sandbox, "memories/MEMORY.md")).toBe(before);
        retain.close();
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);

test("MIG-7: notes are imported into the log of their day, with time, title and text, whatever their dash", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.migrate(fixture(sandbox, "bot"));
  expect(read(sandbox, "memories/2026-02-06.md")).toBe(
    [
      "## 10:30 - User preference learned\nUser prefers concise responses\n",
      "## 14:15 - Project context\nWorking on documentation for KenoBot\n\n- the memory page\n- the setup page\n",
      "## 18:00 - Dinner plan\n",
    ].join("\n"),
  );
  const { notes } = await retain.facts.notes(["2026-02-07"], "telegram-123");
  expect(notes).toMatchObject([
    { time: "11:00", title: "Topic", text: "We compare the EU AI Act with US rules" },
  ]);
  expect((await retain.search("executive dinner")).hits[0]).toMatchObject({
    kind: "note",
    text: "Dinner plan",
  });
});

test("MIG-7: text of a log outside notes becomes a note", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.migrate(fixture(sandbox, "bot"));
  const { notes, strays } = await retain.facts.notes(["2026-02-07"]);
  const own = notes.filter(({ chat }) => chat === null).map(({ time, title, text }) => [time, title, text]);
  expect(own).toEqual([
    ["00:00", "Imported", "A quiet day so far."],
    ["09:05", "Deployed", "Version 2 runs on the VPS"],
    ["09:05", "Imported", "## Summary\nAll went well."],
  ]);
  expect(strays).toEqual([]);
});

test("MIG-7: a note already in the workspace's log is not added again", async () => {
  const { sandbox, report } = await migrated(
    { "memory/2026-02-06.md": "## 10:30 — Tea\nGreen\n\n## 10:30 — Tea\nGreen\n\n## 11:00 — Tea\nGreen\n" },
    { "memories/2026-02-06.md": "## 10:30 - Tea\nGreen\n" },
  );
  expect(outcomesOf(report)).toEqual([
    "existing 2026-02-06 10:30 Tea",
    "existing 2026-02-06 10:30 Tea",
    "imported 2026-02-06 11:00 Tea",
  ]);
  expect(read(sandbox, "memories/2026-02-06.md")).toBe("## 10:30 - Tea\nGreen\n\n## 11:00 - Tea\nGreen\n");
});

test("MIG-7: nothing of any log is lost, and a second run adds nothing", async () => {
  const pieces = fc.constantFrom(
    "## 10:30 — Title\nBody one\n",
    "## 9:05\n",
    "## 23:59 -- Code\n```\n## 10:00 - no note\n```\n",
    "# Day\n",
    "Loose words here\n",
    "## Summary\n\n- a bullet\n",
    "### Deep\ntext below\n",
    "---\n",
    "```\nnever closed\n",
    "<!-- open comment\n",
  );
  const words = (text: string) => new Set(text.match(/[a-z]{3,}/gi) ?? []);
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 8 }), async (parts) => {
      const log = parts.join("\n");
      const { sandbox, retain, directory, report } = await migrated({
        "memory/2026-02-06.md": log,
        "memory/MEMORY.md": "- One fact\n",
      });
      const [, ...body] = log.split("\n");
      const isTitled = log.startsWith("# ");
      const kept = report.counts.notes === undefined ? "" : read(sandbox, "memories/2026-02-06.md");
      expect([...words(isTitled ? body.join("\n") : log)].filter((word) => !words(kept).has(word))).toEqual(
        [],
      );
      expect(importedIn(await retain.migrate(directory))).toBe(0);
      retain.close();
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("MIG-7: a chat's memory goes to that chat, and working memory keeps its age and never replaces another", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = fixture(sandbox, "bot");
  const old = new Date("2026-02-07T12:00:00Z");
  utimesSync(join(directory, "data/memory/working/telegram-123.md"), old, old);
  writeAll(directory, { "data/memory/working/s2.md": "- Theirs\n" });
  writeAll(sandbox.memory, { "memories/working/s2.md": "- Ours\n" });
  const report = await retain.migrate(directory);
  expect(read(sandbox, "memories/chats/telegram-123/MEMORY.md")).toBe(
    "# Memory\n\n- This chat is about AI regulation\n",
  );
  expect(outcomesOf(report, "working memory")).toEqual(["existing s2", "imported telegram-123"]);
  expect(read(sandbox, "memories/working/s2.md")).toBe("- Ours\n");
  const working = "memories/working/telegram-123.md";
  expect(read(sandbox, working)).toContain("Pending: US executive order details");
  expect(statSync(join(sandbox.memory, working)).mtime).toEqual(old);
});

test("MIG-7: a chat with an invalid name is reported, and the others are imported", async () => {
  const { report } = await migrated({
    "memory/chats/-100/MEMORY.md": "- Lost\n",
    "memory/chats/work/MEMORY.md": "- Found\n",
  });
  expect(outcomesOf(report)).toEqual(["skipped -100", "imported Found"]);
});

test("MIG-15: USER.md and the like are copied if the workspace has none", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = fixture(sandbox, "chat");
  const report = await retain.migrate(directory);
  expect(outcomesOf(report, "files")).toEqual(["imported PREFERENCES.md", "imported USER.md"]);
  for (const file of ["USER.md", "PREFERENCES.md"])
    expect(read(sandbox, `memories/${file}`)).toBe(
      await Bun.file(join(directory, "workspace/memories", file)).text(),
    );
  const added = parseHistory(read(sandbox, "memories/HISTORY.md"));
  expect(added.find(({ text }) => text === "Works at Lumen Labs")).toMatchObject({
    file: "USER.md",
    source: { by: "migrate", trust: "imported" },
  });
});

test("MIG-15: missing parts are appended to an existing file, and nothing is replaced", async () => {
  const own = "# Me\n\n- Name: Jamie Rivera\n- Likes tea\n";
  const { sandbox, retain, directory, report } = await migrated(
    {
      "memories/USER.md":
        "# User\n\nJamie writes software.\n\n- Name: Jamie Rivera\n- Has a dog\n\n## Work\n\n- Works at Lumen Labs\n",
    },
    { "memories/USER.md": own },
  );
  expect(report.items).toMatchObject([{ outcome: "imported", why: "3 parts appended to memories/USER.md" }]);
  const after = read(sandbox, "memories/USER.md");
  expect(after).toBe(
    `${own}\n## Imported from ${directory}\n\nJamie writes software.\n\n- Has a dog\n\n### Work\n\n- Works at Lumen Labs\n`,
  );
  expect(outcomesOf(await retain.migrate(directory))).toEqual(["existing USER.md"]);
  expect(read(sandbox, "memories/USER.md")).toBe(after);
  expect((await retain.facts.list()).find(({ text }) => text === "Has a dog")?.source.by).toBe("migrate");
});

test("MIG-15: text of MEMORY.md other than facts is appended to the workspace's", async () => {
  const { sandbox, retain, directory } = await migrated({
    "memory/MEMORY.md":
      "# Bot\n\n- Likes tea\n\n## VPS\n\nPaid until the end of the year.\n\n```\nssh vps\n```\n",
  });
  const after = read(sandbox, "memories/MEMORY.md");
  expect(after).toBe(
    `# Memory\n\n- Likes tea\n\n## Imported from ${directory}\n\n### VPS\n\nPaid until the end of the year.\n\n\`\`\`\nssh vps\n\`\`\`\n`,
  );
  expect(importedIn(await retain.migrate(directory))).toBe(0);
  expect(read(sandbox, "memories/MEMORY.md")).toBe(after);
});

test("MIG-15: a file that cannot be appended to stays unchanged, and is reported", async () => {
  const own = "# Me\n\n- Likes tea\n\n```\nnever closed\n";
  const { sandbox, report } = await migrated(
    { "memories/USER.md": "- Has a dog\n" },
    { "memories/USER.md": own },
  );
  expect(report.items).toMatchObject([{ outcome: "skipped", file: "memories/USER.md" }]);
  expect(read(sandbox, "memories/USER.md")).toBe(own);
});

test("MIG-15: instructions are imported into the home workspace, and never replace others", async () => {
  const sandbox = new Sandbox();
  const directory = fixture(sandbox, "chat");
  using retain = open(sandbox);
  await retain.migrate(directory);
  expect(read(sandbox, "context/system_prompt.md")).toStartWith("You are a careful assistant.");
  writeAll(sandbox.memory, { "context/system_prompt.md": "My own.\n" });
  const again = await retain.migrate(directory);
  expect(outcomesOf(again, "instructions")).toEqual(["skipped system_prompt.md"]);
  expect(read(sandbox, "context/system_prompt.md")).toBe("My own.\n");
});

test("MIG-15: instructions are not imported into a project", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  using retain = open(sandbox);
  const report = await retain.migrate(fixture(sandbox, "chat"));
  expect(report.left.map(({ path }) => path)).toContain("workspace/context/system_prompt.md");
  expect(sandbox.tree(join(sandbox.work, ".retain"))).not.toContain("context/system_prompt.md");
  expect(sandbox.tree(join(sandbox.work, ".retain"))).toContain("memories/USER.md");
});

test("MIG-10: facts and notes with secrets are refused, files are copied without them", async () => {
  const key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const { sandbox, report } = await migrated({
    "memories/MEMORY.md": `- GitHub token: ${key}\n- Likes tea\n`,
    "memories/USER.md": `# User\n\n- Token: ${key}\n- Has a dog\n`,
    "memories/2026-02-06.md": `## 10:00 - Token\n${key}\n\n## 11:00 - Tea\nGreen\n`,
    "memories/working/s.md": `The token is ${key}\n`,
    "context/system_prompt.md": `Use ${key}.\n`,
  });
  expect(
    report.items.filter(({ outcome }) => outcome === "skipped").map(({ file, line }) => [file, line]),
  ).toEqual([
    ["memories/MEMORY.md", 1],
    ["memories/2026-02-06.md", 1],
  ]);
  expect(report.items.find(({ name }) => name === "USER.md")?.why).toContain("secrets");
  expect(JSON.stringify(report)).not.toContain(key);
  for (const file of sandbox.tree(sandbox.memory))
    expect([file, read(sandbox, file).includes(key)]).toEqual([file, false]);
  expect(read(sandbox, "memories/USER.md")).toContain("Has a dog");
});

test("MIG-4: an unwritable file of the workspace does not stop the others", async () => {
  const conflict = "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n";
  const { sandbox, report } = await migrated(
    {
      "memories/MEMORY.md": "- Likes tea\n- Likes mate\n",
      "memories/2026-02-06.md": "## 10:00 - A\nx\n\n## 11:00 - B\ny\n",
      "memories/2026-02-07.md": "## 10:00 - C\nz\n",
      "memories/USER.md": "- Has a dog\n",
    },
    { "memories/MEMORY.md": conflict, "memories/2026-02-06.md": conflict },
  );
  expect(outcomesOf(report).filter((line) => line.startsWith("imported"))).toEqual([
    "imported USER.md",
    "imported 2026-02-07 10:00 C",
  ]);
  expect(report.counts).toMatchObject({ facts: { skipped: 1 }, notes: { imported: 1, skipped: 2 } });
  for (const file of ["MEMORY.md", "2026-02-06.md"]) expect(read(sandbox, `memories/${file}`)).toBe(conflict);
});
