/** Unconfirmed facts, from where they wait to where a person has them: on the command line and by hand. */
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { states, unconfirmed, WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const env = WORDS_ALONE;

async function find(sandbox: Sandbox, session: string, ...found: string[]) {
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(env) });
  try {
    return await retain.facts.writeUnconfirmed(unconfirmed(session, ...found));
  } finally {
    retain.close();
  }
}

async function inferred(...found: string[]): Promise<Sandbox> {
  const sandbox = new Sandbox();
  await find(sandbox, "s1", ...found);
  return sandbox;
}

const memory = (sandbox: Sandbox, name = "MEMORY.md") => states(sandbox)[name] ?? "";
const facts = (sandbox: Sandbox, ...args: string[]) =>
  sandbox.ok(["facts", "--json", ...args], { env }).json.data.facts;
const path = (sandbox: Sandbox, name: string) => join(sandbox.memory, "memories", name);
const texts = (listed: { text: string }[]) => listed.map(({ text }) => text);

test("CONFIRM-1: an unconfirmed fact is labelled in lists, search, recall and context, and in no MEMORY.md; recall confirms nothing", async () => {
  const sandbox = await inferred("The user's name is Ada.", "The project uses Postgres 16.");
  expect(texts(facts(sandbox, "--unconfirmed"))).toEqual([
    "The user's name is Ada.",
    "The project uses Postgres 16.",
  ]);
  sandbox.ok(["remember", "Likes tea"], { env });
  expect(texts(facts(sandbox, "--unconfirmed")).length).toBe(2);
  const listed = sandbox.ok(["facts"], { env }).stdout;
  expect(listed).toContain("The user's name is Ada. (unconfirmed)");
  expect(listed).not.toContain("Likes tea (unconfirmed)");
  expect(memory(sandbox)).not.toContain("Ada");
  expect(memory(sandbox, "INFERRED.md")).toContain("retain confirm");
  expect(sandbox.ok(["search", "Postgres"], { env }).stdout).toMatch(
    /unconfirmed[^\n]*\n[^\n]*The project uses Postgres 16\./,
  );
  expect(sandbox.ok(["recall", "Postgres"], { env }).stdout).toMatch(
    /unconfirmed[^\n]*\n+The project uses Postgres 16\./,
  );
  expect(facts(sandbox, "--unconfirmed").length).toBe(2);
  const context = sandbox.ok(["context"], { env }).stdout;
  expect(context).toContain("Likes tea");
  expect(context).toMatch(
    /### Unconfirmed facts[^\n]*\n\n(?:- [^\n]+\n)*- \w+ \([^)]+\): The project uses Postgres 16\./,
  );
  expect(context.indexOf("Likes tea")).toBeLessThan(context.indexOf("Unconfirmed facts"));
  const { id } = facts(sandbox, "--unconfirmed")[0];
  expect(sandbox.ok(["why", id], { env }).stdout).toContain("unconfirmed");
});

test("CONFIRM-1: an inferred fact stays inferred after its index is lost", async () => {
  const sandbox = await inferred("The user's name is Ada.");
  const before = facts(sandbox, "--unconfirmed");
  rmSync(join(sandbox.memory, "retain.db"));
  expect(facts(sandbox, "--unconfirmed")).toEqual(before);
});

test("CONFIRM-2: confirm moves facts to MEMORY.md as stated and records it in HISTORY.md; one undo reverts it", async () => {
  const sandbox = await inferred(
    "The user's name is Ada.",
    "The project uses Postgres 16.",
    "The user lives in Oslo.",
  );
  const before = states(sandbox);
  const [ada, postgres] = facts(sandbox, "--unconfirmed");
  const confirmed = sandbox.ok(["confirm", ada.id.slice(0, 6), postgres.id, "--json"], { env }).json.data;
  expect(texts(confirmed.confirmed)).toEqual(["The user's name is Ada.", "The project uses Postgres 16."]);
  expect(memory(sandbox)).toContain("- The user's name is Ada.\n- The project uses Postgres 16.\n");
  expect(memory(sandbox, "INFERRED.md")).not.toMatch(/Ada|Postgres/);
  expect(memory(sandbox, "INFERRED.md")).toContain("- The user lives in Oslo.");
  expect(memory(sandbox, "HISTORY.md")).toMatch(
    /added \w+ "The user's name is Ada\."; in MEMORY\.md;.* by confirm; session s1;.* trust stated;/,
  );
  const [, now] = facts(sandbox, "--all").filter(
    ({ id }: { id: string }) => id === ada.id || id === postgres.id,
  );
  expect(now.source.trust).toBe("stated");
  expect(texts(facts(sandbox, "--unconfirmed"))).toEqual(["The user lives in Oslo."]);
  expect(facts(sandbox).length).toBe(3);
  sandbox.ok(["undo"], { env });
  expect(states(sandbox)).toEqual(before);
  expect(facts(sandbox, "--unconfirmed").length).toBe(3);
});

