/** Embedding of new memories while no client waits. */
import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { openRetain } from "../../src/app.ts";
import { CatchUp } from "../../src/util/catch-up.ts";
import { Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";

test("memories that a client writes are embedded without a search", async () => {
  const sandbox = new Sandbox(WITH_MEANING);
  const { client } = await overPipes(sandbox);
  await client.callTool({
    name: "retain",
    arguments: { items: [{ content: "The deploy runs on Fridays." }] },
  });
  await client.callTool({ name: "memory_put", arguments: { content: "# Plan\n\nFirst this.", id: "plan" } });
  const counts = async () => {
    using retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home });
    return (await retain.index.check()).counts;
  };
  let now = await counts();
  while (now.waiting > 0 || now.vectors === 0) now = await counts();
  expect(now).toMatchObject({ facts: 1, documents: 1, waiting: 0 });
});

test("consecutive writes share one run, and a failed run doesn't block later ones", async () => {
  const runs: ((error?: Error) => void)[] = [];
  const reported: unknown[] = [];
  const embed = () =>
    new Promise<void>((resolve, reject) =>
      runs.push((error) => (error === undefined ? resolve() : reject(error))),
    );
  const catchUp = new CatchUp(
    embed,
    (error) => reported.push(error),
    () => setImmediate(),
  );
  const until = async (count: number) => {
    while (runs.length < count) await setImmediate();
  };
  for (let write = 0; write < 5; write++) catchUp.wrote();
  await until(1);
  catchUp.wrote();
  catchUp.wrote();
  runs[0]?.(new Error("no model"));
  await until(2);
  expect(reported).toMatchObject([{ message: "no model" }]);
  catchUp.stop();
  catchUp.wrote();
  runs[1]?.();
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(runs).toHaveLength(2);
});

test("embedding waits until a client pauses its writes, but not forever", async () => {
  let runs = 0;
  const moments: (() => void)[] = [];
  const catchUp = new CatchUp(
    async () => {
      runs++;
    },
    () => {},
    () => new Promise<void>((resolve) => moments.push(resolve)),
  );
  const pass = async () => {
    moments.shift()?.();
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
  const goOnWriting = async () => {
    catchUp.wrote();
    await pass();
  };
  catchUp.wrote();
  for (let write = 0; write < 5; write++) await goOnWriting();
  expect(runs).toBe(0);
  await pass();
  expect([runs, moments.length]).toEqual([1, 0]);
  catchUp.wrote();
  for (let write = 0; write < 100 && runs === 1; write++) await goOnWriting();
  expect(runs).toBe(2);
  catchUp.stop();
});
