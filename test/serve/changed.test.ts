/** When the API tells a bank that it wrote. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/index.ts";
import { MEMORY_ROUTES } from "../../src/serve/api/memories.ts";
import { Query } from "../../src/serve/api/query.ts";
import { type Bank, Banks } from "../../src/serve/banks.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("a bank catches up after a memory was changed, not before", async () => {
  const sandbox = new Sandbox();
  const home = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
  });
  const banks = new Banks(home, () => {});
  afterThisTest(async () => {
    await banks.close();
    home.close();
  });
  const [patch] = MEMORY_ROUTES.filter(({ method }) => method === "PATCH");
  await banks.use("team", async (bank) => {
    const { facts } = bank.retain;
    await facts.remember("Lunch is at noon");
    const [fact] = await facts.list();
    const seen: Promise<string[]>[] = [];
    const wrote = () => seen.push(facts.list().then((all) => all.map(({ text }) => text)));
    const watched = { use: (_: string, work: (bank: Bank) => unknown) => work({ ...bank, wrote }) };
    await patch?.run({
      ...{ params: { bank_id: "team", memory_id: fact?.id ?? "" }, query: new Query(new URLSearchParams()) },
      ...{ body: { text: "Lunch is at one" }, signal: new AbortController().signal },
      ...{ banks: watched as unknown as Banks, version: "", uptime: 0 },
    });
    expect(await Promise.all(seen)).toEqual([["Lunch is at one"]]);
  });
});
