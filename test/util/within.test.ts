import { expect, test } from "bun:test";
import { within } from "../../src/util/within.ts";

const NEVER = new Promise<never>(() => {});

test("work that finishes in time returns or throws, and `late` is not called", async () => {
  let late = 0;
  const count = () => ++late;
  expect(await within(0, Promise.resolve("done"), count)).toBe("done");
  await expect(within(0, Promise.reject(new Error("no")), count)).rejects.toThrow("no");
  await Bun.sleep(5);
  expect(late).toBe(0);
});

test("on timeout the result is the caller's, and a later failure of the work is ignored", async () => {
  expect(await within(1, NEVER, () => "late")).toBe("late");
  const failure = await within(1, NEVER, () => {
    throw new Error("too long");
  }).catch((error: unknown) => error);
  expect(failure).toEqual(new Error("too long"));
  const { promise, reject } = Promise.withResolvers<never>();
  expect(await within(1, promise, () => null)).toBeNull();
  reject(new Error("unheard"));
  await Bun.sleep(0);
});
