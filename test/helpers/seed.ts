/**
 * Property tests run the same cases every time, so that a run that passed passes again; `RETAIN_SEED=random` (as `bun run
 * fire` does) or a number looks for new ones.
 */
import fc from "fast-check";

const { RETAIN_SEED = "20261116" } = process.env;
if (RETAIN_SEED !== "random") fc.configureGlobal({ seed: Number(RETAIN_SEED) });
