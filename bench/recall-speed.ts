/**
 * Speed of recall: in process at growing sizes next to bare engines, as whole processes, and compared with alternatives. `bun
 * bench/recall-speed.ts [--sizes 1000,10000,100000,1000000] [--documents 10000] [--skip-peers] [--packages <dir>] [--json]`. Run
 * `bun run build` first: it measures dist/. Peers are installed with npm in a temporary directory, or in `--packages` to reuse
 * them. `--sizes ""` skips the first table, `--documents 0` the others.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fillNotes, measureCold, printCold } from "./speed/cold.ts";
import { makeNotes } from "./speed/notes.ts";
import { installSqliteVec } from "./speed/peers/install.ts";
import { endAll } from "./speed/processes.ts";
import { measureSideBySide } from "./speed/side-by-side.ts";
import { printSideBySide } from "./speed/side-by-side-table.ts";
import { measureWarm, printWarm } from "./speed/warm.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000,1000000" },
    documents: { type: "string", default: "10000" },
    packages: { type: "string" },
    "skip-peers": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const sizes = options.sizes.split(",").filter(Boolean).map(Number);
const documents = Number(options.documents);
if (!sizes.every((size) => Number.isInteger(size) && size > 0) || !(documents >= 0))
  throw new Error(
    "--sizes and --documents must be whole numbers, such as --sizes 1000,10000 --documents 300",
  );
const withPeers = !options["skip-peers"];

const root = mkdtempSync(join(tmpdir(), "retain-recall-speed-"));
const packages = options.packages === undefined ? join(root, "packages") : resolve(options.packages);
mkdirSync(packages, { recursive: true });
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    removeAll();
    process.exit(130);
  });
// Outside any project, so that processes see only the temporary home workspace.
process.chdir(root);
try {
  await measureAll();
} finally {
  removeAll();
}

async function measureAll(): Promise<void> {
  const warm = sizes.length === 0 ? null : await inProcess();
  const processes = documents === 0 ? null : await wholeProcesses();
  if (options.json) console.log(JSON.stringify({ ...warm, ...processes }, null, 2));
}

async function inProcess() {
  const remarks: string[] = [];
  const library = withPeers
    ? await installSqliteVec(packages).catch((error) => {
        remarks.push(`sqlite-vec is left out: ${error instanceof Error ? error.message : error}`);
        return null;
      })
    : null;
  const warm = await measureWarm(sizes, root, library);
  const refused = warm.find(({ withoutSqliteVec }) => withoutSqliteVec !== undefined)?.withoutSqliteVec;
  if (refused !== undefined)
    remarks.push(`sqlite-vec is left out: Bun's SQLite cannot load it here: ${refused}`);
  show(() => {
    printWarm(warm);
    for (const remark of remarks) console.log(`\n${remark}`);
  });
  return { warm, remarks };
}

async function wholeProcesses() {
  const corpus = makeNotes(documents);
  const env = environment();
  const filling = await fillNotes(corpus, env);
  const cold = await measureCold(corpus, env);
  show(() => printCold(cold, documents));
  const sideBySide = withPeers ? await measureSideBySide(corpus, filling, { root, packages, env }) : null;
  if (sideBySide !== null) show(() => printSideBySide(sideBySide));
  return { documents, filling, cold, sideBySide };
}

/** Prints at once, since a run takes long. */
function show(print: () => void): void {
  if (options.json) return;
  print();
  console.log("");
}

/** Default settings only. */
function environment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("RETAIN_"));
  return {
    ...Object.fromEntries(inherited),
    RETAIN_HOME: join(root, "home"),
    RETAIN_LOCAL_SCOPING: "global",
    RETAIN_CACHE: join(root, "cache"),
  };
}

function removeAll(): void {
  endAll();
  process.chdir("/");
  rmSync(root, { recursive: true, force: true });
}
