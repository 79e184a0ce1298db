/**
 * Runs the tests and prints "N passed, N failed": first most files, then the files that start many processes, which would slow
 * the others down. Tests that need something this machine lacks are skipped with a reason;
 * RETAIN_REQUIRE_ALL=1 (set where everything is installed) turns a skip into a failure.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** More in parallel only slow each other down. */
const WORKERS = Math.min(4, availableParallelism());
const CROWDED = "test/fire";

/** A file system in memory makes flushing free, which saves an eighth of the time. */
const IN_MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 * 1024 ** 3;

function isRoomy(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize >= ENOUGH_BYTES;
}

/** Tests work here, so that even a killed test leaves nothing behind. */
const temporary = mkdtempSync(join(isRoomy(IN_MEMORY) ? IN_MEMORY : tmpdir(), "retain-tests-"));
process.on("SIGINT", () => rmSync(temporary, { recursive: true, force: true }));

const build = Bun.spawnSync([process.execPath, join(import.meta.dir, "build.ts")], { stderr: "inherit" });
if (build.exitCode !== 0) process.exit(1);

interface Counts {
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * By default, JavaScriptCore collects all garbage for nearly every new WebAssembly memory once eight exist. That takes 40 ms in a
 * process with many objects, and a worker runs a hundred test files.
 */
const RARE_COLLECTION = { BUN_JSC_maxNumWasmFastMemories: "100" };

async function run(args: readonly string[]): Promise<Counts> {
  const child = Bun.spawn([process.execPath, "test", "--timeout", "30000", ...args], {
    env: { ...process.env, ...RARE_COLLECTION, TMPDIR: temporary, RETAIN_TESTS_BUILT: "1" },
    stdout: "inherit",
    stderr: "pipe",
  });
  let report = "";
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    process.stderr.write(chunk);
    report += chunk;
  }
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(report)?.[1] ?? 0);
  const exitCode = await child.exited;
  return { exitCode, passed: count("pass"), failed: count("fail"), skipped: count("skip") };
}

const named = process.argv.slice(2);
const sideBySide = [`--parallel=${WORKERS}`, "--no-isolate"];
const runs =
  named.length > 0
    ? [await run(named)]
    : [
        await run([...sideBySide, "--path-ignore-patterns", `${CROWDED}/**`]),
        await run([...sideBySide, CROWDED]),
      ];
rmSync(temporary, { recursive: true, force: true });

const sum = (of: (counts: Counts) => number) => runs.reduce((total, counts) => total + of(counts), 0);
const [passed, failed, skipped] = [
  sum((one) => one.passed),
  sum((one) => one.failed),
  sum((one) => one.skipped),
];
const required = process.env.RETAIN_REQUIRE_ALL === "1";
if (required && skipped > 0)
  console.error(`${skipped} tests were skipped, which RETAIN_REQUIRE_ALL=1 does not allow.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
const isBad = runs.some((one) => one.exitCode !== 0 || one.passed === 0);
process.exit(isBad || (required && skipped > 0) ? 1 : 0);
