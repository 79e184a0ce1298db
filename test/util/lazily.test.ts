import { expect, test } from "bun:test";
import { lazily } from "../../src/util/lazily.ts";

test("a lazy object loads at a call, passes arguments and errors on, and can be awaited", async () => {
  let loads = 0;
  const lazy = lazily(async () => {
    loads++;
    return {
      async sum(a: number, b: number) {
        return a + b;
      },
      async fail() {
        throw new RangeError("no");
      },
    };
  });
  expect(await Promise.resolve(lazy)).toBe(lazy);
  expect(loads).toBe(0);
  expect([await lazy.sum(1, 2), loads]).toEqual([3, 1]);
  await expect(lazy.fail()).rejects.toThrow(RangeError);
});
