/** A fact comes before older messages about the same. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("RECALL-6: a fact ranks before an older message that says something similar, not before others", async () => {
  const sandbox = new Sandbox();
  let now = new Date("2026-03-02T09:00:00Z");
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home },
    env: { RETAIN_EMBEDDING: "none" },
    clock: () => now,
  });
  afterThisTest(() => retain.close());
  const say = (content: string) =>
    retain.facts.writeTurns({
      session: "s",
      from: 0,
      turns: [{ role: "user", content, at: now.toISOString() }],
    });
  await say("The deploy is on Mondays, the deploy of the shop.");
  now = new Date("2026-03-09T09:00:00Z");
  await retain.facts.ingest("I see.\n[MEMORY] The deploy of the shop is on Fridays.", { session: "t" });
  const kinds = async (query: string) => (await retain.search(query)).hits.map(({ kind }) => kind);
  expect(await kinds("when is the deploy of the shop on?")).toEqual(["fact", "message"]);
});