test("CONFIRM-2: --all confirms every unconfirmed fact, and reports if there are none", async () => {
  const sandbox = await inferred("The user's name is Ada.", "The user lives in Oslo.");
  sandbox.ok(["confirm", "--all"], { env });
  expect(facts(sandbox, "--unconfirmed")).toEqual([]);
  expect(sandbox.ok(["confirm", "--all"], { env }).stdout).toContain("unconfirmed");
  expect(sandbox.ok(["facts", "--unconfirmed"], { env }).stdout).toContain("unconfirmed");
});

test("CONFIRM-2: an id that cannot be confirmed is an error, and nothing changes", async () => {
  const sandbox = await inferred("The user's name is Ada.");
  sandbox.ok(["remember", "Likes tea"], { env });
  const [tea] = facts(sandbox).filter(({ text }: { text: string }) => text === "Likes tea");
  const [ada] = facts(sandbox, "--unconfirmed");
  const before = states(sandbox);
  for (const args of [[], ["zzzzzz"], [ada.id, "zzzzzz"], [tea.id], [ada.id, tea.id], [ada.id, "--all"]])
    expect(sandbox.run(["confirm", ...args], { env }).exitCode).not.toBe(0);
  expect(sandbox.run(["confirm", tea.id], { env }).stderr).toContain("MEMORY.md");
  expect(states(sandbox)).toEqual(before);
});

test("CONFIRM-4: a confirmed fact replaces older ones; before that, no stated fact changes", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "The user does not live in Oslo."], { env });
  const before = memory(sandbox);
  await find(sandbox, "s1", "The user lives in Oslo.");
  expect(memory(sandbox)).toBe(before);
  expect(texts(facts(sandbox))).toEqual(["The user lives in Oslo.", "The user does not live in Oslo."]);
  sandbox.ok(["confirm", "--all"], { env });
  expect(memory(sandbox)).toContain("- The user lives in Oslo.");
  expect(memory(sandbox)).not.toContain("not live");
  expect(texts(facts(sandbox))).toEqual(["The user lives in Oslo."]);
  expect(texts(facts(sandbox, "--superseded"))).toEqual(["The user does not live in Oslo."]);
});

test("CONFIRM-4: a known fact is not inferred again, and a stated fact replaces an inferred one", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "The user's name is Ada."], { env });
  expect((await find(sandbox, "s1", "The user's name is Ada.")).saved).toEqual([]);
  expect(memory(sandbox, "INFERRED.md")).toBe("");
  await find(sandbox, "s3", "The user lives in Oslo.");
  expect(texts(facts(sandbox, "--unconfirmed"))).toEqual(["The user lives in Oslo."]);
  sandbox.ok(["remember", "The user lives in Oslo."], { env });
  expect(facts(sandbox, "--unconfirmed")).toEqual([]);
  expect(memory(sandbox)).toContain("Oslo");
  expect(memory(sandbox, "INFERRED.md")).not.toContain("Oslo");
});

test("CONFIRM-2: moving a bullet into MEMORY.md by hand confirms it", async () => {
  const sandbox = await inferred("The user's name is Ada.", "The user lives in Oslo.");
  const line = "- The user's name is Ada.\n";
  writeFileSync(path(sandbox, "INFERRED.md"), memory(sandbox, "INFERRED.md").replace(line, ""));
  writeFileSync(path(sandbox, "MEMORY.md"), `# Memory\n\n${line}`);
  const [ada] = facts(sandbox).filter(({ text }: { text: string }) => text.includes("Ada"));
  expect(ada).toMatchObject({ file: "MEMORY.md", source: { by: "hand", trust: "stated", session: "s1" } });
  expect(texts(facts(sandbox, "--unconfirmed"))).toEqual(["The user lives in Oslo."]);
  const told = () =>
    ["HISTORY.md", "INFERRED-HISTORY.md"].map((name) => memory(sandbox, name).match(/is Ada/g)?.length);
  expect(told()).toEqual([1, 2]);
  facts(sandbox);
  expect(told()).toEqual([1, 2]);
  rmSync(join(sandbox.memory, "retain.db"));
  expect(facts(sandbox).find(({ id }: { id: string }) => id === ada.id).source.trust).toBe("stated");
});

test("CONFIRM-2: cutting and pasting, or copying, confirms it too", async () => {
  const sandbox = await inferred("The user's name is Ada.", "The user lives in Oslo.");
  const whole = memory(sandbox, "INFERRED.md");
  writeFileSync(path(sandbox, "INFERRED.md"), whole.replace("- The user's name is Ada.\n", ""));
  expect(facts(sandbox).length).toBe(1);
  writeFileSync(path(sandbox, "MEMORY.md"), "- The user's name is Ada.\n- The user lives in Oslo.\n");
  expect(facts(sandbox).map(({ source }: { source: { trust: string } }) => source.trust)).toEqual([
    "stated",
    "stated",
  ]);
  expect(facts(sandbox, "--unconfirmed")).toEqual([]);
});

