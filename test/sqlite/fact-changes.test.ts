/** Long-lived processes on one database: each sees the others' changes, and forgotten facts leave no trace. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { factId } from "../../src/core/facts/fact-text.ts";
import { openRetain, type Retain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";

function processes(count: number) {
  const home = mkdtempSync(join(tmpdir(), "retain-fact-changes-"));
  const env = { RETAIN_HOME: home, RETAIN_EMBEDDING: "none" };
  const opened = Array.from({ length: count }, () => openRetain({ cwd: home, env }));
  afterThisTest(() => {
    for (const retain of opened) retain.close();
    rmSync(home, { recursive: true });
  });
  const texts = async (which: number) =>
    (await opened[which]?.facts.list())?.map(({ text }) => text).sort() ?? [];
  return { home, opened, texts };
}

test("FORGET-2: a reader sees all facts that other processes saved at its next read", async () => {
  const { opened, texts } = processes(3);
  const kept: string[] = [];
  for (const count of [1, 3, 120, 2]) {
    for (let number = 0; number < count; number++) {
      const text = `Room ${kept.length} belongs to person ${kept.length * 7}`;
      await opened[number % 2]?.facts.remember(text);
      kept.push(text);
    }
    expect(await texts(2)).toEqual(kept.toSorted());
  }
});

test("FORGET-2: other processes drop a forgotten fact, and its id is nowhere", async () => {
  const { home, opened, texts } = processes(2);
  const [first, second] = opened;
  await first?.facts.remember("Likes tea");
  await first?.facts.remember("Has a parrot called Coco");
  await second?.facts.remember("Lives in Oslo");
  expect(await texts(0)).toEqual(["Has a parrot called Coco", "Likes tea", "Lives in Oslo"]);
  const id = factId("Has a parrot called Coco", null);
  await first?.facts.forget(id);
  expect(await texts(1)).toEqual(["Likes tea", "Lives in Oslo"]);
  const database = new Database(join(home, "retain.db"), { readonly: true });
  afterThisTest(() => database.close());
  expect(JSON.stringify(database.query("SELECT * FROM state").all())).not.toContain(id);
});

test("FORGET-2: after one process clears the memory, another doesn't use its cache", async () => {
  const { opened, texts } = processes(2);
  const [first, second] = opened;
  for (const text of ["Likes tea", "Lives in Oslo"]) await second?.facts.remember(text);
  await first?.clearWorkspace();
  expect(await texts(1)).toEqual([]);
  await second?.facts.remember("Likes tea");
  for (const which of [0, 1]) expect(await texts(which)).toEqual(["Likes tea"]);
});

test("FACT-5: the next process doesn't reimport facts that were just written", async () => {
  const { home, opened } = processes(1);
  await opened[0]?.facts.remember("Likes tea");
  await opened[0]?.facts.remember("Lives in Oslo");
  const database = new Database(join(home, "retain.db"));
  afterThisTest(() => database.close());
  database.run("UPDATE facts SET category = 'of the row' WHERE fact = 'Likes tea'");
  using next = openRetain({ cwd: home, env: { RETAIN_HOME: home, RETAIN_EMBEDDING: "none" } });
  const categories = (await next.facts.list()).map(({ category }) => category);
  expect(categories).toEqual(["of the row", "general"]);
});

test("FACT-5: an edit of such a file in the same clock tick is seen at once", async () => {
  const { home, opened } = processes(1);
  const retain = opened[0] as Retain;
  const file = join(home, "memories/MEMORY.md");
  const shelves = Array.from({ length: 400 }, (_, at) => `- Shelf ${at} holds ${"box ".repeat(12)}${at}\n`);
  mkdirSync(dirname(file));
  writeFileSync(file, shelves.join(""));
  for (let round = 100; round < 140; round++) {
    await retain.facts.remember(`Person ${round} has a red door`);
    const content = readFileSync(file, "utf8");
    writeFileSync(file, content.replace(`Person ${round} has a red`, `Person ${round} has a tin`));
    const texts = (await retain.facts.list()).map(({ text }) => text);
    expect(texts).toContain(`Person ${round} has a tin door`);
    expect(texts).not.toContain(`Person ${round} has a red door`);
  }
});
