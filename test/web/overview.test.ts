/** Numbers about the memory on the page. */
import { expect, test } from "bun:test";
import { barsOf } from "../../src/web/overview/bars.ts";
import { conversation, said, talk } from "../helpers/conversations.ts";
import { WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { faults, openPage, testInBrowser } from "./browser.ts";

testInBrowser("WEB-16: the overview counts what the commands did, and follows further changes", async () => {
  const sandbox = new Sandbox();
  const env = WORDS_ALONE;
  const { page, errors } = await openPage({ sandbox, env, at: "/overview" });
  await page.getByRole("heading", { name: "Nothing learned yet" }).waitFor();
  expect(await faults(page)).toEqual([]);

  for (const text of ["The pump is a Jabsco", "The dinghy is red", "The anchor weighs nine kilos"])
    sandbox.ok(["remember", text], { env });
  sandbox.ok(["put", "-", "--id", "rigging"], { env, stdin: "# Rigging\n\nThe mast is twelve metres." });
  for (let times = 0; times < 2; times++) sandbox.ok(["recall", "dinghy"], { env });
  const context = [
    { name: "base", title: "Base instructions", tokens: 30 },
    { name: "memory", title: "Memory", tokens: 70, memories: ["fact 3f9a2xw0c1"] },
  ];
  await conversation(sandbox, [
    ...talk("What colour is the dinghy?"),
    said("tool", "red", { minute: 1 }),
    said("assistant", "Red.", { minute: 1, details: { context, model: "stand-in" } }),
  ]);

  const panel = (name: string) => page.getByRole("region", { name, exact: true });
  await panel("The last context").getByText("100 tokens").waitFor();
  const count = (name: string) =>
    page.locator("dl.counts > div", { hasText: name }).locator("dd").textContent();
  expect([await count("facts"), await count("documents"), await count("messages")]).toEqual(["3", "1", "2"]);
  expect(await panel("Learned by day").getByRole("table").getByRole("cell").allTextContents()).toEqual([
    "3",
    "0",
  ]);
  expect(await panel("Recalled most").getByRole("listitem").allTextContents()).toEqual([
    "The dinghy is red2×",
  ]);
  const never = panel("Never recalled");
  expect(await never.textContent()).toContain("3 facts and documents");
  expect((await never.getByRole("link").allTextContents()).toSorted()).toEqual([
    "Rigging",
    "The anchor weighs nine kilos",
    "The pump is a Jabsco",
  ]);
  expect(await panel("The last context").textContent()).toContain("70 tokens, 70%");
  expect(await panel("Health").textContent()).toContain("No incidents");
  expect(await panel("Background work").textContent()).toContain("Learning is off");
  expect(await panel("Where memory lives").textContent()).toContain(sandbox.memory);
  expect(await faults(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test("bars are days, weeks, months or years, up to today, and none of the facts is lost", () => {
  const learned = (...days: string[]) => days.map((day) => ({ day, facts: 2, unconfirmed: 1 }));
  const today = "2026-03-02";
  for (const [first, unit, count] of [
    ["2026-03-01", "day", 14],
    ["2026-02-01", "day", 30],
    ["2026-01-15", "week", 12],
    ["2025-03-31", "month", 13],
    ["2020-06-01", "year", 7],
  ] as const) {
    const { bars, ...found } = barsOf(learned(first, "2026-03-01"), today);
    expect([first, found.unit, bars.length]).toEqual([first, unit, count]);
    expect(bars.reduce((sum, bar) => sum + bar.facts + bar.unconfirmed, 0)).toBe(6);
    expect(today.startsWith(bars.at(-1)?.label.slice(0, 4) ?? "")).toBe(true);
  }
  expect(barsOf([], today).bars).toHaveLength(14);
});
