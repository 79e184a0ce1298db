/** Requests that arrive while earlier ones are stored. */
import { expect, test } from "bun:test";
import { Batches } from "../../src/serve/batches.ts";

interface Change {
  readonly name: string;
  readonly fails?: boolean;
}

function recorded() {
  const runs: string[][] = [];
  const batches = new Batches<Change>(
    async (all) => {
      runs.push(all.map(({ name }) => name));
      await Promise.resolve();
      return all.map(({ name, fails }) => (fails ? new Error(name) : null));
    },
    ({ name }) => [name],
  );
  return { runs, batches };
}

test("what arrives together is done together, in order; two changes of one thing never are", async () => {
  const { runs, batches } = recorded();
  await Promise.all(["a", "b", "c", "b", "d"].map((name) => batches.add({ name })));
  expect(runs).toEqual([
    ["a", "b", "c"],
    ["b", "d"],
  ]);
});

test("each request gets its own failure, and later ones still run", async () => {
  const { runs, batches } = recorded();
  const [first, second, third] = [{ name: "a" }, { name: "b", fails: true }, { name: "c" }].map((one) =>
    batches.add(one),
  );
  expect(second).rejects.toThrow("b");
  await Promise.all([first, third]);
  await batches.add({ name: "e" });
  expect(runs.flat()).toEqual(["a", "b", "c", "e"]);
});

test("work that fails as a whole fails for all of its requests only", async () => {
  let calls = 0;
  const batches = new Batches<string>(
    async (all) => {
      if (++calls === 1) throw new Error("disk");
      return all.map(() => null);
    },
    (name) => [name],
  );
  expect(batches.add("a")).rejects.toThrow("disk");
  await batches.add("b");
});
