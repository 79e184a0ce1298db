import { expect, test } from "bun:test";
import { OffBackend } from "../../src/backends/off.ts";
import { document, episode, item } from "../contract/backend.ts";

test("OFF-3: with memory off each item says why it is not stored, and everything is empty", async () => {
  const off = new OffBackend();
  const { stored, queued, known, failed } = await off.retain([item("one"), item("two")]);
  expect([stored, queued, known]).toEqual([[], [], []]);
  expect(failed).toEqual(["one", "two"].map((text) => ({ text, why: "memory.backend is off." })));
  expect(await off.recall()).toEqual([]);
  expect(await off.forget()).toBe(false);
  expect(await off.documents.get(document("a", "b"))).toBeNull();
  expect([await off.documents.list(), await off.sessions.list()]).toEqual([[], []]);
  expect(await off.documents.remove(document("a", "b"))).toBe(false);
  await off.sessions.remove("s");
  expect(await off.sessions.get("s")).toBeNull();
  expect(await off.status()).toMatchObject({ name: "off", waiting: 0, problem: null });
  expect(await off.empty()).toEqual({ done: [], left: [] });
});

test("OFF-3: with memory off, storing a document or conversation fails, since it would be lost", async () => {
  const off = new OffBackend();
  const refusal = { code: "read_only", message: expect.stringContaining("memory.backend is off") };
  expect(await off.documents.put(document("a", "b")).catch((error) => error)).toMatchObject(refusal);
  expect(await off.sessions.keep(episode("s", ["x"])).catch((error) => error)).toMatchObject(refusal);
});
