import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Embedder } from "../../src/core/ports/documents.ts";
import { sensesOf } from "../../src/core/senses.ts";
import { recall } from "../../src/recall/recall.ts";
import { WEIGHTS, weightsFor } from "../../src/recall/weights.ts";
import { SqliteCare } from "../../src/sqlite/database/care.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { Store } from "../helpers/store.ts";

const DIMENSIONS = 128;

/** All texts have the same vector; the sense of a word depends on its letters alone. */
function reader(model = "reader"): Embedder {
  return {
    model,
    embed: async (texts) =>
      texts.map((text) => {
        const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
        const tokens = words.flatMap((word) => {
          const halves = [word, `${word}.`].map((half) =>
            Bun.hash.xxHash64(half).toString(2).padStart(64, "0"),
          );
          return [...halves.join("")].map((bit) => (bit === "1" ? 1 : -1));
        });
        const vector = new Float32Array(DIMENSIONS);
        vector[0] = 1;
        return { vector, senses: sensesOf(Float32Array.from(tokens), DIMENSIONS) };
      }),
    close() {},
  };
}

async function filled(embedder = reader()): Promise<Store> {
  const store = new Store([embedder]);
  await store.put(
    { text: "The heron stands in the river.", source: "heron" },
    { text: "The lantern hangs in the hall.", source: "lantern" },
    { text: "The violin is in the attic.", source: "violin" },
  );
  await store.embed();
  return store;
}

function rows(store: Store, table: string): number {
  return store.database.read(0, (database) => {
    const [[count]] = database.query(`SELECT count(*) FROM ${table}`).values() as [[number]];
    return count;
  });
}

test("SEARCH-1: of texts with the same vector, the one with the words' senses comes first, and says so", async () => {
  const store = await filled();
  const { hits } = await recall(store.ports, {
    ...{ query: "lantern hall", mode: "semantic", limit: 3, filter: {} },
  });
  expect(hits[0]?.source).toBe("lantern");
  const [first = 0, second = 0] = hits.map(
    ({ parts }) => parts.find(({ name }) => name === "senses")?.value ?? 0,
  );
  expect(first).toBeGreaterThan(second);
  for (const { score, parts } of hits)
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 6);
});

test("a text without senses is still found, and neither gains nor loses", async () => {
  const store = await filled();
  await store.put({ text: "The lantern in the hall is broken.", source: "new" });
  const { hits } = await recall(store.ports, {
    ...{ query: "lantern hall", mode: "both", limit: 4, filter: {} },
  });
  const added = hits.find(({ source }) => source === "new");
  expect(added?.parts.some(({ name }) => name === "senses")).toBe(false);
});

test("SEARCH-5: MiniLM can't read Chinese, so a question with some of it is not compared word by word", () => {
  const sensesFor = (query: string, model = "minilm-l6-v2") => weightsFor(query, model, WEIGHTS).senses;
  expect(sensesFor("Which tea?")).toBe(WEIGHTS.senses);
  expect(sensesFor("Which 茶 does he drink?")).toBe(0);
  expect(sensesFor("他喝什么茶?")).toBe(0);
  expect(sensesFor("他喝什么茶?", "bge-m3@localhost")).toBe(WEIGHTS.senses);
});

test("senses come and go with their text; an identical text gets a copy", async () => {
  const store = await filled();
  expect(rows(store, "senses")).toBe(3);
  await store.put({ text: "The heron stands in the river.", source: "twin" });
  expect(rows(store, "pending")).toBe(0);
  expect(rows(store, "senses")).toBe(4);
  await store.database.exclusively(() => store.index.remove({ kind: "fact", source: "heron" }));
  expect(rows(store, "senses")).toBe(3);
  expect(new SqliteCare(store.database).check().problems).toEqual([]);
});

test("FORMAT-1: an index without senses keeps its vectors, and MiniLM reads its texts again", async () => {
  for (const [model, waiting] of [
    ["minilm-l6-v2", 3],
    ["nomic@localhost", 0],
  ] as const) {
    const store = await filled(reader(model));
    const path = join(store.directory, "retain.db");
    store.database.read(null, (database) => {
      database.run("DROP TABLE senses");
      database.run("PRAGMA user_version = 12");
      return null;
    });
    store.database.close();
    const again = new WorkspaceDatabase(
      path,
      () => {},
      (message) => store.warnings.push(message),
    );
    await again.derive(() => {});
    const count = (table: string) =>
      again.read([], (database) => database.query(`SELECT count(*) FROM ${table}`).values().flat());
    expect([model, ...count("vectors"), ...count("senses"), ...count("pending")]).toEqual([
      model,
      ...[3, 0, waiting],
    ]);
    again.close();
  }
});
