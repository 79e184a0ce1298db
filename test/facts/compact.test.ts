import { expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openRetain } from "../../src/app.ts";
import { bulletsOf } from "../../src/core/facts/bullets.ts";
import { parseLog, withNote } from "../../src/core/facts/daily-log.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { parseHistory } from "../../src/core/facts/history.ts";
import { compact, compactIfDue } from "../../src/facts/compact/compact.ts";
import { bulletOfNote } from "../../src/facts/compact/text.ts";
import { letters } from "../helpers/store.ts";
import { NOW, outcomes, Place, placesOf } from "./compact-place.ts";

test("COMPACT-1: logs more than 30 calendar days old become facts in MEMORY.md; newer ones stay", async () => {
  const place = new Place({
    "2026-10-15.md": "## 23:59 - Old\n31 days ago\n",
    "2026-10-16.md": "## 00:01 - Young\n30 days ago\n",
    "2026-11-15.md": "## 10:00 - Today\nnow\n",
    "2027-01-01.md": "## 10:00 - Later\nnot yet\n",
    "MEMORY.md": "# Memory\n\n- Prefers tea\n",
  });
  const { removed } = await place.compact();
  expect(removed).toEqual(["2026-10-15.md"]);
  expect(place.read("MEMORY.md")).toBe(
    "# Memory\n\n- Prefers tea\n\n## Compacted memories\n\n- Old: 31 days ago\n",
  );
  expect(place.has("2026-10-15.md")).toBe(false);
  for (const day of ["2026-10-16", "2026-11-15", "2027-01-01"]) expect(place.has(`${day}.md`)).toBe(true);
});

test("COMPACT-1: the setting changes the number of days", async () => {
  const place = new Place({ "2026-11-12.md": "## 10:00 - A\nb\n", "2026-11-13.md": "## 10:00 - C\nd\n" });
  const { work: cwd, home: homeDirectory } = place.sandbox;
  const settings = { embedding: "none", memory_retention_days: 2 } as const;
  using retain = openRetain({ cwd, homeDirectory, env: {}, clock: () => NOW, settings });
  expect((await retain.facts.compact()).removed).toEqual(["2026-11-12.md"]);
});

test("COMPACT-1: today is the day in the user's time zone", () => {
  // 2026-11-15 in London is the 16th in Auckland, and the 14th on Midway.
  const files = ["2026-10-13.md", "2026-10-14.md", "2026-10-15.md", "2026-10-16.md"];
  const removedIn = (zone: string) => {
    const place = new Place(Object.fromEntries(files.map((file) => [file, `## 10:00 - In\n${file}\n`])));
    const script = `
      const { openRetain } = await import(${JSON.stringify(join(import.meta.dir, "../../src/app.ts"))});
      using retain = openRetain({ clock: () => new Date(process.argv[1]), settings: { embedding: "none" } });
      const { removed, notes } = await retain.facts.compact();
      console.log(JSON.stringify({ removed, first: notes[0].at }));`;
    const moment = zone === "Pacific/Midway" ? "2026-11-15T05:00:00Z" : "2026-11-15T18:00:00Z";
    const child = Bun.spawnSync([process.execPath, "-e", script, moment], {
      cwd: place.sandbox.work,
      env: place.sandbox.env({ TZ: zone }),
    });
    if (child.exitCode !== 0) throw new Error(child.stderr.toString());
    return JSON.parse(child.stdout.toString());
  };
  expect(removedIn("Europe/London")).toEqual({ removed: files.slice(0, 3), first: "2026-10-13T09:00:00Z" });
  expect(removedIn("Pacific/Auckland")).toEqual({ removed: files, first: "2026-10-12T21:00:00Z" });
  expect(removedIn("Pacific/Midway")).toEqual({
    removed: files.slice(0, 2),
    first: "2026-10-13T21:00:00Z",
  });
});

