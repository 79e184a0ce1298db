/** A few texts for every reader in the ordinary tests; `bun run fire` reads 100,000 for each. */
import { expect, test } from "bun:test";
import { fuzz, TARGETS } from "./fuzz/parsers.ts";
import "../helpers/seed.ts";

for (const target of TARGETS)
  test(`fuzz: ${target.name} are read or refused, whatever they hold`, () => {
    expect(fuzz(target, 300)).toBeGreaterThan(0);
  });
