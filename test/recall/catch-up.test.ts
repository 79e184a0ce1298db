import { expect, test } from "bun:test";
import { search } from "../../src/recall/search.ts";
import { letters, NOW, Store } from "../helpers/store.ts";

test("VEC-5: the warning about pending chunks appears once, however many questions are asked", async () => {
  const store = new Store([letters]);
  await store.put({ text: "These words wait." });
  await store.queue(2).take(10, NOW, true);
  const { ports } = store;
  for (const question of ["words", "wait", "these"]) await search(ports, question, {});
  expect(store.warnings).toEqual([expect.stringContaining("1 chunk is not embedded yet")]);
});
