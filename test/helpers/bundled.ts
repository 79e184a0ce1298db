/** Programs that tests start many times, each as one file with bytecode: it starts in a third of the time that its sources take. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lightInk } from "../../scripts/light-ink.ts";

/** For all test files of this process; scripts/test.ts removes it. */
const directory = mkdtempSync(join(tmpdir(), "retain-bundled-"));

/** The path of the built program. Its source imports by absolute paths, and bytecode allows no `await` outside of functions. */
export async function bundled(name: string, source: string): Promise<string> {
  const entry = join(directory, `${name}.ts`);
  writeFileSync(entry, source);
  await Bun.build({
    entrypoints: [entry],
    outdir: directory,
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: true,
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    plugins: [lightInk],
  });
  return join(directory, `${name}.js`);
}
