/** Facts with a last day, through the real command, the library and the chat. No day passes: the clock is set, or the file is older. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factId } from "../../src/core/facts/fact-text.ts";
import { ToolPlace } from "../agent/memory-tools-place.ts";
import { Clocked } from "../helpers/clocked.ts";
import { WORDS_ALONE as env, written } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const LEAVE = "Nora is on leave.";

/** A fact that ended long ago, as an earlier version of today's files would say it. */
function ended(): Sandbox {
  const id = factId(LEAVE, null);
  return written({
    "MEMORY.md": `# Memory\n\n- ${LEAVE}\n- Nora likes tea.\n`,
    "HISTORY.md": [
      "# History\n",
      `- 2026-01-05T10:00:00Z added ${id} "${LEAVE}"; in MEMORY.md; section general; by remember; trust stated; until 2026-01-09`,
      `- 2026-01-05T10:00:00Z added ${factId("Nora likes tea.", null)} "Nora likes tea."; in MEMORY.md; section general; by remember; trust stated`,
      "",
    ].join("\n"),
  });
}

const file = ({ memory }: Sandbox, name: string) => readFileSync(join(memory, "memories", name), "utf8");

test("FACT-27: remember --until keeps the last day, in HISTORY.md and through reindex", () => {
  const sandbox = new Sandbox();
  const { data } = sandbox.ok(["remember", LEAVE, "--until", "2199-11-20", "--json"], { env }).json;
  expect(data.saved).toMatchObject([{ text: LEAVE, until: "2199-11-20" }]);
  expect(file(sandbox, "MEMORY.md")).toContain(`- ${LEAVE}\n`);
  expect(file(sandbox, "HISTORY.md")).toContain("until 2199-11-20");
  sandbox.ok(["reindex"], { env });
  expect(sandbox.ok(["facts", "--json"], { env }).json.data.facts).toMatchObject([
    { text: LEAVE, until: "2199-11-20", ended_at: null },
  ]);
  for (const args of [["facts"], ["why", data.saved[0].id], ["context"], ["recall", "is Nora on leave?"]])
    expect(sandbox.ok(args, { env }).stdout).toContain("until 2199-11-20");
});

test("FACT-27: --until rejects past days and words that aren't a date", () => {
  const sandbox = new Sandbox();
  for (const until of ["2020-01-01", "yesterday", "it works", ""]) {
    const result = sandbox.run(["remember", LEAVE, "--until", until], { env });
    expect([until, result.exitCode]).toEqual([until, 2]);
  }
  expect(sandbox.ok(["facts", "--json"], { env }).json.data.total).toBe(0);
});

test("FACT-27: after its last day a fact has ended, and its bullet stays", () => {
  const sandbox = ended();
  const memory = file(sandbox, "MEMORY.md");
  for (const again of [() => {}, () => sandbox.ok(["reindex"], { env })]) {
    again();
    expect(sandbox.ok(["facts"], { env }).stdout).not.toContain(LEAVE);
    expect(sandbox.ok(["facts", "--all"], { env }).stdout).toContain(`${LEAVE} (ended 2026-01-09)`);
    expect(sandbox.ok(["facts", "--superseded"], { env }).stdout).toContain(LEAVE);
    expect(sandbox.ok(["facts", "--as-of", "2026-01-09"], { env }).stdout).toContain(LEAVE);
    expect(sandbox.ok(["facts", "--as-of", "2026-01-10"], { env }).stdout).not.toContain(LEAVE);
    expect(sandbox.ok(["facts", "--all"], { env }).stdout).toMatch(
      /ended 2026-01-09.* 2026-01-05 to 2026-01-09/,
    );
    expect(sandbox.ok(["why", factId(LEAVE, null)], { env }).stdout).toContain("ended 2026-01-09");
    expect(sandbox.ok(["context"], { env }).stdout).not.toContain(LEAVE);
    expect(sandbox.ok(["context"], { env }).stdout).toContain("Nora likes tea.");
    expect(sandbox.ok(["recall", "is Nora on leave?"], { env }).stdout).not.toContain(LEAVE);
    expect(sandbox.ok(["search", "leave"], { env }).stdout).not.toContain(LEAVE);
    expect(sandbox.ok(["search", "leave", "--until", "2026-01-09"], { env }).stdout).toContain(LEAVE);
  }
  expect(file(sandbox, "MEMORY.md")).toBe(memory);
});

