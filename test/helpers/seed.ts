/**
 * Property tests and kills at random moments draw the same numbers every time, so that a run that passed passes again;
 * `RETAIN_SEED=random` (as `bun run fire` does) or a number tries new ones.
 */
import fc from "fast-check";
import { randomFrom } from "./random.ts";

const { RETAIN_SEED = "20261116" } = process.env;
const isRandom = RETAIN_SEED === "random";
const seed = isRandom ? Date.now() % 100_000 : Number(RETAIN_SEED);
fc.configureGlobal({ seed });

/** Prints a seed that was picked at random, so that a failed run can be repeated. */
export function seededRandom(): () => number {
  if (isRandom) console.log(`RETAIN_SEED=${seed}`);
  return randomFrom(seed);
}
