/** Editing a part of a memory, listing facts and recent activity, and undo, as a model calls them. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { states } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { SECRET, ToolPlace } from "./memory-tools-place.ts";

/** The second call that an answer suggests. */
function nextCall(text: string): Record<string, unknown> {
  const [, input = ""] = /call memory_undo (\{.*\})/.exec(text) ?? [];
  return JSON.parse(input);
}

test("MEMTOOL-32: memory_update replaces one passage of a document and keeps the rest, with a version", async () => {
  const place = new ToolPlace();
  const content = "# Plan\n\nShip on 12 May.\n\nAsk Ada. <private>The code is 4711.</private>\n\nAsk Bob.\n";
  await place.call("memory_put", { content, id: "plan", tags: ["release"] });
  const path = join(place.sandbox.memory, "collections/memory/plan.md");
  const part = (old_text: string, new_text: string) =>
    place.call("memory_update", { id: "plan", old_text, new_text });
  const changed = await part("12 May", "19 May");
  expect(changed).toMatchObject({ ok: true, data: { action: "updated", version: 2, kept_version: "v1" } });
  const now = content.replace("12 May", "19 May");
  expect(readFileSync(path, "utf8")).toEndWith(now);
  expect(readFileSync(path, "utf8")).toContain("release");
  for (const [old, next, code, said] of [
    ["13 May", "14 May", "not_found", "not found"],
    ["Ask", "Call", "ambiguous", "2 times"],
    ["The code is 4711.", "x", "not_found", "not found"],
    ["Ask Bob.", `Bob's token is ${SECRET}`, "secret", "allow_secret"],
  ] as const) {
    const refused = await part(old, next);
    expect([refused.ok, refused.data.error.code]).toEqual([false, code]);
    expect(refused.text).toContain(said);
  }
  const half = await place.call("memory_update", { id: "plan", old_text: "Ask Bob." });
  expect([half.ok, half.data.error.code]).toEqual([false, "usage"]);
  expect(readFileSync(path, "utf8")).toEndWith(now);
});

test("MEMTOOL-33: memory_undo first shows what it would undo, and then undoes exactly that", async () => {
  const place = new ToolPlace();
  await place.call("memory_put", { content: "# Plan\n\nShip on 12 May.", id: "plan" });
  await place.call("memory_update", { id: "plan", old_text: "12 May", new_text: "19 May" });
  const shown = async () => (await place.call("memory_get", { id: "plan" })).text;
  const asked = await place.call("memory_undo", { id: "plan" });
  expect(asked).toMatchObject({ ok: false, data: { error: { code: "unconfirmed" } } });
  expect(await shown()).toContain("19 May");
  expect((await place.call("memory_undo", nextCall(asked.text))).ok).toBe(true);
  expect(await shown()).toContain("12 May");
  // The confirmation was for another state of the document.
  expect((await place.call("memory_undo", nextCall(asked.text))).ok).toBe(false);
  await place.call("memory_delete", { id: "plan" });
  const gone = await place.call("memory_undo", { id: "plan" });
  expect((await place.call("memory_undo", nextCall(gone.text))).ok).toBe(true);
  expect(await shown()).toContain("12 May");
});

test("MEMTOOL-33: memory_undo reverts the last change of facts in any workspace, unless memory changed meanwhile", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  const place = new ToolPlace(sandbox, { clock: () => new Date("2026-01-01T09:00:00Z") });
  expect((await place.call("memory_undo", {})).data.error.code).toBe("not_found");
  await place.call("retain", { items: [{ content: "The office is in Lisbon" }] });
  const before = await place.call("memory_undo", {});
  expect(before.text).toContain("- - The office is in Lisbon");
  sandbox.ok(["remember", "--global", "Ada likes tea"]);
  const stale = await place.call("memory_undo", nextCall(before.text));
  expect(stale.ok).toBe(false);
  expect(stale.text).toContain("Ada likes tea");
  expect(await place.retain.facts.list()).toHaveLength(2);
  expect((await place.call("memory_undo", nextCall(stale.text))).ok).toBe(true);
  expect((await place.retain.facts.list()).map(({ text }) => text)).toEqual(["The office is in Lisbon"]);
});

test("MEMTOOL-33: memory_undo of a fact ends it and brings back the fact that it replaced", async () => {
  const place = new ToolPlace();
  const deploys = (content: string) => place.call("retain", { items: [{ content, key: "Deploy day" }] });
  await deploys("Fridays");
  const { data } = await deploys("Mondays");
  await place.call("retain", { items: [{ content: "Ada likes tea" }] });
  const asked = await place.call("memory_undo", { id: data.stored[0].id });
  expect(asked.text).toContain("+ Deploy day: Fridays");
  await place.call("memory_undo", nextCall(asked.text));
  const texts = (await place.retain.facts.list()).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(["Ada likes tea", "Deploy day: Fridays"]);
});

