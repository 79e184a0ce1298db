/** A few failing calls of some commands in the normal tests; every call of every command with `bun run fire`. */
import { expect, test } from "bun:test";
import { EFFECTS } from "../../src/core/command-effects.ts";
import { testNeeding } from "../helpers/needs.ts";
import { UNTRIED, VERBS } from "./io-fault-verbs.ts";
import { failCalls } from "./io-faults.ts";
import { report } from "./report.ts";

test("every command and action that writes has tests with failing calls, or a reason not to", () => {
  const writing = Object.entries(EFFECTS).flatMap(([command, effect]) =>
    typeof effect === "string"
      ? effect === "read"
        ? []
        : [[command]]
      : Object.entries(effect).flatMap(([action, of]) => (of === "read" ? [] : [[command, action]])),
  );
  const untried = writing.filter(
    (words) => !VERBS.some(({ args }) => words.every((word, index) => args[index] === word)),
  );
  expect(untried.map((words) => words.join(" "))).toEqual(Object.keys(UNTRIED));
});

const SAMPLE = ["put over another", "delete", "remember", "config set"];
/** Tests one of this many calls. */
const STEP = 23;

const verbs = VERBS.filter(({ name }) => process.env.RETAIN_FIRE || SAMPLE.includes(name));
for (const [index, verb] of verbs.entries())
  testNeeding("strace")(
    `DUR-4: a failing call of '${verb.name}' loses nothing, is reported correctly, and stops no later command`,
    async () => {
      const { runs, faults } = await failCalls(verb, process.env.RETAIN_FIRE ? 1 : STEP, index * 5 + 3);
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
