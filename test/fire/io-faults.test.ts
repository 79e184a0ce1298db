/** A few failing calls of some verbs in the ordinary tests; every call of every verb with `bun run fire`. */
import { expect } from "bun:test";
import { testNeeding } from "../helpers/needs.ts";
import { failCalls, VERBS } from "./io-faults.ts";
import { report } from "./report.ts";

const SAMPLE = ["put over another", "delete", "remember", "config set"];
/** Of these, every so many calls one. */
const STEP = 23;

const verbs = VERBS.filter(({ name }) => process.env.RETAIN_FIRE || SAMPLE.includes(name));
for (const [index, verb] of verbs.entries())
  testNeeding("strace")(
    `DUR-13: a call of '${verb.name}' that fails loses nothing, is told as it is, and stops no later command`,
    () => {
      const { runs, faults } = failCalls(verb, process.env.RETAIN_FIRE ? 1 : STEP, index * 5 + 3);
      report({
        what: `failing calls: ${verb.name}`,
        runs,
        acknowledged: runs * 3,
        lost: lostIn(faults),
        failures: faults.length,
      });
      expect(faults).toEqual([]);
    },
    600_000,
  );

function lostIn(faults: readonly string[]): number {
  return faults.filter((fault) => fault.includes(": lost ")).length;
}
