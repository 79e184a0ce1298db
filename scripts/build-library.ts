/**
 * Bundles the library twice, as `dist/bun` and `dist/node`, and writes its declarations to `dist/types`. Dependencies stay packages.
 * In the bundle for Node, each `x.ts` with an `x.node.ts` next to it is replaced by that file.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BunPlugin } from "bun";

const root = join(import.meta.dir, "..");
const staging = join(root, `dist.library.${process.pid}`);
process.on("exit", () => rmSync(staging, { recursive: true, force: true }));

const filesForNode: BunPlugin = {
  name: "files-for-node",
  setup(build) {
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ path, importer }) => {
      const forNode = join(dirname(importer), path.replace(/\.ts$/, ".node.ts"));
      return existsSync(forNode) ? { path: forNode } : undefined;
    });
  },
};

async function bundle(target: "bun" | "node"): Promise<void> {
  const result = await Bun.build({
    entrypoints: [join(root, "src/index.ts"), join(root, "src/embed/helper.ts")],
    outdir: join(staging, target),
    naming: { entry: "[name].js", chunk: "[name]-[hash].js" },
    target,
    format: "esm",
    splitting: true,
    packages: "external",
    plugins: target === "node" ? [filesForNode] : [],
  });
  if (!result.success) throw new AggregateError(result.logs, "The build failed");
}

/** The compiler writes one file for each source file; only those that `index.d.ts` reaches are kept. */
function declare(): void {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const all = join(staging, "all-types");
  const command = [process.execPath, compiler, "-p", join(root, "tsconfig.library.json"), "--outDir", all];
  const { exitCode, stdout } = Bun.spawnSync(command, { stderr: "inherit" });
  if (exitCode !== 0) throw new Error(`The declarations could not be written:\n${stdout}`);
  const pending = ["index.d.ts"];
  for (const file of pending) {
    const text = readFileSync(join(all, file), "utf8").replace(
      /(from |import\()"(\.[^"]+)\.ts"/g,
      (_, before: string, path: string) => {
        const target = join(dirname(file), `${path}.d.ts`);
        if (!pending.includes(target)) pending.push(target);
        return `${before}"${path}.js"`;
      },
    );
    const target = join(staging, "types", file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

await bundle("bun");
await bundle("node");
declare();
mkdirSync(join(root, "dist"), { recursive: true });
for (const name of ["bun", "node", "types"]) {
  rmSync(join(root, "dist", name), { recursive: true, force: true });
  renameSync(join(staging, name), join(root, "dist", name));
}
