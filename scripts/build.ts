/**
 * Bundles the command line with bytecode: a cold start takes a third of the time it takes from source. What few commands need
 * and much code stands behind, the model's SDK and the terminal's, are bundles of their own, read when they are asked for.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { BunPlugin } from "bun";

const root = join(import.meta.dir, "..");
const staging = join(root, `dist.${process.pid}`);

interface Entry {
  readonly source: string;
  /** Ink and its layout wait for WebAssembly at their top level, which only ES modules can, and those have no bytecode. */
  readonly format: "cjs" | "esm";
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  "retain.js": { source: "src/cli/main.ts", format: "cjs" },
  "embed-helper.js": { source: "src/embed/helper.ts", format: "cjs" },
  "llm.js": { source: "src/llm/ai-sdk.ts", format: "cjs" },
  "tui.js": { source: "src/tui/main.tsx", format: "esm" },
};

/** What commander loads at its start and is not needed here: subcommands that are programs, and Bun has the other built in. */
const UNUSED = {
  "import childProcess from 'node:child_process';": "const childProcess = null;",
  "import { stripVTControlCharacters } from 'node:util';": "const stripVTControlCharacters = Bun.stripANSI;",
};

/** Saves 4 ms of each command. */
const lightCommander: BunPlugin = {
  name: "light-commander",
  setup(build) {
    build.onLoad({ filter: /commander[/\\]lib[/\\]command\.js$/ }, async ({ path }) => {
      let contents = await Bun.file(path).text();
      for (const [line, instead] of Object.entries(UNUSED)) {
        if (!contents.includes(line)) throw new Error(`commander has changed, it has no more: ${line}`);
        contents = contents.replace(line, instead);
      }
      return { contents, loader: "js" };
    });
  },
};

/** Ink names React's devtools, which are not installed, and asks for them only where DEV says so. */
const withoutDevtools: BunPlugin = {
  name: "without-devtools",
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "none" }));
    build.onLoad({ filter: /.*/, namespace: "none" }, () => ({
      contents: "export default {}",
      loader: "js",
    }));
  },
};

/** Where one bundle imports another one's source, the other bundle is meant. */
const otherBundles: BunPlugin = {
  name: "other-bundles",
  setup(build) {
    const sources = Object.entries(ENTRIES).filter(([name]) => name === "llm.js" || name === "tui.js");
    for (const [name, { source }] of sources)
      build.onResolve(
        { filter: new RegExp(`/${basename(source).replaceAll(".", "\\.")}$`) },
        ({ path, importer }) =>
          importer === "" || join(importer, "..", path) !== join(root, source)
            ? undefined
            : { path: `./${name}`, external: true },
      );
  },
};

mkdirSync(join(root, "dist"), { recursive: true });
for (const [name, { source, format }] of Object.entries(ENTRIES)) {
  const bytecode = format === "cjs";
  const result = await Bun.build({
    entrypoints: [join(root, source)],
    outdir: staging,
    naming: name,
    target: "bun",
    format,
    bytecode,
    minify: true,
    sourcemap: "none",
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    plugins: [lightCommander, withoutDevtools, otherBundles],
  });
  if (!result.success) throw new AggregateError(result.logs, "The build failed");
  // Whole files are moved into place, so that a command that starts meanwhile never meets half of one.
  for (const file of bytecode ? [`${name}.jsc`, name] : [name])
    renameSync(join(staging, file), join(root, "dist", file));
}
rmSync(staging, { recursive: true });