test("FACT-27: if every fact of MEMORY.md has ended, the context shows none", () => {
  const sandbox = ended();
  writeFileSync(join(sandbox.memory, "memories/MEMORY.md"), `# Memory\n\nA house rule.\n\n- ${LEAVE}\n`);
  const { stdout } = sandbox.ok(["context"], { env });
  expect(stdout).not.toContain(LEAVE);
  expect(stdout).toContain("A house rule.");
});

test("FACT-27: the fact is valid on its last day, and a long-lived process notices the next day", async () => {
  const place = new Clocked();
  await place.retain.facts.remember(LEAVE, { until: "friday" });
  place.now = new Date(2026, 10, 20, 23, 59);
  expect(await place.texts()).toEqual([LEAVE]);
  expect((await place.retain.context({ query: "leave" })).text).toContain(LEAVE);
  place.now = new Date(2026, 10, 21, 0, 0);
  expect(await place.texts()).toEqual([]);
  expect((await place.retain.context({ query: "leave" })).text).not.toContain(LEAVE);
  expect((await place.retain.search("leave")).hits).toEqual([]);
  expect(await place.texts({ which: "superseded" })).toEqual([LEAVE]);
});

test("FACT-27: repeating a past fact revives it, and a new end replaces the old one", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  const untils = async () => (await facts.list({ which: "all" })).map(({ until }) => until);
  await facts.remember(LEAVE, { until: "2026-11-20" });
  await facts.remember("Nora likes tea.");
  const before = file(place.sandbox, "MEMORY.md");
  const [later] = (await facts.remember(LEAVE, { until: "2026-11-27" })).saved;
  expect(later).toMatchObject({ text: LEAVE, until: "2026-11-27" });
  expect(await untils()).toEqual(["2026-11-27", null]);
  expect((await facts.remember(LEAVE)).skipped).toHaveLength(1);
  expect(await untils()).toEqual(["2026-11-27", null]);
  place.now = new Date(2026, 11, 7, 12);
  expect(await place.texts()).toEqual(["Nora likes tea."]);
  expect((await facts.remember(LEAVE, { until: "2026-12-11" })).saved).toHaveLength(1);
  expect(await place.texts()).toEqual([LEAVE, "Nora likes tea."]);
  expect(file(place.sandbox, "MEMORY.md")).toBe(before);
  expect(await place.texts({ asOf: new Date(2026, 11, 1) })).toEqual(["Nora likes tea."]);
  await facts.undo();
  expect(await place.texts()).toEqual(["Nora likes tea."]);
});

test("FACT-27: a key and an id also find a past fact", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  await facts.remember("on leave", { key: "Nora", until: "2026-11-20" });
  await facts.remember("The lift is out of order.", { until: "2026-11-20" });
  const id = factId("The lift is out of order.", null);
  place.now = new Date(2026, 11, 7, 12);
  await facts.remember("back at work", { key: "Nora" });
  await facts.remember("The new lift opens in spring.", { replaces: [id.slice(0, 6)] });
  expect(await place.texts()).toEqual(["Nora: back at work", "The new lift opens in spring."]);
  expect(file(place.sandbox, "MEMORY.md")).not.toContain("on leave");
  expect(file(place.sandbox, "MEMORY.md")).not.toContain("out of order");
});

test("FACT-27: a mark can have an end next to a key or replaced ids; an invalid or past end is ignored", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  await facts.remember("Nora works on Fridays.");
  const id = factId("Nora works on Fridays.", null);
  const reply = [
    '[MEMORY until="2026-11-20"] Staging is frozen.',
    `[MEMORY replaces ${id.slice(0, 6)} until="next week"] Nora is on leave.`,
    '[MEMORY key="Lunch" until 2026-11-19] soup',
    `[MEMORY until="it works"] The build is red.`,
  ].join("\n");
  const { visible } = await facts.ingest(`Fine.\n${reply}`, {});
  expect(visible.trim()).toBe("Fine.");
  const listed = await facts.list();
  expect(Object.fromEntries(listed.map((fact) => [fact.text, fact.until]))).toEqual({
    "Staging is frozen.": "2026-11-20",
    "Nora is on leave.": "2026-11-29",
    "Lunch: soup": "2026-11-19",
    "The build is red.": null,
  });
});

test("FACT-27: a message that stated a past fact ranks behind current facts", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  await facts.ingest(
    '[MEMORY until="2026-11-20"] Staging is frozen for the audit.\nStaging is frozen for the audit.',
    {},
  );
  const found = async () =>
    (await place.retain.search("is staging frozen for the audit?", { limit: 5 })).hits;
  const outdated = async () =>
    (await found()).flatMap(({ parts }) => parts.filter(({ name }) => name === "outdated"));
  expect(await outdated()).toEqual([]);
  place.now = new Date(2026, 10, 21, 12);
  expect(await outdated()).toHaveLength(1);
});

