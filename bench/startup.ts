/** The cost of a whole `retain get` compared with bare runtimes, in one run. Run: bun bench/startup.ts */
import { fillWorkspace, ms, printTable, RETAIN, spawn, timeInTurn } from "./measure.ts";

const ROUNDS = 40;
const workspace = await fillWorkspace(10_000);
const timings = await timeInTurn(
  {
    "node -e 1": () => spawn(["node", "-e", "1"]),
    "bun -e 1": () => spawn([process.execPath, "-e", "1"]),
    "retain --help": () => spawn([RETAIN, "--help"], workspace.env),
    "retain get (10,000 documents)": (round) => spawn([RETAIN, "get", `doc-${round * 37}`], workspace.env),
  },
  ROUNDS,
);
workspace.remove();

const node = timings["node -e 1"]?.p50 ?? Number.NaN;
const bun = timings["bun -e 1"]?.p50 ?? Number.NaN;
printTable(
  ["whole process", "p50 ms", "p95 ms", "of node -e 1", "of bun -e 1"],
  Object.entries(timings).map(([name, { p50, p95 }]) => [
    name,
    ms(p50),
    ms(p95),
    (p50 / node).toFixed(2),
    (p50 / bun).toFixed(1),
  ]),
);
