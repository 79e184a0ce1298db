/** A few inputs per parser in the normal tests; 100,000 with `bun run fire`. */
import { expect, test } from "bun:test";
import { fuzz, TARGETS } from "./fuzz/parsers.ts";
import { report, sizeOf } from "./report.ts";

for (const target of TARGETS)
  test(`fuzz: any ${target.name} are parsed or rejected`, () => {
    const inputs = sizeOf("RETAIN_FIRE_INPUTS", 200);
    expect(fuzz(target, inputs)).toBe(inputs);
    report({ what: `fuzzed: ${target.name}`, runs: inputs, failures: 0 });
  }, 1_800_000);