test("MEMTOOL-34: memory_list lists facts, also ended ones, and recent activity, newest first, within a limit", async () => {
  let now = Date.parse("2026-11-02T09:00:00Z");
  const clock = () => new Date(now);
  const later = () => {
    now += 3_600_000;
  };
  const place = new ToolPlace(new Sandbox(), { clock });
  const empty = await place.call("memory_list", { what: "activity" });
  expect([empty.ok, empty.data.total]).toEqual([true, 0]);
  await place.call("retain", { items: [{ content: "Fridays", key: "Deploy day" }] });
  later();
  await place.call("retain", { items: [{ content: "Mondays", key: "Deploy day" }] });
  later();
  await place.call("memory_put", { content: "# Plan\n\nShip it.", id: "plan" });
  later();
  await place.retain.facts.log("Standup: the door is green");
  later();
  await place.call("memory_update", { id: "plan", tags: ["x"] });
  later();
  const turns = [{ role: "user", content: "How do we deploy?", at: clock().toISOString() }] as const;
  for (const chat of ["work", "main"])
    await place.retain.facts.writeTurns({ session: `in-${chat}`, chat, title: `About ${chat}`, turns });
  const facts = await place.call("memory_list", { what: "facts" });
  expect(facts.data.facts).toMatchObject([{ text: "Deploy day: Mondays", trust: "inferred" }]);
  const all = await place.call("memory_list", { what: "facts", all: true, limit: 1 });
  expect([all.data.total, all.data.facts.length]).toEqual([2, 1]);
  expect(all.text).toContain("1 of 2 facts.");
  const { data, text } = await place.call("memory_list", { what: "activity" });
  const events = data.activity.map(({ what, kind }: { what: string; kind: string }) => `${what} ${kind}`);
  expect(events).toEqual([
    "talked conversation",
    "talked conversation",
    "changed document",
    "saved note",
    "saved document",
    "ended fact",
    "saved fact",
    "saved fact",
  ]);
  expect(text).toContain("document memory/plan: Plan");
  const inChat = { chat: "main", session: "monday" };
  const [first, ...others] = (await place.call("memory_list", { what: "activity", limit: 3 }, inChat)).data
    .activity;
  expect([first.text, others.length]).toEqual(["About main", 2]);
  expect(JSON.stringify(others)).not.toContain("About work");
});

test("MEMTOOL-34: activity within one minute is in order, whatever its kind", async () => {
  let now = Date.parse("2026-11-02T09:00:00Z");
  const clock = () => {
    now += 1_000;
    return new Date(now);
  };
  const place = new ToolPlace(new Sandbox(), { clock });
  await place.call("memory_put", { content: "# One", id: "one" });
  await place.call("retain", { items: [{ content: "Two is a fact" }] });
  await place.call("memory_put", { content: "# Three", id: "three" });
  await place.call("retain", { items: [{ content: "Four is a fact" }] });
  const { activity } = (await place.call("memory_list", { what: "activity" })).data;
  expect(activity.map(({ text }: { text: string }) => text)).toEqual([
    "Four is a fact",
    "Three",
    "Two is a fact",
    "One",
  ]);
});

test("MEMTOOL-34: memory_get reads a fact or a note by its id", async () => {
  const place = new ToolPlace();
  const { data } = await place.call("retain", { items: [{ content: "The office is in Lisbon" }] });
  const fact = await place.call("memory_get", { id: data.stored[0].id });
  expect(fact.data).toMatchObject({ kind: "fact", content: "The office is in Lisbon" });
  expect(fact.text).toContain("<recalled>");
  await place.retain.facts.log("Standup: the door is green");
  const [event] = (await place.call("memory_list", { what: "activity" })).data.activity.filter(
    ({ kind }: { kind: string }) => kind === "note",
  );
  const note = await place.call("memory_get", { id: event.id });
  expect(note.data).toMatchObject({ kind: "note", content: "the door is green" });
});

test("MEMTOOL-33: undo refuses if a person has changed the same lines since", async () => {
  const place = new ToolPlace();
  await place.call("retain", { items: [{ content: "The office is in Lisbon" }] });
  const asked = await place.call("memory_undo", {});
  const file = join(place.sandbox.memory, "memories/MEMORY.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("Lisbon", "Porto"));
  const before = states(place.sandbox)["MEMORY.md"];
  const refused = await place.call("memory_undo", nextCall(asked.text));
  expect([refused.ok, refused.data.error.code]).toEqual([false, "conflict"]);
  expect(states(place.sandbox)["MEMORY.md"]).toBe(before ?? "");
});