test("CONFIRM-6: a fact that a person removed or forgot is not inferred again from the same words, in any workspace", async () => {
  const found = [
    "The user's name is Ada.",
    "The user lives in Oslo.",
    "The user keeps bees.",
    "The project uses Redis.",
  ];
  const sandbox = await inferred(...found);
  const whole = memory(sandbox, "INFERRED.md");
  writeFileSync(path(sandbox, "INFERRED.md"), whole.replace("- The user's name is Ada.\n", ""));
  for (const text of found.slice(1, 3)) sandbox.ok(["forget", text, "--yes"], { env });
  expect(Object.values(states(sandbox)).join("\n")).not.toMatch(/Oslo|bees/);
  for (const session of ["s1", "s2"]) expect((await find(sandbox, session, ...found)).saved).toEqual([]);
  rmSync(join(sandbox.memory, "retain.db"));
  expect((await find(sandbox, "s3", ...found)).saved).toEqual([]);
  expect(texts(facts(sandbox))).toEqual(["The project uses Redis."]);
  await sandbox.makeProject();
  const elsewhere = found.map((text) => text.replace("The user", "the user"));
  expect((await find(sandbox, "s4", ...elsewhere)).saved).toEqual([]);
  // Said again on purpose, it is a fact like any other.
  sandbox.ok(["remember", "--global", "The user lives in Oslo."], { env });
  expect(texts(facts(sandbox, "--global"))).toContain("The user lives in Oslo.");
});

test("CONFIRM-1: the histories agree whether an unconfirmed fact is confirmed, replaced, removed or found again", async () => {
  const sandbox = await inferred("The user lives in Oslo.", "Editor: vim", "The user likes tea.");
  const state = (): string[] =>
    facts(sandbox, "--all")
      .map(({ text, file, ended_at }: Record<string, string | null>) =>
        [text, file, ended_at === null ? "holds" : "ended"].join(" | "),
      )
      .sort();
  const check = (expected: string[]) => {
    expect(state()).toEqual(expected);
    const before = states(sandbox);
    rmSync(join(sandbox.memory, "retain.db"));
    expect(state()).toEqual(expected);
    expect(states(sandbox)).toEqual(before);
  };
  sandbox.ok(["confirm", facts(sandbox).find(({ text }: { text: string }) => text.includes("Oslo")).id], {
    env,
  });
  sandbox.ok(["remember", "Editor: emacs"], { env });
  check([
    "Editor: emacs | MEMORY.md | holds",
    "Editor: vim | INFERRED.md | ended",
    "The user likes tea. | INFERRED.md | holds",
    "The user lives in Oslo. | MEMORY.md | holds",
  ]);
  expect(memory(sandbox, "HISTORY.md")).not.toMatch(/vim|tea/);
  const [old] = facts(sandbox, "--superseded");
  expect(sandbox.ok(["why", old.id], { env }).stdout).toContain("Editor: emacs");
  // Replaced on purpose, then found in a conversation again: it waits once more.
  sandbox.ok(
    [
      "remember",
      "The user lives in Bergen.",
      "--replaces",
      facts(sandbox).find(({ text }: { text: string }) => text.includes("Oslo")).id,
    ],
    { env },
  );
  await find(sandbox, "s2", "The user lives in Oslo.");
  expect(texts(facts(sandbox, "--unconfirmed"))).toEqual(["The user likes tea.", "The user lives in Oslo."]);
  check(state());
  sandbox.ok(["undo"], { env });
  sandbox.ok(["undo"], { env });
  expect(texts(facts(sandbox))).toEqual(["The user likes tea.", "The user lives in Oslo.", "Editor: emacs"]);
});

test("CONFIRM-1: compaction ignores INFERRED.md, and an inferred fact does not cover a note", async () => {
  const sandbox = await inferred("The project uses Postgres 16.");
  const before = memory(sandbox, "INFERRED.md");
  writeFileSync(path(sandbox, "2020-01-01.md"), "# 2020-01-01\n\n## 10:00 — The project uses Postgres 16\n");
  sandbox.ok(["compact"], { env });
  expect(memory(sandbox, "INFERRED.md")).toBe(before);
  expect(memory(sandbox)).toContain("Postgres 16");
  expect(facts(sandbox, "--unconfirmed")).toEqual([]);
});

test("CONFIRM-2: a person's edit confirms an inferred fact; an agent's edit does not", async () => {
  const sandbox = await inferred("The user's name is Ada.", "The user lives in Oslo.");
  const [ada, oslo] = facts(sandbox, "--unconfirmed");
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(env) });
  try {
    await retain.facts.edit(oslo.id, "The user lives in Bergen.", {
      by: "memory_update",
      trust: "inferred",
    });
    await retain.facts.edit(ada.id, "The user's name is Ada Byron.");
  } finally {
    retain.close();
  }
  expect(texts(facts(sandbox, "--unconfirmed"))).toEqual(["The user lives in Bergen."]);
  expect(memory(sandbox)).toContain("- The user's name is Ada Byron.");
  expect(memory(sandbox)).not.toContain("Bergen");
  expect(memory(sandbox, "INFERRED.md")).not.toContain("Ada");
});

test("CONFIRM-2: undo reverts an unconfirmed fact like any change", async () => {
  const sandbox = await inferred("The user's name is Ada.");
  sandbox.ok(["undo"], { env });
  expect(facts(sandbox, "--all")).toEqual([]);
  expect(memory(sandbox, "INFERRED.md")).toBe("");
});
