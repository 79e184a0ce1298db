/** Documents, facts and notes as one list. */
import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain, type Retain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** Each look at the clock is a minute later. */
function opened(sandbox: Sandbox, cwd = sandbox.work): Retain {
  let minute = 0;
  const retain = openRetain({
    ...{ cwd, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
    clock: () => new Date(Date.UTC(2026, 0, 1, 12, minute++)),
  });
  afterThisTest(() => retain.close());
  return retain;
}

const names = (items: readonly { title: string | null; text: string }[]) =>
  items.map(({ title, text }) => title ?? text);

test("pages of the list join to the whole list, newest first, and a change appears in it", async () => {
  const sandbox = new Sandbox();
  const retain = opened(sandbox);
  for (let at = 0; at < 7; at++) {
    await retain.documents.put({ content: `# Plan ${at}\n\nStep ${at}.`, tags: at % 2 ? ["odd"] : [] });
    await retain.facts.remember(`Shelf ${at} holds ${at * 11} jars`, { tags: at % 2 ? ["odd"] : [] });
  }
  const whole = await retain.memories.page();
  expect(whole.total).toBe(14);
  expect(names(whole.items).slice(0, 2).sort()).toEqual(["Plan 6", "Shelf 6 holds 66 jars"]);
  const joined = [];
  for (let offset = 0; offset < 14; offset += 4)
    joined.push(...(await retain.memories.page({ offset, limit: 4 })).items);
  expect(joined).toEqual(whole.items);
  expect(await retain.memories.page({ offset: 20 })).toEqual({ total: 14, items: [] });

  const tagged = await retain.memories.page({ tags: ["Odd"] });
  expect(tagged.total).toBe(6);
  expect(await retain.memories.filters()).toEqual({
    collections: [{ name: "memory", count: 7 }],
    tags: [{ name: "odd", count: 6 }],
  });

  mkdirSync(join(sandbox.memory, "collections/garden"), { recursive: true });
  writeFileSync(join(sandbox.memory, "collections/garden/beds.md"), "<private>Only for me.</private>\n");
  appendFileSync(join(sandbox.memory, "memories/MEMORY.md"), "- The ladder is in the shed\n");
  expect((await retain.memories.page()).total).toBe(16);
  const garden = await retain.memories.page({ collection: "garden" });
  expect(garden.items).toMatchObject([{ kind: "document", collection: "garden", id: "beds", text: "" }]);
});

test("the list is filtered by kind, status, words, dates and origin", async () => {
  const sandbox = new Sandbox();
  const project = sandbox.ok(["init"]) && sandbox.work;
  const retain = opened(sandbox, project);
  await retain.facts.remember("Deploys run on Mondays", { key: "Deploy day", scope: "project" });
  await retain.facts.remember("Deploys run on Tuesdays", { key: "Deploy day", scope: "project" });
  await retain.facts.remember("Drinks green tea", { scope: "global" });
  await retain.facts.log("Release: shipped the build");
  await retain.documents.put({
    content: "# Runbook\n\nRestart the queue.",
    metadata: { date: "2024-05-01" },
  });
  const list = async (options: Parameters<Retain["memories"]["page"]>[0]) =>
    names((await retain.memories.page(options)).items);
  expect(await list({ kinds: ["note"] })).toEqual(["Release"]);
  expect(await list({ kinds: ["fact"], origin: "home" })).toEqual(["Drinks green tea"]);
  expect(await list({ status: "ended" })).toEqual(["Deploy day: Deploys run on Mondays"]);
  expect(await list({ status: "ended", words: "mondays deploys" })).toHaveLength(1);
  expect(await list({ status: "ended", words: "tuesdays" })).toEqual([]);
  expect(await list({ status: "unconfirmed" })).toEqual([]);
  expect(await list({ until: "2024-12" })).toEqual(["Runbook"]);
  expect(retain.memories.page({ since: "someday or other" })).rejects.toThrow("someday");
});