test("COMPACT-1: a chat's logs become facts in that chat's MEMORY.md; --chat compacts only these", async () => {
  const files = {
    "2026-01-02.md": "## 10:00 - Editor\nHelix\n",
    "chats/work/2026-01-02.md": "## 10:00 - Deadline\nMarch 3\n\n## 11:00 - Editor\nHelix\n",
    "chats/home/2026-01-03.md": "## 10:00 - Plants\nwater them on Fridays\n",
  };
  const place = new Place(files);
  const one = await place.with((retain) => retain.facts.compact({ chat: "work" }));
  expect(one.removed).toEqual(["chats/work/2026-01-02.md"]);
  expect(place.bullets("chats/work/MEMORY.md")).toEqual(["Deadline: March 3", "Editor: Helix"]);

  const other = new Place(files);
  const all = await other.compact();
  expect(all.removed).toEqual(["2026-01-02.md", "chats/home/2026-01-03.md", "chats/work/2026-01-02.md"]);
  expect(other.bullets()).toEqual(["Editor: Helix"]);
  expect(other.bullets("chats/home/MEMORY.md")).toEqual(["Plants: water them on Fridays"]);
  // A chat doesn't repeat facts of the workspace, including those from the same compaction.
  expect(other.bullets("chats/work/MEMORY.md")).toEqual(["Deadline: March 3"]);
  expect(all.notes.at(-1)).toMatchObject({ outcome: "known", as: factId("Editor: Helix", null) });
});

test("COMPACT-3: notes with any dash and bodies of several lines are compacted; nothing is lost", async () => {
  const place = new Place({
    "2026-01-02.md": [
      "# 2026-01-02\n",
      "## 10:30 - Hyphen\nUser prefers concise responses\n",
      "## 10:31 -- Two\nWorking on KenoBot\n",
      "## 10:32 – En dash\nVPS: Hetzner 2vCPU/4GB ($4/month)\n",
      "## 10:33 — Em dash\nBirthday is March 15\n",
      "## 9:05 No dash\n\nfirst line\nsecond line\n\nnew paragraph\n",
      "## 10:35 — Release steps\nIn this order:\n- build\n- test\n\n1. tag\n2. push\n",
      "## 10:36 — Commands\n```sh\nbun install\nbun test\n```\n",
      "## 10:37 — Only a title\n",
      "## 10:38\nonly a text\n",
    ].join("\n"),
  });
  const report = await place.compact();
  expect(place.has("2026-01-02.md")).toBe(false);
  expect(place.bullets()).toEqual([
    "No dash: first line second line. new paragraph",
    "Hyphen: User prefers concise responses",
    "Two: Working on KenoBot",
    "En dash: VPS: Hetzner 2vCPU/4GB ($4/month)",
    "Em dash: Birthday is March 15",
    "Release steps: In this order: build; test; 1. tag; 2. push",
    "Commands: bun install; bun test",
    "Only a title",
    "only a text",
  ]);
  expect(new Set(report.notes.map(({ outcome }) => outcome))).toEqual(new Set(["added"]));
});

