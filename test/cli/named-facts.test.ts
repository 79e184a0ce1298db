/** Keys, last days and named facts combined with unconfirmed facts, edits, and a project next to the home workspace. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Clocked } from "../helpers/clocked.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const GATE = { key: "Gate", until: "2026-11-20" };

function path({ sandbox }: Clocked, name: string): string {
  return join(sandbox.memory, "memories", name);
}

/** A project, and these facts in the home workspace. */
function besideHome(...remembered: string[][]): Sandbox {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  for (const args of remembered) sandbox.ok(["remember", "--global", ...args]);
  return sandbox;
}

async function placed({ retain }: Clocked): Promise<[string, string][]> {
  return (await retain.facts.list()).map(({ text, origin }) => [text, origin]);
}

const CONFIRMATIONS: Record<string, (place: Clocked) => Promise<unknown>> = {
  "`confirm`": ({ retain }) => retain.facts.confirm("all"),
  "the same words": ({ retain }) => retain.facts.remember("Gate: 4"),
  "a move by hand": async (place) => {
    const left = readFileSync(path(place, "INFERRED.md"), "utf8").replace("- Gate: 4\n", "");
    writeFileSync(path(place, "INFERRED.md"), left);
    writeFileSync(path(place, "MEMORY.md"), "# Memory\n\n- Gate: 4\n");
  },
};

for (const [by, confirm] of Object.entries(CONFIRMATIONS))
  test(`CONFIRM-2: a fact keeps its key and last day when confirmed by ${by}`, async () => {
    const place = new Clocked();
    await place.find("Gate: 4", GATE);
    await confirm(place);
    expect(await place.retain.facts.list()).toMatchObject([{ file: "MEMORY.md", ...GATE }]);
  });

test("LEARN-10: a fact that is current again after a rejection keeps its last day", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  await facts.remember("4", GATE);
  const { saved } = await place.find("Gate: 5", { key: "Gate" });
  expect(await place.texts()).toEqual(["Gate: 5"]);
  await facts.reject(saved[0]?.id ?? "");
  expect(await facts.list()).toMatchObject([{ text: "Gate: 4", file: "MEMORY.md", ...GATE }]);
});

test("FACT-27: a past fact found again is unconfirmed, and becomes confirmed when a person states it", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  const leave = "Nora is on leave.";
  const files = async () => (await facts.list()).map(({ file }) => file);
  await facts.remember(leave, { until: "2026-11-20" });
  place.now = new Date(2026, 11, 7, 12);
  await place.find(leave, { until: "2026-12-11" });
  expect(await files()).toEqual(["INFERRED.md"]);
  place.now = new Date(2027, 0, 7, 12);
  expect(await files()).toEqual([]);
  await facts.remember(leave);
  expect(await files()).toEqual(["MEMORY.md"]);
  expect(readFileSync(path(place, "INFERRED.md"), "utf8")).not.toContain(leave);
});

test("FACT-24: an edited fact that keeps its key is still replaced by that key", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  await facts.remember("4", { key: "Gate" });
  const [fact] = await facts.list();
  await facts.edit(fact?.id ?? "", "Gate: 5");
  await facts.remember("6", { key: "Gate" });
  expect(await place.texts()).toEqual(["Gate: 6"]);
});

test("FACT-24: a text that begins with a key is under it, before and after the key was given", async () => {
  const place = new Clocked();
  const { facts } = place.retain;
  await facts.remember("Deploy day: Tuesdays");
  await facts.remember("Wednesdays", { key: "deploy day" });
  expect(await place.texts()).toEqual(["deploy day: Wednesdays"]);
  await facts.remember("Deploy day: Mondays, after the backup");
  await facts.remember("Fridays", { key: "Deploy day" });
  await facts.remember("Lunch: soup");
  await facts.remember("Lunch: bread");
  expect(await place.texts()).toEqual(["Deploy day: Fridays", "Lunch: soup", "Lunch: bread"]);
});

test("FACT-24: a project's key takes precedence over the same key at home", async () => {
  const place = new Clocked(besideHome(["--key", "Gate", "4"]));
  const { facts } = place.retain;
  await facts.remember("5", { key: "Gate", scope: "project" });
  await facts.retain([{ content: "6", key: "Gate" }], { session: null, message: null });
  expect(await placed(place)).toEqual([
    ["Gate: 6", "project"],
    ["Gate: 4", "home"],
  ]);
});

test("FACT-24: a project with its own memory replaces nothing at home", async () => {
  const sandbox = besideHome(["--key", "Gate", "4"]);
  const place = new Clocked(sandbox, { local_scoping: "per-project" });
  await place.retain.facts.retain([{ content: "6", key: "Gate" }], { session: null, message: null });
  expect(await place.texts()).toEqual(["Gate: 6"]);
  expect(readFileSync(path(place, "MEMORY.md"), "utf8")).toContain("- Gate: 4\n");
});

test("FACT-25: an item without text ends facts of home and project alike", async () => {
  const place = new Clocked(besideHome(["The user likes tea."]));
  const { facts } = place.retain;
  await facts.remember("The build uses make.");
  const replaces = (await facts.list()).map(({ id }) => id);
  const { ended, unknown } = await facts.retain([{ content: "", replaces }], {
    session: null,
    message: null,
  });
  expect([ended.length, unknown]).toEqual([2, []]);
  expect(await place.texts()).toEqual([]);
});

test("LEARN-9: an unconfirmed fact is saved next to the fact with its key", async () => {
  const place = new Clocked(besideHome());
  await place.find("The user's gate is 4.", { key: "Gate" });
  await place.find("Gate: 5", { key: "Gate" });
  expect(await placed(place)).toEqual([["Gate: 5", "home"]]);
});

test("LEARN-3: a fact that replaced one at home is not written to the project when it is found again", async () => {
  const place = new Clocked(besideHome(["The deploy is on Tuesdays."]));
  const [old] = await place.retain.facts.list();
  const found = () => place.find("Deploys happen each Thursday.", { replaces: [old?.id ?? ""] });
  await found();
  await found();
  expect(await placed(place)).toEqual([["Deploys happen each Thursday.", "home"]]);
});
