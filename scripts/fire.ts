/**
 * The long version of the tests: property tests with new cases, fuzzed parsers, every system call of every writing command failing
 * once, and killed writers. Prints the table of docs/reliability.md at the end.
 *
 *   bun run fire                                    everything, with 100,000 inputs per parser and 1,000 kills
 *   bun run fire --inputs 5000 --rounds 100         smaller sizes
 *   bun run fire test/fire/kill.test.ts             single files
 *   bun run fire test/fire/io-faults.test.ts -t "'learn'"   tests of this name
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Row } from "../test/fire/report.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: "string", default: "100000" },
    rounds: { type: "string", default: "1000" },
    "test-name-pattern": { type: "string", short: "t", default: "" },
  },
});

const temporary = mkdtempSync(join(tmpdir(), "retain-fire-"));
const file = join(temporary, "report.jsonl");
const command = [process.execPath, "test", "--timeout", "60000", ...positionals];
if (values["test-name-pattern"] !== "") command.push("-t", values["test-name-pattern"]);
const { exitCode } = Bun.spawnSync(command, {
  env: {
    ...process.env,
    RETAIN_FIRE: "1",
    RETAIN_SEED: process.env.RETAIN_SEED ?? "random",
    RETAIN_FIRE_INPUTS: values.inputs,
    RETAIN_FIRE_ROUNDS: values.rounds,
    RETAIN_FIRE_REPORT: file,
  },
  stdout: "inherit",
  stderr: "inherit",
});
const rows: Row[] = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];
rmSync(temporary, { recursive: true, force: true });

const shown = (count: number | undefined) => count?.toLocaleString("en") ?? "";
console.log("\n| test | runs | acknowledged | lost | failures |\n|---|---:|---:|---:|---:|");
for (const { what, runs, acknowledged, lost, failures } of rows)
  console.log(`| ${[what, ...[runs, acknowledged, lost, failures].map(shown)].join(" | ")} |`);
process.exit(exitCode);