test("COMPACT-3: any note becomes one bullet that reads back as written, with all its words", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "- item",
      "1. item",
      "```",
      "~~~ts",
      "<!-- x",
      "-->",
      "### sub",
      "---",
      "> quote",
      "| a |",
    ),
    fc.constantFrom(
      "|---|",
      "[x] done",
      "key: value",
      "    code",
      "* * *",
      "===",
      "plain text",
      "•",
      "- [ ] do",
    ),
    fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
  );
  const body = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(line, body, (title, text) => {
      const log = withNote("", { time: "10:00", title, text });
      const { notes, strays } = parseLog(log);
      if (notes.length !== 1 || strays.length > 0) return;
      const bullet = bulletOfNote(notes[0] as { title: string; text: string });
      if (bullet === "") return;
      expect(bulletsOf(`# M\n\n- one\n- ${bullet}\n- two\n`).map((one) => one.text)).toEqual([
        "one",
        bullet,
        "two",
      ]);
      const words = (said: string) => said.match(/[\p{L}\p{N}]+/gu) ?? [];
      const kept = words(bullet);
      const lost = words(`${notes[0]?.title}\n${notes[0]?.text}`).filter(
        (word) => !kept.some((one) => one === word),
      );
      expect(lost.filter((word) => word !== "ts")).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("COMPACT-3: the fact dates from the note's time, inferred, by compaction, even after the index is lost", async () => {
  const place = new Place({ "2026-01-02.md": "## 10:30 - Editor\nHelix\n" });
  const at = new Date(2026, 0, 2, 10, 30).toISOString().replace(".000", "");
  const expected = {
    text: "Editor: Helix",
    category: "Compacted memories",
    created_at: at,
    source: { by: "compaction", trust: "inferred" },
  };
  await place.compact();
  expect(await place.with((retain) => retain.facts.list())).toMatchObject([expected]);
  for (const file of ["retain.db", "retain.db-wal", "retain.db-shm"])
    rmSync(join(place.sandbox.memory, file), { force: true });
  expect(await place.with((retain) => retain.facts.list())).toMatchObject([expected]);
  const [entry] = parseHistory(place.read("HISTORY.md"));
  expect(entry).toMatchObject({ kind: "added", at: NOW.toISOString().replace(".000", ""), since: at });
});

test("COMPACT-3: a title before a known fact doesn't make another fact; a single word isn't compared without its title", async () => {
  const place = new Place({
    "MEMORY.md": "- Uses Bun as the JS runtime\n- Blue\n",
    "2026-01-02.md": "## 10:30 - Runtime\nUses Bun as the JS runtime\n\n## 10:31 - Favourite colour\nBlue\n",
  });
  expect(outcomes(await place.compact())).toEqual([
    ["Runtime: Uses Bun as the JS runtime", "known"],
    ["Favourite colour: Blue", "added"],
  ]);
});

test("COMPACT-3: a log with private text stays as it is", async () => {
  const log = "## 10:30 - Plan\nDecided <private>on the clinic</private> things\n";
  const place = new Place({ "2026-01-02.md": log });
  const report = await place.compact();
  expect([report.removed, report.kept.length, place.read("2026-01-02.md")]).toEqual([[], 1, log]);
});

test("COMPACT-3: notes with the same title are separate events, unless the title is a single-valued key", async () => {
  const place = new Place({
    "2026-01-01.md": "## 09:00 - Invoice\nsent 100 to ACME\n\n## 10:00 - Timezone\nRome\n",
    "2026-01-02.md": "## 09:00 - Invoice\nsent 200 to Initech\n\n## 10:00 - Timezone\nParis\n",
  });
  await place.compact();
  expect(place.bullets().sort()).toEqual([
    "Invoice: sent 100 to ACME",
    "Invoice: sent 200 to Initech",
    "Timezone: Paris",
  ]);
});

test("COMPACT-3: every note is accounted for: added, already known, or empty", async () => {
  const place = new Place({
    "MEMORY.md": "- Prefers concise responses\n- Timezone: Europe/Madrid\n",
    "2026-01-02.md":
      "## 10:30 - User preference\nprefers concise responses\n\n## 10:31 - Timezone\nEurope/Madrid\n\n## 10:32\n\n" +
      "## 10:33 - Likes\nGo\n",
    "2026-01-03.md": "## 10:30 - Likes\nGo-karts\n\n## 10:31 - Likes\nGo\n",
  });
  const report = await place.compact();
  expect(outcomes(report)).toEqual([
    ["User preference: prefers concise responses", "known"],
    ["Timezone: Europe/Madrid", "known"],
    ["", "empty"],
    ["Likes: Go", "added"],
    ["Likes: Go-karts", "added"],
    ["Likes: Go", "known"],
  ]);
  expect(report.notes[1]).toMatchObject({
    log: "2026-01-02.md",
    line: 4,
    as: factId("Timezone: Europe/Madrid", null),
  });
  expect(place.bullets()).toEqual([
    "Prefers concise responses",
    "Timezone: Europe/Madrid",
    "Likes: Go",
    "Likes: Go-karts",
  ]);
});

test("COMPACT-3: for any logs every note is a fact, a known fact or in HISTORY.md afterwards", async () => {
  const value = fc.constantFrom("Madrid", "Mexico City", "Go", "Go-karts", "not coffee", "3 cats", "4 cats");
  const key = fc.constantFrom("Timezone", "Likes", "User preference", "Note", "Anna's editor", "");
  const note = fc.record({
    minute: fc.nat(59),
    title: key,
    text: fc.oneof(
      value,
      fc.array(value, { maxLength: 3 }).map((list) => list.map((one) => `- ${one}`).join("\n")),
    ),
  });
  const days = fc.array(fc.array(note, { maxLength: 5 }), { minLength: 1, maxLength: 4 });
  const known = fc.uniqueArray(
    fc.tuple(key, value).map(([k, v]) => (k === "" ? v : `${k}: ${v}`)),
    {
      maxLength: 4,
    },
  );
  await fc.assert(
    fc.asyncProperty(days, known, fc.boolean(), async (logs, facts, inChat) => {
      const tier = inChat ? "chats/work/" : "";
      const place = new Place();
      if (facts.length > 0)
        place.write(`${tier}MEMORY.md`, `# M\n\n${facts.map((one) => `- ${one}\n`).join("")}`);
      const written: string[] = [];
      for (const [index, notes] of logs.entries()) {
        let log = "";
        for (const { minute, title, text } of notes) {
          log = withNote(log, { time: `10:${String(minute).padStart(2, "0")}`, title, text });
          written.push(bulletOfNote({ title, text }));
        }
        if (log !== "") place.write(`${tier}2026-01-0${index + 1}.md`, log);
      }
      const before = place.bullets(`${tier}MEMORY.md`);
      const report = await place.compact();
      const told = parseHistory(place.has("HISTORY.md") ? place.read("HISTORY.md") : "");
      const bullets = place.bullets(`${tier}MEMORY.md`);
      expect(report.notes.map(({ text }) => text).sort()).toEqual(written.sort());
      for (const { text, outcome, as } of report.notes) {
        if (text === "") continue;
        const id = factId(text, inChat ? "work" : null);
        const isTold = told.some((entry) => entry.id === id);
        if (outcome === "known") expect(told.some((entry) => entry.id === as)).toBe(true);
        else expect([text, isTold]).toEqual([text, true]);
      }
      for (const text of before)
        expect(
          bullets.includes(text) ||
            told.some((entry) => "supersedes" in entry && entry.supersedes.some((old) => old.text === text)),
        ).toBe(true);
      expect(place.sandbox.tree(place.root).filter((path) => path.includes("2026-"))).toEqual([]);
      // The files match the history, so nothing looks like a person's edit.
      const entries = told.length;
      await place.with((retain) => retain.facts.list());
      expect(parseHistory(place.has("HISTORY.md") ? place.read("HISTORY.md") : "").length).toBe(entries);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test("COMPACT-3: a note replaces an older fact, and a later note an earlier one", async () => {
  const place = new Place();
  await place.with(
    (retain) => retain.facts.remember("Timezone: Mexico City", { category: "User" }),
    () => new Date(2025, 0, 1),
  );
  place.write("2026-01-02.md", "## 10:30 - Timezone\nMadrid\n");
  place.write("2026-01-03.md", "## 10:30 - Timezone\nLisbon\n");
  const report = await place.compact();
  expect(place.read("MEMORY.md")).toBe("# Memory\n\n## User\n\n- Timezone: Lisbon\n");
  expect(outcomes(report)).toEqual([
    ["Timezone: Madrid", "outdated"],
    ["Timezone: Lisbon", "added"],
  ]);
  expect(report.notes[0]).toMatchObject({ by: factId("Timezone: Lisbon", null) });
  expect(report.superseded.map(({ text }) => text)).toEqual(["Timezone: Mexico City"]);
  const ended = await place.with((retain) => retain.facts.list({ which: "superseded" }));
  expect(ended.map(({ text }) => text).sort()).toEqual(["Timezone: Madrid", "Timezone: Mexico City"]);
});

test("COMPACT-3: a note never replaces a newer fact; HISTORY.md records it as superseded", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:30 - Timezone\nMexico City\n\n## 10:31 - Timezone\nMexico City\n",
  });
  await place.with(
    (retain) => retain.facts.remember("Timezone: Madrid"),
    () => new Date(2026, 0, 2, 12),
  );
  const report = await place.compact();
  const newer = factId("Timezone: Madrid", null);
  expect(place.bullets()).toEqual(["Timezone: Madrid"]);
  expect(report.notes).toMatchObject([
    { outcome: "outdated", as: factId("Timezone: Mexico City", null), by: newer },
    { outcome: "outdated", as: factId("Timezone: Mexico City", null), by: newer },
  ]);
  const [old] = await place.with((retain) => retain.facts.list({ which: "superseded" }));
  expect(old).toMatchObject({ text: "Timezone: Mexico City", superseded_by: newer });
  expect(parseHistory(place.read("HISTORY.md")).length).toBe(3);
});

test("COMPACT-3: an older note with more detail doesn't replace a newer fact either: both stay", async () => {
  const place = new Place({ "2026-01-02.md": "## 10:30\nLikes coffee with oat milk\n" });
  await place.with(
    (retain) => retain.facts.remember("Likes coffee"),
    () => new Date(2026, 1, 1),
  );
  expect(outcomes(await place.compact())).toEqual([["Likes coffee with oat milk", "added"]]);
  expect(place.bullets()).toEqual(["Likes coffee", "Likes coffee with oat milk"]);
});

test("COMPACT-3: a fact that was removed or superseded after the note isn't brought back", async () => {
  const place = new Place({ "2026-01-02.md": "## 10:30 - Editor\nHelix\n\n## 10:31 - City\nRome\n" });
  await place.with(
    async ({ facts }) => {
      await facts.remember("Editor: Helix");
      await facts.remember("City: Rome");
      await facts.remember("City: Oslo");
    },
    () => new Date(2026, 1, 1),
  );
  place.write("MEMORY.md", place.read("MEMORY.md").replace("- Editor: Helix\n", ""));
  const report = await place.compact();
  expect(outcomes(report)).toEqual([
    ["Editor: Helix", "outdated"],
    ["City: Rome", "outdated"],
  ]);
  expect(place.bullets()).toEqual(["City: Oslo"]);
});

test("COMPACT-3: an ended fact that was noted again is current again", async () => {
  const place = new Place({
    "2026-01-02.md": "## 10:30 - Timezone\nMadrid\n",
    "2026-01-03.md": "## 10:30 - Timezone\nLisbon\n",
    "2026-01-04.md": "## 10:30 - Timezone\nMadrid\n",
  });
  // The first two are compacted a day before the third.
  const settings = { embedding: "none", memory_retention_days: 30 } as const;
  const { work: cwd, home: homeDirectory } = place.sandbox;
  for (const day of [3, 4]) {
    using retain = openRetain({ cwd, homeDirectory, env: {}, clock: () => new Date(2026, 1, day), settings });
    await retain.facts.compact();
  }
  expect(place.bullets()).toEqual(["Timezone: Madrid"]);
  const facts = await place.with((retain) => retain.facts.list({ which: "all" }));
  expect(facts.map(({ text, ended_at }) => [text, ended_at === null]).sort()).toEqual([
    ["Timezone: Lisbon", false],
    ["Timezone: Madrid", true],
  ]);
});

test("COMPACT-3: a log that can't be fully parsed stays untouched, and the reason is reported", async () => {
  const logs = {
    "2026-01-01.md": "before the first note\n\n## 10:30 - A\nb\n",
    "2026-01-02.md": "## 10:30 - C\nd\n\n## Not a time\ne\n",
    "2026-01-03.md": "just text\n",
    "2026-01-04.md": "# Call Anna\n",
    "2026-01-05.md": "\n### Call Bob\n\n## 10:30 - E\nf\n",
    "2026-01-06.md": "## 10:30 - Key\nAKIAIOSFODNN7EXAMPLQ is the access key, password: hunter2-Xk9fLq22\n",
    "2026-01-08.md": "## 10:30 - Fine\nand known\n",
  };
  const place = new Place({ ...logs, "2026-01-07.md": new Uint8Array([0x23, 0xff, 0xfe]) });
  const report = await place.compact();
  expect(report.removed).toEqual(["2026-01-08.md"]);
  expect(report.kept.map(({ log, lines }) => [log, lines])).toEqual([
    ["2026-01-01.md", [1]],
    ["2026-01-02.md", [4, 5]],
    ["2026-01-03.md", [1]],
    ["2026-01-04.md", []],
    ["2026-01-05.md", [2]],
    ["2026-01-06.md", expect.arrayContaining([1])],
    ["2026-01-07.md", []],
  ]);
  for (const [path, content] of Object.entries(logs).slice(0, 6)) expect(place.read(path)).toBe(content);
  expect(place.bullets()).toEqual(["Fine: and known"]);
  expect(place.read("HISTORY.md")).not.toContain("hunter2");
  expect(JSON.stringify(report)).not.toContain("hunter2");
});

const BEFORE = {
  "MEMORY.md":
    "# Memory\r\n\r\nA word of mine.\r\n\r\n- Prefers tea\r\n* Timezone: Mexico City\r\n- Favorite color: dark blue\r\n",
  "USER.md": "- Name: Jamie\n- Editor: Vim\n",
  "2026-01-02.md":
    "## 10:30 — Timezone\nMadrid\n\n## 10:31 - Editor\nHelix\n\n## 10:32 - Favorite color\nred\n",
  "2026-01-03.md": "\uFEFF## 10:30 - Pets\r\n- a dog\r\n- 2 cats\r\n\r\n## 10:31 - Shoes\r\nred",
  "chats/work/2026-01-03.md": "## 10:30 - Deadline\nMarch 3\n",
  "working/s1.md": "- scratch\n",
};

test("COMPACT-6: a compaction is one change, and undo restores every file byte for byte", async () => {
  const place = new Place(BEFORE);
  // Older than the notes, like a person's edit of that day.
  const old = new Date(2025, 0, 1);
  for (const file of ["MEMORY.md", "USER.md"]) utimesSync(join(place.root, file), old, old);
  await place.with((retain) => retain.facts.list());
  const before = place.states();
  const report = await place.compact();
  expect(report.removed.length).toBe(3);
  expect(place.read("USER.md")).toBe("- Name: Jamie\n- Editor: Helix\n");
  expect(place.read("MEMORY.md")).toBe(
    "# Memory\r\n\r\nA word of mine.\r\n\r\n- Prefers tea\r\n* Timezone: Madrid\r\n- Favorite color: red\r\n\r\n" +
      "## Compacted memories\r\n\r\n- Pets: a dog; 2 cats\r\n- Shoes: red\r\n",
  );
  expect(place.states()).not.toEqual(before);
  const change = await place.with((retain) => retain.facts.undo());
  expect(change.label).toBe("compact");
  expect(place.states()).toEqual(before);
});

test("COMPACT-6: a dry run reports every change and changes nothing", async () => {
  const place = new Place(BEFORE);
  const before = place.states();
  const report = await place.compact({ dryRun: true });
  expect(place.states()).toEqual(before);
  expect(report.dry_run).toBe(true);
  expect(report.diff).toContain("+- Pets: a dog; 2 cats");
  expect(report.diff).toContain("--- chats/work/2026-01-03.md\n+++ /dev/null\n");
  expect(report.diff).toContain("--- /dev/null\n+++ chats/work/MEMORY.md\n");
  const { notes } = await place.compact();
  expect(notes).toEqual(report.notes as typeof notes);
});

test("COMPACT-9: if a note can't be written as a fact, nothing is changed", async () => {
  const place = new Place({
    "MEMORY.md": "# Memory\n\n- Prefers tea\n\n```\nnever closed\n",
    "2026-01-02.md": "## 10:30 - A\nb\n",
  });
  await place.with((retain) => retain.facts.list());
  const before = place.states();
  const failure = await place.compact().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "conflict" });
  expect(place.states()).toEqual(before);
});

test("COMPACT-9: if files change during planning, it plans again, at most three times", async () => {
  for (const [changes, fails] of [
    [2, false],
    [9, true],
  ] as const) {
    const place = new Place({ "2026-01-02.md": "## 10:00 - Count\nzero\n" });
    using retain = place.open();
    const places = placesOf(retain);
    const { lock } = places.nearest;
    let left = changes as number;
    const disturbed = new Proxy(lock, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (name !== "exclusively") return typeof value === "function" ? value.bind(target) : value;
        return (work: () => unknown) => {
          if (left-- > 0) place.write("2026-01-02.md", `## 10:00 - Count\nso many are left: ${left}\n`);
          return target.exclusively(work);
        };
      },
    });
    const ending = await compact({ ...places, nearest: { ...places.nearest, lock: disturbed } }).catch(
      (error: unknown) => error as { code?: string },
    );
    if (fails) {
      expect(ending).toMatchObject({ code: "conflict" });
      expect(place.has("2026-01-02.md")).toBe(true);
      expect(place.bullets()).toEqual([]);
    } else expect(place.bullets()).toEqual(["Count: so many are left: 0"]);
  }
});

