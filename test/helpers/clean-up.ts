/**
 * What a test made is taken away after it. Loaded before all test files (bunfig.toml): a hook in a module that they share
 * would be set up for the first of them alone.
 */
import { afterEach } from "bun:test";

const left: (() => unknown)[] = [];

/** Done after the test that is running, whatever became of it; what was asked for last comes first. */
export function afterThisTest(work: () => unknown): void {
  left.push(work);
}

afterEach(async () => {
  const failures: unknown[] = [];
  for (const work of left.splice(0).reverse()) {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
});
