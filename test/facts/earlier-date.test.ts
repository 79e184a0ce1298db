/** Facts that are saved later than a known one, with an earlier date: as an import or a client does. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openRetain, type RetainItem } from "../../src/index.ts";
import { WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** Retains each as a call of its own, and returns [text, day of its end, what replaced it] of all facts. */
async function afterSaving(...items: RetainItem[]) {
  const sandbox = new Sandbox();
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: WORDS_ALONE });
  for (const item of items) await retain.facts.retain([{ trust: "stated", ...item }]);
  retain.close();
  const list = () => {
    const { facts } = sandbox.ok(["facts", "--all", "--json"]).json.data;
    const textOf = (id: string | null) => facts.find((fact: { id: string }) => fact.id === id)?.text ?? null;
    return facts
      .map((fact: { text: string; ended_at: string | null; superseded_by: string | null }) => [
        fact.text,
        fact.ended_at?.slice(0, 10) ?? null,
        textOf(fact.superseded_by),
      ])
      .sort();
  };
  const listed = list();
  rmSync(join(sandbox.memory, "retain.db"));
  expect(list()).toEqual(listed);
  return { sandbox, listed };
}

test("DEDUP-5: a fact with an earlier date never ends a later one, which has already replaced it", async () => {
  const zones = await afterSaving(
    { content: "Timezone: Europe/Madrid", at: "2026-10-01" },
    { content: "Timezone: Asia/Tokyo", at: "2026-03-01" },
  );
  expect(zones.listed).toEqual([
    ["Timezone: Asia/Tokyo", "2026-10-01", "Timezone: Europe/Madrid"],
    ["Timezone: Europe/Madrid", null, null],
  ]);
  expect(zones.sandbox.ok(["recall", "timezone"]).stdout).toContain("Madrid");
  expect(
    (
      await afterSaving(
        { content: "The red family car in our garage is 9 years old", at: "2026-05-01" },
        { content: "The red family car in our garage is 8 years old", at: "2025-05-01" },
      )
    ).listed,
  ).toEqual([
    [
      "The red family car in our garage is 8 years old",
      "2026-05-01",
      "The red family car in our garage is 9 years old",
    ],
    ["The red family car in our garage is 9 years old", null, null],
  ]);
  const keyed = [
    { content: "It is on Fridays", key: "Deploy day", at: "2026-05-01" },
    { content: "We ship on Mondays", key: "Deploy day", at: "2026-04-01" },
  ];
  expect((await afterSaving(...keyed)).listed).toEqual([
    ["Deploy day: It is on Fridays", null, null],
    ["Deploy day: We ship on Mondays", "2026-05-01", "Deploy day: It is on Fridays"],
  ]);
});

test("DEDUP-5: in the order of their dates, the later fact replaces the earlier one", async () => {
  const { listed } = await afterSaving(
    { content: "Timezone: Asia/Tokyo", at: "2026-03-01" },
    { content: "Timezone: Europe/Madrid", at: "2026-10-01" },
  );
  expect(listed).toEqual([
    ["Timezone: Asia/Tokyo", "2026-10-01", "Timezone: Europe/Madrid"],
    ["Timezone: Europe/Madrid", null, null],
  ]);
});

test("FACT-26: of two in doubt, the one with the later date may replace the other", async () => {
  const { sandbox } = await afterSaving(
    { content: "I drink coffee and tea", at: "2026-10-01" },
    { content: "I no longer drink coffee", at: "2026-03-01" },
  );
  expect(sandbox.ok(["review", "--json"]).json.data.pairs).toMatchObject([
    { older: { text: "I no longer drink coffee" }, newer: { text: "I drink coffee and tea" } },
  ]);
});

test("a fact's time must be a real one in ISO 8601", async () => {
  const sandbox = new Sandbox();
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: WORDS_ALONE });
  for (const at of ["last year", "2026-02-30T00:00:00Z", "2026-13-01", ""])
    expect(retain.facts.retain([{ content: "Deploys are on Tuesdays", at }])).rejects.toMatchObject({
      code: "usage",
    });
  expect(await retain.facts.list()).toEqual([]);
});
