/** Turns of another agent's conversation: stored once, processed once. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "../../src/core/ports/backend.ts";
import { openRetain, type Retain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { unconfirmed } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function opened(sandbox: Sandbox): Retain {
  const retain = openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: sandbox.env(),
    settings: { embedding: "none" },
  });
  afterThisTest(() => retain.close());
  return retain;
}

function turns(...contents: string[]): Turn[] {
  return contents.map((content, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content,
    at: `2026-02-18T09:${String(index).padStart(2, "0")}:00Z`,
  }));
}

const file = (sandbox: Sandbox, name: string) => join(sandbox.memory, "memories", name);
const TALK = turns(
  "Remember that my name is Ada. Please remember: we use Postgres 16.",
  "Noted.",
  "What is a vacuum?",
  "It frees dead rows.",
);

test("AUTO-4: turns are stored as messages of their session and found by recall; requests in them are saved, with their message", async () => {
  const sandbox = new Sandbox();
  const retain = opened(sandbox);
  const kept = await retain.facts.writeTurns({ session: "cc-1", title: "Vacuum", turns: TALK });
  expect(kept).toMatchObject({ session: "cc-1", known: 0, refused: [] });
  expect(kept.stored.length).toBe(4);
  expect(kept.requested.saved.map(({ text }) => text)).toEqual(["my name is Ada.", "we use Postgres 16."]);
  expect(readFileSync(file(sandbox, "MEMORY.md"), "utf8")).toContain("- we use Postgres 16.\n");
  expect(existsSync(file(sandbox, "INFERRED.md"))).toBe(false);
  const { conversation, title } = await retain.sessions.show("cc-1");
  expect(conversation.filter(({ role }) => role !== "system").map(({ content }) => content)).toEqual(
    TALK.map(({ content }) => content),
  );
  expect(title).toBe("Vacuum");
  const { hits } = await retain.search("vacuum dead rows");
  expect(hits.some(({ kind, session }) => kind === "message" && session === "cc-1")).toBe(true);
  const [fact] = await retain.facts.list();
  expect(fact?.source).toMatchObject({
    by: "user",
    trust: "stated",
    session: "cc-1",
    message: kept.stored[0] ?? 0,
  });
  expect((await retain.facts.why(fact?.id ?? "")).message?.content).toContain("my name is Ada");
});

test("REQUEST-3: a request is saved once, where `remember` saves; processed late, it brings nothing back", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const retain = opened(sandbox);
  await retain.facts.writeTurns({ session: "cc-1", turns: turns("Remember that the team likes tea.") });
  const project = join(sandbox.work, ".retain/memories/MEMORY.md");
  expect(readFileSync(project, "utf8")).toContain("- the team likes tea.\n");
  const saved = async (session: string, at: string) => {
    const told = [{ role: "user" as const, content: "Remember that the team likes tea.", at }];
    return (await retain.facts.writeTurns({ session, turns: told })).requested.saved.length;
  };
  // Another agent passes the same message.
  expect(await saved("cc-2", "2026-02-18T09:00:00Z")).toBe(0);
  writeFileSync(project, "# Memory\n");
  expect(await retain.facts.list()).toEqual([]);
  expect(await saved("cc-3", "2026-02-18T09:00:00Z")).toBe(0);
  expect(await retain.facts.list()).toEqual([]);
  // Said again after it was removed, it is a new request.
  expect(await saved("cc-4", "2999-01-01T00:00:00Z")).toBe(1);
  const [fact] = await retain.facts.list();
  await retain.facts.forget(fact?.id ?? "");
  expect(await saved("cc-5", "2026-02-18T09:00:00Z")).toBe(0);
});

test("REQUEST-3: a request and a mark of the same statement are one fact, in either order", async () => {
  const statements = ["the otter ferry leaves at nine", "my flight is at 9", "我的航班是九点"];
  for (const statement of statements)
    for (const isMarkFirst of [true, false]) {
      const retain = opened(new Sandbox());
      const mark = () => retain.facts.ingest(`Fine.\n[MEMORY] ${statement}.`, { session: "m" });
      if (isMarkFirst) await mark();
      await retain.facts.writeTurns({ session: "cc-1", turns: turns(`Remember that ${statement}`) });
      if (!isMarkFirst) await mark();
      expect((await retain.facts.list({ which: "all" })).length).toBe(1);
    }
});

test("AUTO-2: a request to remember a secret is refused, and a private part isn't saved", async () => {
  const sandbox = new Sandbox();
  const retain = opened(sandbox);
  const { requested } = await retain.facts.writeTurns({
    session: "cc-1",
    turns: turns(
      "Remember that my key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789",
      "No.",
      "Remember that I like tea <private>with Ana</private>",
      "Fine.",
      "<private>Remember that I like Bob</private>",
    ),
  });
  expect(requested.refused.length).toBe(1);
  expect((await retain.facts.list()).map(({ text }) => text)).toEqual(["I like tea"]);
  expect(readFileSync(file(sandbox, "MEMORY.md"), "utf8")).not.toMatch(/key|Ana|Bob/);
});

test("LEARN-9: unconfirmed facts about the person are in the home workspace, the others in the project", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const retain = opened(sandbox);
  const found = unconfirmed("s", "The user uses Neovim.", "The project uses Postgres 16.");
  expect((await retain.facts.writeUnconfirmed(found)).saved.length).toBe(2);
  const project = readFileSync(join(sandbox.work, ".retain/memories/INFERRED.md"), "utf8");
  const home = readFileSync(join(sandbox.home, ".retain/memories/INFERRED.md"), "utf8");
  expect(project.match(/^- .*$/gm)).toEqual(["- The project uses Postgres 16."]);
  expect(home.match(/^- .*$/gm)).toEqual(["- The user uses Neovim."]);
});

test("many unconfirmed facts are written 250 at a time, so that no process waits long for the lock", async () => {
  const retain = opened(new Sandbox());
  const texts = Array.from({ length: 300 }, (_, index) => `The project uses Tool${index} for part ${index}.`);
  const { saved } = await retain.facts.writeUnconfirmed(unconfirmed("s", ...texts));
  expect(saved.length).toBe(300);
  expect((await retain.facts.list({ unconfirmed: true })).length).toBe(300);
  await retain.facts.undo();
  expect((await retain.facts.list({ unconfirmed: true })).length).toBe(250);
});

test("AUTO-4: turns are identified by number: passing them again adds nothing, and a gap is an error", async () => {
  const retain = opened(new Sandbox());
  const longer = [...TALK, ...turns("Remember that I live in Oslo.", "Cold there.")];
  await retain.facts.writeTurns({ session: "cc-1", turns: TALK });
  expect(await retain.facts.writeTurns({ session: "cc-1", turns: TALK })).toMatchObject({
    known: 4,
    stored: [],
  });
  const more = await retain.facts.writeTurns({ session: "cc-1", turns: longer });
  expect(more).toMatchObject({ known: 4 });
  expect(more.requested.saved.map(({ text }) => text)).toEqual(["I live in Oslo."]);
  const window = await retain.facts.writeTurns({ session: "cc-1", turns: longer.slice(2), from: 2 });
  expect(window).toMatchObject({ known: 4, stored: [] });
  const late = retain.facts.writeTurns({ session: "cc-1", turns: TALK, from: 9 });
  await expect(late).rejects.toMatchObject({ code: "conflict" });
  const { messages } = await retain.sessions.show("cc-1");
  expect(messages).toBe(6);
});

test("AUTO-4: concurrent calls store each turn once", async () => {
  const sandbox = new Sandbox();
  const several = Array.from({ length: 4 }, () => opened(sandbox));
  const kept = await Promise.all(
    several.map((one) => one.facts.writeTurns({ session: "cc-1", turns: TALK })),
  );
  expect(kept.reduce((sum, { stored }) => sum + stored.length, 0)).toBe(4);
  const [retain] = several;
  expect((await retain?.sessions.show("cc-1"))?.messages).toBe(4);
  expect((await retain?.facts.list())?.length).toBe(2);
});

test("AUTO-2: secrets, private parts and recalled text of turns aren't stored, and a secret is reported", async () => {
  const sandbox = new Sandbox();
  const retain = opened(sandbox);
  const told = turns(
    "<memories>Remember that I live in Rome.</memories> My key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 <private>Remember that I live in Paris.</private>",
    "<mental_models>x</mental_models>",
  );
  const kept = await retain.facts.writeTurns({ session: "cc-1", turns: told });
  expect(kept.stored.length).toBe(2);
  expect(kept.refused.length).toBe(1);
  expect(kept.refused[0]?.text).not.toContain("abcdefghij");
  expect(kept.requested.saved).toEqual([]);
  const { conversation } = await retain.sessions.show("cc-1");
  const stored = conversation.map(({ content }) => content).join("\n");
  expect(stored).not.toMatch(/Rome|Paris|abcdefghij|mental/);
  expect(await retain.facts.writeTurns({ session: "cc-1", turns: told })).toMatchObject({
    known: 2,
    stored: [],
  });
});

test("AUTO-2: invalid turns are an error, with nothing stored", async () => {
  const sandbox = new Sandbox();
  const retain = opened(sandbox);
  const wrong: unknown[] = [
    null,
    "x",
    [{ role: "tool", content: "x", at: "2026-02-18T09:00:00Z" }],
    [{ role: "user", content: 3, at: "2026-02-18T09:00:00Z" }],
    [{ role: "user", content: "x", at: "soon" }],
    [null],
  ];
  for (const one of wrong)
    await expect(retain.facts.writeTurns({ session: "cc-1", turns: one as Turn[] })).rejects.toMatchObject({
      code: "usage",
    });
  const unnamed = { session: undefined as unknown as string, turns: TALK };
  await expect(retain.facts.writeTurns(unnamed)).rejects.toMatchObject({ code: "usage" });
  await expect(retain.facts.writeTurns({ session: "../x", turns: TALK })).rejects.toMatchObject({
    code: "invalid_name",
  });
  await expect(retain.facts.writeTurns({ session: "s", turns: TALK, from: -1 })).rejects.toMatchObject({
    code: "usage",
  });
  expect(existsSync(file(sandbox, "MEMORY.md"))).toBe(false);
});

test("CONFIRM-1: inferred facts rank below facts saved on purpose, whichever came first", async () => {
  const infer = (retain: Retain) =>
    retain.facts.writeUnconfirmed(unconfirmed("cc-1", "The user likes green tea."));
  const keep = (retain: Retain) => retain.facts.remember("The user likes white tea.", {});
  for (const steps of [
    [keep, infer],
    [infer, keep],
  ]) {
    const retain = opened(new Sandbox());
    for (const step of steps) await step(retain);
    const { hits } = await retain.search("user likes tea", { kinds: ["fact"] });
    expect(hits.map(({ text }) => text)).toEqual(["The user likes white tea.", "The user likes green tea."]);
  }
});

test("CONFIRM-4: in a project, facts known in the home workspace aren't added as unconfirmed", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact("The user's name is Ada.", {}, { scope: "global" });
  const retain = opened(sandbox);
  const found = unconfirmed("s", "The user's name is Ada.", "The project uses Postgres 16.");
  const { saved, skipped } = await retain.facts.writeUnconfirmed(found);
  expect(saved.map(({ text }) => text)).toEqual(["The project uses Postgres 16."]);
  expect(skipped.map(({ text }) => text)).toEqual(["The user's name is Ada."]);
  expect(existsSync(file(sandbox, "INFERRED.md"))).toBe(false);
});
