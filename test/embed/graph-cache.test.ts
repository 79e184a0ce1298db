import { afterEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GRAPH_VERSION } from "../../src/embed/minilm/graph.ts";
import { buildModel, cachedModelPath, loadModel } from "../../src/embed/minilm/graph-cache.ts";
import { sha256 } from "../../src/util/hash.ts";
import { sharedCache } from "./shared-model.ts";

loadModel(sharedCache());
const good = readFileSync(cachedModelPath(sharedCache()));
const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function emptyCache(): string {
  const directory = mkdtempSync(join(tmpdir(), "retain-test-cache-"));
  directories.push(directory);
  return join(directory, "cache");
}

function cacheHolding(bytes: Uint8Array): string {
  const cache = emptyCache();
  mkdirSync(dirname(cachedModelPath(cache)), { recursive: true });
  writeFileSync(cachedModelPath(cache), bytes);
  return cache;
}

/** Loads in a separate process and prints a digest of a text's vector. */
function embedElsewhere(cache: string) {
  const script = `
    const { MiniLm } = await import(${JSON.stringify(join(import.meta.dir, "../../src/embed/minilm/minilm.ts"))});
    const embedder = new MiniLm({ cacheDirectory: ${JSON.stringify(cache)}, warn: console.error });
    const [vector] = await embedder.embed(["a quiet text"]);
    console.log(Bun.hash(vector).toString(16));
  `;
  return Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
}

describe("the cached model", () => {
  test("EMB-4: it is built once, readable by the owner only, then loaded from the cache", () => {
    const cache = emptyCache();
    const built = loadModel(cache);
    const path = cachedModelPath(cache);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual([`minilm-l6-v2-int8-${GRAPH_VERSION}.bin`]);
    const { ino, mtimeMs } = statSync(path);
    expect(loadModel(cache)).toEqual(built);
    expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  });

  test("EMB-4: it is identical on every machine, and a change bumps its version", () => {
    const { graph, vocabulary, positions } = buildModel();
    const digest = sha256(Buffer.concat([graph, vocabulary, positions])).slice(0, 16);
    expect({ version: GRAPH_VERSION, digest }).toEqual({ version: 3, digest: "dca6c187e60a16bb" });
  });

  const damages: [string, (path: string) => void][] = [
    ["removed", (path) => rmSync(path)],
    ["empty", (path) => truncateSync(path, 0)],
    ["truncated", (path) => truncateSync(path, good.length - 1)],
    ["longer", (path) => writeFileSync(path, Buffer.concat([good, Buffer.from("x")]))],
    ["something else", (path) => writeFileSync(path, "not a model")],
    ...[0, 9, good.length - 1].map((at): [string, (path: string) => void] => [
      `wrong in byte ${at}`,
      (path) => writeFileSync(path, good.with(at, (good[at] ?? 0) ^ 1)),
    ]),
  ];

  for (const [name, damage] of damages)
    test(`EMB-4: a cached model that is ${name} is rebuilt`, () => {
      const cache = cacheHolding(good);
      damage(cachedModelPath(cache));
      loadModel(cache);
      expect(Buffer.compare(readFileSync(cachedModelPath(cache)), good)).toBe(0);
    });

  test("EMB-4: processes that build it at once all succeed and leave one complete file", async () => {
    const cache = emptyCache();
    const children = [embedElsewhere(cache), embedElsewhere(cache)];
    const printed = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    const problems = await Promise.all(children.map((child) => new Response(child.stderr).text()));
    expect(problems.join("")).toBe("");
    expect(new Set(printed).size).toBe(1);
    expect(printed[0]).toMatch(/^[0-9a-f]+\n$/);
    expect(readdirSync(dirname(cachedModelPath(cache))).length).toBe(1);
    expect(Buffer.compare(readFileSync(cachedModelPath(cache)), good)).toBe(0);
  });

  test("EMB-4: it works without a writable cache", async () => {
    const cache = emptyCache();
    writeFileSync(cache, "a file where the directory should be");
    const child = embedElsewhere(cache);
    expect(await new Response(child.stderr).text()).toBe("");
    expect(await new Response(child.stdout).text()).toMatch(/^[0-9a-f]+\n$/);
    expect(existsSync(cachedModelPath(cache))).toBeFalse();
  });

  test("EMB-4: unfinished files of dead processes are removed, those of running ones are not", () => {
    const cache = emptyCache();
    const directory = dirname(cachedModelPath(cache));
    mkdirSync(directory, { recursive: true });
    const dead = Bun.spawnSync(["true"]).pid;
    writeFileSync(join(directory, `.tmp-${dead}-x`), "half");
    utimesSync(join(directory, `.tmp-${dead}-x`), 0, 0);
    writeFileSync(join(directory, `.tmp-${process.pid}-x`), "half");
    loadModel(cache);
    const left = readdirSync(directory).filter((name) => name.startsWith("."));
    expect(left).toEqual([`.tmp-${process.pid}-x`]);
  });
});
