/** Items that the server doesn't take, or takes and then fails to process. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { document, item, question } from "../contract/backend.ts";
import { flush, HindsightKit } from "./hindsight-kit.ts";

/** Longer than any pause. */
const LATER_MS = 700_000;

function openOperations(kit: HindsightKit): string[] {
  return readdirSync(join(kit.directory, "operations"));
}

function stored(kit: HindsightKit): string[] {
  return [...kit.bank().documents.values()].map(({ content }) => content);
}

test("HIND-11: 'accepted 0 of 1' is retried after a pause, with one notice, while other items are sent", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.takes = 0;
  await backend.retain([item("Herons wade")]);
  await flush(backend);
  await flush(backend);
  expect(await backend.status()).toMatchObject({
    waiting: 1,
    stuck: [],
    problem: expect.stringContaining("0 of 1"),
  });
  expect(kit.notices).toEqual([expect.stringContaining("accepted 0 of 1")]);
  kit.server.takes = 16;
  await backend.retain([item("Terns dive")]);
  await flush(backend);
  expect(stored(kit)).toEqual(["Terns dive"]);
  kit.time.now += LATER_MS;
  await flush(backend);
  expect(stored(kit).sort()).toEqual(["Herons wade", "Terns dive"]);
  expect(await backend.status()).toMatchObject({ waiting: 0, problem: null });
});

test("HIND-11: an item that is never taken is set aside as refused after six tries, and --send tries it again", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.takes = 0;
  await backend.retain([item("Herons wade")]);
  for (let tries = 1; tries <= 6; tries++) {
    expect(await backend.status()).toMatchObject({ waiting: 1, stuck: [] });
    await flush(backend);
    kit.time.now += LATER_MS;
  }
  expect(await backend.status()).toMatchObject({
    waiting: 0,
    stuck: [{ text: "Herons wade", why: expect.stringContaining("0 of 1") }],
  });
  kit.server.takes = 16;
  await backend.retry(new AbortController().signal);
  expect(stored(kit)).toEqual(["Herons wade"]);
});

test("HIND-11: an operation that fails later is noticed by another process, and its item is sent again", async () => {
  const kit = await HindsightKit.start();
  kit.server.isLearning = true;
  const first = kit.open();
  await first.retain([item("Herons wade")]);
  await flush(first);
  kit.time.now += LATER_MS;
  await flush(first);
  expect([stored(kit), openOperations(kit).length]).toEqual([[], 1]);
  first.close();
  kit.server.fails = "the model timed out";
  kit.server.learn();
  const second = kit.open({ self: "here:2", isGone: () => true });
  kit.time.now += LATER_MS;
  await flush(second);
  expect(kit.notices).toEqual([expect.stringContaining("the model timed out")]);
  expect(await second.status()).toMatchObject({ waiting: 1 });
  expect(second.recallWaiting(question("herons wade")).map(({ text }) => text)).toEqual(["Herons wade"]);
  kit.server.fails = null;
  kit.time.now += LATER_MS;
  await flush(second);
  expect(stored(kit)).toEqual(["Herons wade"]);
  kit.time.now += LATER_MS;
  await flush(second);
  expect([openOperations(kit), (await second.status()).waiting]).toEqual([[], 0]);
});

test("HIND-11: a failed operation brings back neither a forgotten item nor an older version", async () => {
  const kit = await HindsightKit.start();
  kit.server.fails = "out of memory";
  const backend = kit.open();
  const { queued } = await backend.retain([item("The door code is blue")]);
  await backend.documents.put(document("plan", "Old plan"));
  await flush(backend);
  kit.server.fails = null;
  await backend.documents.put(document("plan", "New plan"));
  await flush(backend);
  expect(await backend.forget(queued[0]?.id ?? "")).toBe(true);
  await flush(backend);
  kit.time.now += LATER_MS;
  await flush(backend);
  expect([stored(kit), (await backend.status()).waiting, openOperations(kit)]).toEqual([["New plan"], 0, []]);
});
