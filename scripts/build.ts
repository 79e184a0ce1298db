/**
 * Bundles the command line with bytecode, which starts in a third of the time. Large dependencies that few commands need (SDKs
 * for models, MCP and the terminal) are separate bundles, loaded on demand.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { BunPlugin } from "bun";
import { lazyYaml } from "./lazy-yaml.ts";
import { lightInk } from "./light-ink.ts";
import { lightMcp } from "./light-mcp.ts";

const root = join(import.meta.dir, "..");
const staging = join(root, `dist.${process.pid}`);
process.on("exit", () => rmSync(staging, { recursive: true, force: true }));

/** Entry points, and bundles loaded on demand. */
const ENTRIES: Readonly<Record<string, string>> = {
  "retain.js": "src/cli/main.ts",
  "hook.js": "src/cli/hook-main.ts",
  "embed-helper.js": "src/embed/helper.ts",
  "agent.js": "src/app/agent/agents.ts",
  "llm.js": "src/llm/ai-sdk.ts",
  "mcp.js": "src/mcp/main.ts",
  "mcp-stdio.js": "src/cli/mcp-main.ts",
  "migrate.js": "src/migrate/migrate.ts",
  "serve.js": "src/serve/main.ts",
  "tui.js": "src/tui/main.tsx",
  "upstash.js": "src/embed/upstash/upstash-index.ts",
  "yaml.js": "node_modules/yaml/dist/index.js",
};

/** Bundles that an entry point needs at once, so it contains them. */
const CONTAINED: Readonly<Record<string, readonly string[]>> = { "mcp-stdio.js": ["mcp.js"] };

const STRIP_BY_BUN = {
  "import { stripVTControlCharacters } from 'node:util';": "const stripVTControlCharacters = Bun.stripANSI;",
};

/** Modules that commander loads and we don't need: executable subcommands, and what Bun has built in. */
const UNUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "command.js": {
    "import childProcess from 'node:child_process';": "const childProcess = null;",
    ...STRIP_BY_BUN,
  },
  "help.js": STRIP_BY_BUN,
};

/** Saves 6 ms per command. */
const lightCommander: BunPlugin = {
  name: "light-commander",
  setup(build) {
    build.onLoad({ filter: /commander[/\\]lib[/\\](?:command|help)\.js$/ }, async ({ path }) => {
      let contents = await Bun.file(path).text();
      for (const [line, instead] of Object.entries(UNUSED[basename(path)] ?? {})) {
        if (!contents.includes(line))
          throw new Error(`commander has changed; it no longer contains: ${line}`);
        contents = contents.replace(line, instead);
      }
      return { contents, loader: "js" };
    });
  },
};

/** Resolves imports of another bundle's source to that bundle. */
const otherBundles = (entry: string): BunPlugin => ({
  name: "other-bundles",
  setup(build) {
    const others = Object.entries(ENTRIES).filter(([name]) => !CONTAINED[entry]?.includes(name));
    for (const [name, source] of others)
      build.onResolve(
        { filter: new RegExp(`/${basename(source).replaceAll(".", "\\.")}$`) },
        ({ path, importer }) =>
          importer === "" || join(importer, "..", path) !== join(root, source)
            ? undefined
            : { path: `./${name}`, external: true },
      );
  },
});

mkdirSync(join(root, "dist"), { recursive: true });
for (const [name, source] of Object.entries(ENTRIES)) {
  const result = await Bun.build({
    entrypoints: [join(root, source)],
    outdir: staging,
    naming: name,
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: true,
    sourcemap: "none",
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    plugins: [lazyYaml, lightCommander, lightInk, lightMcp, otherBundles(name)],
  });
  if (!result.success) throw new AggregateError(result.logs, "The build failed");
  // Moves whole files into place, so that a command starting now never reads half of one.
  for (const file of [`${name}.jsc`, name]) renameSync(join(staging, file), join(root, "dist", file));
}

/** The web page, from its HTML: a browser loads it from the server. */
const page = await Bun.build({
  entrypoints: [join(root, "src/web/index.html")],
  outdir: join(staging, "web"),
  naming: { entry: "[name].[ext]", chunk: "assets/[name]-[hash].[ext]", asset: "assets/[name]-[hash].[ext]" },
  publicPath: "/",
  target: "browser",
  splitting: true,
  minify: true,
  sourcemap: "none",
  define: { "process.env.NODE_ENV": '"production"' },
});
if (!page.success) throw new AggregateError(page.logs, "The build of the web page failed");
rmSync(join(root, "dist/web"), { recursive: true, force: true });
renameSync(join(staging, "web"), join(root, "dist/web"));