test("COMPACT-1: at the start of a conversation, only file names are read if nothing is due", async () => {
  const place = new Place({ "2026-11-15.md": "## 10:00 - A\nb\n", "MEMORY.md": "- Prefers tea\n" });
  using retain = place.open();
  const places = placesOf(retain);
  const { files } = places.nearest;
  const guarded = new Proxy(files, {
    get(target, name) {
      if (name !== "scan") throw new Error(`${String(name)} was asked for`);
      return target.scan.bind(target);
    },
  });
  expect(await compactIfDue({ ...places, read: [{ ...places.nearest, files: guarded }] })).toEqual([]);
});

test("COMPACT-1: due logs are compacted in every workspace that is read; a failure is a warning", async () => {
  const place = new Place({ "2026-01-02.md": "## 10:00 - A\nb\n" });
  place.sandbox.ok(["init"]);
  const project = join(place.sandbox.work, ".retain/memories");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "2026-01-03.md"), "## 10:00 - C\nd\n");
  writeFileSync(join(project, "MEMORY.md"), "```\nnever closed\n");
  using retain = place.open();
  const reports = await compactIfDue(placesOf(retain));
  expect(reports.map(({ removed }) => removed)).toEqual([["2026-01-02.md"]]);
  expect(place.warnings).toEqual([expect.stringContaining("Old notes were not compacted")]);
  expect(existsSync(join(project, "2026-01-03.md"))).toBe(true);
});

