/**
 * Runs the tests and closes with "N passed, N failed". Tests that need what this machine lacks skip with a sentence;
 * RETAIN_REQUIRE_ALL=1 (set where everything is installed) turns a skip into a failure.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** Tests work here, so that also of one that is killed nothing is left. */
const temporary = mkdtempSync(join(tmpdir(), "retain-tests-"));
process.on("SIGINT", () => rmSync(temporary, { recursive: true, force: true }));

/** Files run side by side: most tests wait for processes of their own. More at once only make each other late. */
const WORKERS = Math.min(4, availableParallelism());
const build = Bun.spawnSync([process.execPath, join(import.meta.dir, "build.ts")], { stderr: "inherit" });
if (build.exitCode !== 0) process.exit(1);

const how = ["--timeout", "30000", `--parallel=${WORKERS}`, "--no-isolate"];
const child = Bun.spawn([process.execPath, "test", ...how, ...process.argv.slice(2)], {
  env: { ...process.env, TMPDIR: temporary, RETAIN_TESTS_BUILT: "1" },
  stdout: "inherit",
  stderr: "pipe",
});
let report = "";
for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
  process.stderr.write(chunk);
  report += chunk;
}
const exitCode = await child.exited;
rmSync(temporary, { recursive: true, force: true });

const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(report)?.[1] ?? 0);
const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip")];
const required = process.env.RETAIN_REQUIRE_ALL === "1";
if (required && skipped > 0)
  console.error(`${skipped} tests were skipped, and RETAIN_REQUIRE_ALL=1 forbids that.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(exitCode !== 0 || (required && skipped > 0) || passed === 0 ? 1 : 0);
