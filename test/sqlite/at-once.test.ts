import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { Store } from "../helpers/store.ts";

const texts = ({ database }: Pick<Store, "database">) =>
  database.read(0, (open) => (open.query("SELECT count(*) FROM chunks").values() as [[number]])[0][0]);

test("reads at once see one state, whatever another process writes meanwhile", async () => {
  const store = new Store();
  await store.put({ text: "The heron stands in the river.", source: "heron" });
  const other = new WorkspaceDatabase(
    join(store.directory, "retain.db"),
    () => {},
    () => {},
  );
  const [before, during] = store.database.atOnce(() => {
    const first = texts(store);
    other.tryDerive((database) => database.run("DELETE FROM chunks"));
    return [first, texts(store)];
  });
  expect([before, during, texts(store)]).toEqual([1, 1, 0]);
  other.close();
});

test("after reading at once, even if it throws, this process can write again", async () => {
  const store = new Store();
  await store.put({ text: "The heron stands in the river.", source: "heron" });
  expect(() =>
    store.database.atOnce(() => {
      throw new Error("no");
    }),
  ).toThrow("no");
  await store.put({ text: "The lantern hangs in the hall.", source: "lantern" });
  expect(texts(store)).toBe(2);
});

test("a deleted database is noticed before reading at once, and reading at once while writing sees what was written", async () => {
  const store = new Store();
  await store.put({ text: "The heron stands in the river.", source: "heron" });
  await store.database.transaction((database) => {
    database.run("DELETE FROM chunks");
    expect(store.database.atOnce(() => texts(store))).toBe(0);
  });
  rmSync(join(store.directory, "retain.db"));
  expect(store.database.atOnce(() => texts(store))).toBe(0);
  await store.put({ text: "The lantern hangs in the hall.", source: "lantern" });
  expect(texts(store)).toBe(1);
});

test("a database that is closed while reading at once, as a damaged one is, is opened again", async () => {
  const store = new Store();
  await store.put({ text: "The heron stands in the river.", source: "heron" });
  const counts = store.database.atOnce(() => {
    store.database.close();
    return [texts(store), texts(store)];
  });
  expect(counts).toEqual([1, 1]);
  await store.put({ text: "The lantern hangs in the hall.", source: "lantern" });
  expect(texts(store)).toBe(2);
});