test("FACT-27: a sentence with an end date needs no field; an edit by hand can change it", async () => {
  const place = new Clocked();
  await place.retain.facts.remember("Nora is on leave until Friday");
  await place.retain.facts.remember("Staging is frozen until further notice");
  const untils = async () => (await place.retain.facts.list()).map(({ until }) => until);
  expect(await untils()).toEqual(["2026-11-20", null]);
  const path = join(place.sandbox.memory, "memories/MEMORY.md");
  const edit = (from: string, to: string) =>
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  edit("until Friday", "until 2199-01-31");
  expect(await untils()).toEqual(["2199-01-31", null]);
  edit(" until 2199-01-31", "");
  expect(await untils()).toEqual([null, null]);
});

test("FACT-27: a past fact can be forgotten, with its bullet", () => {
  const sandbox = ended();
  const id = factId(LEAVE, null);
  sandbox.ok(["forget", id, "--yes"], { env });
  expect(file(sandbox, "MEMORY.md")).not.toContain(LEAVE);
  expect(sandbox.ok(["facts", "--all"], { env }).stdout).not.toContain(LEAVE);
});

test("FACT-27: the retain tool accepts an end, reports it, and rejects an invalid or past one", async () => {
  const place = new ToolPlace(new Sandbox(), { clock: () => new Date(2026, 10, 18, 12) });
  const kept = await place.call("retain", { items: [{ content: LEAVE, until: "next week" }] });
  expect(kept.data.stored).toMatchObject([{ text: LEAVE, until: "2026-11-29" }]);
  expect(kept.text).toContain("until 2026-11-29");
  const recalled = await place.call("recall", { query: "who is on leave?" });
  expect(recalled.data.hits).toMatchObject([{ text: LEAVE, until: "2026-11-29" }]);
  expect(recalled.text).toContain("until 2026-11-29");
  const refused = await place.call("retain", { items: [{ content: "Nora is ill.", until: "2026-11-01" }] });
  expect(refused).toMatchObject({ ok: false, data: { stored: [], refused: [{ text: "Nora is ill." }] } });
});

test("FACT-25: inside a project, the tool and remember replace a home workspace's fact in its own file", async () => {
  const sandbox = new Sandbox();
  const ids = ["Nora works on Fridays.", "Nora lives in Turin."].map((text) => factId(text, null));
  sandbox.ok(["remember", "Nora works on Fridays."], { env });
  sandbox.ok(["remember", "Nora lives in Turin."], { env });
  await sandbox.makeProject();
  const place = new ToolPlace(sandbox);
  const kept = await place.call("retain", {
    items: [{ content: "Nora works on Mondays.", replaces: [ids[0]?.slice(0, 6)] }],
  });
  expect(kept.data).toMatchObject({ unknown: [], superseded: [{ id: ids[0] }] });
  sandbox.ok(["remember", "Nora moved to Bologna.", "--replaces", ids[1] ?? ""], { env });
  expect(sandbox.ok(["facts", "--json"], { env }).json.data.facts).toMatchObject([
    { text: "Nora works on Mondays.", origin: "home" },
    { text: "Nora moved to Bologna.", origin: "home" },
  ]);
});

test("RECALL-1: every recalled fact comes with its id", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", LEAVE], { env });
  const id = factId(LEAVE, null).slice(0, 6);
  const place = new ToolPlace(sandbox);
  expect((await place.call("recall", { query: "who is on leave?" })).text).toContain(id);
  for (const args of [
    ["recall", "who is on leave?"],
    ["context", "--query", "who is on leave?"],
  ])
    expect(sandbox.ok(args, { env }).stdout).toContain(id);
});

test("FACT-25: a tool item without content ends the facts that it names", async () => {
  const place = new ToolPlace();
  await place.retain.facts.remember(LEAVE);
  const ended = await place.call("retain", {
    items: [{ content: "", replaces: [factId(LEAVE, null).slice(0, 6)] }],
  });
  expect(ended).toMatchObject({ ok: true, data: { ended: [{ text: LEAVE }], unknown: [] } });
  expect(await place.retain.facts.list()).toEqual([]);
  expect((await place.call("retain", { items: [{ content: "" }] })).ok).toBe(false);
});
