/**
 * What a test made is taken away after it. Loaded before all test files (bunfig.toml): a hook in a module that they share
 * would be set up for the first of them alone.
 */
import { afterEach } from "bun:test";
import { existsSync, readdirSync, readlinkSync, watch } from "node:fs";

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
  const before = watching;
  watching = inotifyInstances();
  if (failures.length > 0) throw failures[0];
  if (watching > before)
    throw new Error(`This test left ${watching - before} watchers open: close each memory that it opens.`);
});

/**
 * A user has 128 inotify instances by default, and one process runs many test files. Bun opens one for the first `fs.watch` and
 * keeps it, so it is opened here, before the first count.
 */
const DESCRIPTORS = "/proc/self/fd";
try {
  if (existsSync(DESCRIPTORS)) watch(import.meta.dir, () => {}).close();
} catch {
  // The limit is reached already: tests that need no watcher still run.
}
let watching = inotifyInstances();

function inotifyInstances(): number {
  if (!existsSync(DESCRIPTORS)) return 0;
  return readdirSync(DESCRIPTORS).filter((descriptor) => isInotify(`${DESCRIPTORS}/${descriptor}`)).length;
}

/** The descriptor that lists the directory is gone by now. */
function isInotify(path: string): boolean {
  try {
    return readlinkSync(path) === "anon_inode:inotify";
  } catch {
    return false;
  }
}