test("a MEMORY.md over 10 KB draws a hint", async () => {
  const facts = Array.from({ length: 300 }, (_, index) => `- Fact number ${index}: ${"word ".repeat(6)}\n`);
  const large = new Place({ "MEMORY.md": `# M\n\n${facts.join("")}`, "2026-01-02.md": "## 10:00 - A\nb\n" });
  expect((await large.compact()).hints).toEqual([expect.stringMatching(/^MEMORY\.md is 1[45] KB: /)]);
  const small = new Place({ "MEMORY.md": "- Prefers tea\n", "2026-01-02.md": "## 10:00 - A\nb\n" });
  expect((await small.compact()).hints).toEqual([]);
});

test("COMPACT-3: each text is embedded once, and compaction works if embedding fails", async () => {
  const notes = Array.from(
    { length: 20 },
    (_, index) => `## 10:${10 + index} - Thing ${index}\nis of kind ${index}\n`,
  );
  const place = new Place({ "2026-01-02.md": notes.join("\n") });
  using retain = place.open();
  const seen = new Map<string, number>();
  const counting = {
    ...letters,
    embed: async (texts: readonly string[]) => {
      for (const text of texts) seen.set(text, (seen.get(text) ?? 0) + 1);
      return letters.embed(texts);
    },
  };
  const { notes: told } = await compact({ ...placesOf(retain), embedders: [counting] }, { dryRun: true });
  expect(told.length).toBe(20);
  expect([...seen.values()].filter((count) => count > 1)).toEqual([]);
  const broken = { ...letters, embed: async () => Promise.reject(new Error("no model")) };
  const report = await compact({ ...placesOf(retain), embedders: [broken] });
  expect(report.notes.length).toBe(20);
  expect(place.has("2026-01-02.md")).toBe(false);
});
