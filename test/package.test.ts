/** The packed library, on both of its runtimes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { NODE, testNeeding } from "./helpers/needs.ts";
import { InstalledPackage, ran } from "./helpers/package.ts";
import { Sandbox, WITH_MEANING } from "./helpers/sandbox.ts";

let installed: InstalledPackage;

beforeAll(() => {
  installed = new InstalledPackage();
}, 60_000);
afterAll(() => installed.remove());

const RUNTIMES = { bun: [process.execPath, "--no-env-file"], node: [NODE] };

function start(runtime: keyof typeof RUNTIMES, program: string, sandbox: Sandbox, ...args: string[]) {
  return Bun.spawn([...RUNTIMES[runtime], join(installed.directory, program), sandbox.home, ...args], {
    cwd: sandbox.work,
    // Its own cache, so that the second program uses the embedding model that the first one built.
    env: sandbox.env({ RETAIN_CACHE: join(installed.directory, "cache") }),
    stdin: "pipe",
    stderr: "pipe",
  });
}

async function finished(child: ReturnType<typeof start>): Promise<string> {
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([await child.exited, stderr]).toEqual([0, ""]);
  return stdout;
}

test("LIB-2: the package holds what it names, and no sources", () => {
  const { exports, bin, types } = packageJson;
  const named = [...Object.values(exports["."]), ...Object.values(bin), types];
  expect(named.filter((path) => !existsSync(join(installed.root, path)))).toEqual([]);
  expect(existsSync(join(installed.root, "src"))).toBe(false);
  const scripts = [...new Bun.Glob("dist/**/*.js").scanSync({ cwd: installed.root, absolute: true })];
  const builtAt = join(import.meta.dir, "..", "src");
  expect(scripts.filter((script) => readFileSync(script, "utf8").includes(builtAt))).toEqual([]);
  expect(ran([join(installed.root, "bin/retain"), "--version"], installed.directory)).toContain(
    packageJson.version,
  );
});

test("LIB-2: a strict program compiles, and the declarations of the package are checked too", () => {
  const withNode = {
    types: ["node"],
    lib: ["esnext"],
    files: ["program.ts", "documented.ts"],
  };
  const withoutNode = { types: [], lib: ["es2024", "dom"], files: ["without-node.ts"] };
  const programs = [
    { ...withNode, module: "nodenext", moduleResolution: "nodenext" },
    { ...withNode, module: "esnext", moduleResolution: "bundler" },
    { ...withoutNode, module: "esnext", moduleResolution: "bundler" },
  ];
  for (const { files, ...options } of programs) {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const compilerOptions = { ...strict, ...options, target: "es2024", skipLibCheck: false, noEmit: true };
    const config = join(installed.directory, "tsconfig.json");
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    const tsc = join(import.meta.dir, "../node_modules/typescript/bin/tsc");
    ran([process.execPath, tsc, "-p", config], installed.directory);
  }
});

testNeeding("Node 24.16")("LIB-2: a program gets the same results on Bun and on Node", async () => {
  const onBun = await finished(start("bun", "program.ts", new Sandbox(WITH_MEANING)));
  const onNode = await finished(start("node", "program.ts", new Sandbox(WITH_MEANING)));
  expect(onNode).toBe(onBun);
  const { both, afterwards, check, errors } = JSON.parse(onNode);
  expect([both.by, both.hits[0].id, afterwards]).toEqual(["both", "auth", []]);
  expect(errors.map(([code]: [string]) => code)).toEqual(["not_found", "invalid_input", "usage"]);
  expect(check[1].map(({ differences }: { differences: unknown }) => differences)).toEqual([[]]);
});

testNeeding("Node 24.16")(
  "LIB-2: programs on Bun and on Node can write to one workspace at once",
  async () => {
    const sandbox = new Sandbox();
    await Promise.all([
      finished(start("bun", "writer.ts", sandbox, "b")),
      finished(start("node", "writer.ts", sandbox, "n")),
    ]);
    expect(sandbox.ok(["list", "--limit", "100", "--json"]).json.data.total).toBe(50);
    expect(sandbox.ok(["facts", "--json"]).json.data.facts).toHaveLength(50);
    expect(sandbox.ok(["doctor", "--deep", "--json"]).json.ok).toBe(true);
  },
);
