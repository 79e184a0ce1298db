/** The dependency rule of ARCHITECTURE.md, on the real import graph. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const SOURCE = join(import.meta.dir, "../src");

/** Bottom up. Folders in one row may not import each other, except as in EDGES. */
const LAYERS = [
  ["util"],
  ["core"],
  ["config"],
  ["documents", "recall", "facts", "context", "sessions", "files", "sqlite", "embed", "llm", "backends"],
  ["agent", "migrate"],
  ["app"],
  ["app.ts"],
  ["index.ts"],
  ["cli", "tui", "web", "mcp", "serve"],
];
const EDGES = new Set([
  "backends -> files",
  "backends -> sqlite",
  "cli -> tui",
  "cli -> mcp",
  "cli -> serve",
  // The types of what the server answers.
  "web -> serve",
]);

const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
const transpilerOf = (file: string) => transpilers[file.endsWith("x") ? "tsx" : "ts"];
const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(SOURCE)].sort();
const graph = new Map(files.map((file) => [file, importsOf(file)]));

/** Type-only imports count too: a layer must not know another's types either. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(SOURCE, file), "utf8");
  const declared = [...source.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(
    (match) => match[1] ?? "",
  );
  const scanned = transpilerOf(file)
    .scanImports(source)
    .map((entry) => entry.path);
  return [...new Set([...declared, ...scanned])]
    .filter((path) => path.startsWith("."))
    .map((path) => relative(SOURCE, resolve(SOURCE, dirname(file), path)))
    .filter((path) => !path.startsWith(".."));
}

function folderOf(file: string): string {
  return file.split("/")[0] ?? file;
}

function layerOf(file: string): number {
  return LAYERS.findIndex((layer) => layer.includes(folderOf(file)));
}

test("every file belongs to a layer", () => {
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
});

test("files import from lower layers or their own folder only", () => {
  const wrong = [...graph].flatMap(([file, imports]) =>
    imports
      .filter((target) => folderOf(target) !== folderOf(file))
      .filter((target) => layerOf(target) >= layerOf(file))
      .filter((target) => !EDGES.has(`${folderOf(file)} -> ${folderOf(target)}`))
      .map((target) => `${file} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test("core touches no disk, network, process, clock or environment", () => {
  const forbidden =
    /node:(?:fs|child_process|os|net|http)|process\.|Date\.now|new Date\(\)|Bun\.(?:spawn|file|write)/;
  const guilty = files
    .filter((file) => folderOf(file) === "core")
    .filter((file) => forbidden.test(readFileSync(join(SOURCE, file), "utf8")));
  expect(guilty).toEqual([]);
});

test("there are no import cycles", () => {
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      return;
    }
    state.set(file, "open");
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, "done");
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

/** A folder of `core` may need another's types. */
test("folders within one layer import each other in one direction", () => {
  const folders = new Map<string, Set<string>>();
  const subfolderOf = (file: string) => file.split("/").slice(0, -1).slice(0, 2).join("/");
  for (const [file, imports] of graph)
    for (const target of imports) {
      const [from, to] = [subfolderOf(file), subfolderOf(target)];
      const isWithin = from.includes("/") && to.includes("/") && folderOf(from) === folderOf(to);
      if (isWithin && from !== to && folderOf(from) !== "core")
        folders.set(from, (folders.get(from) ?? new Set()).add(to));
    }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of folders.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  expect([...folders.keys()].filter((folder) => reached(folder).has(folder))).toEqual([]);
});

test("there are no default exports", () => {
  const guilty = files.filter((file) =>
    transpilerOf(file)
      .scan(readFileSync(join(SOURCE, file), "utf8"))
      .exports.includes("default"),
  );
  expect(guilty).toEqual([]);
});

test("only two files below the user interfaces use what Bun alone has, and each has a twin for Node", () => {
  const below = files.filter(
    (file) => layerOf(file) <= LAYERS.findIndex(([folder]) => folder === "index.ts"),
  );
  const users = below.filter((file) => {
    const { imports } = transpilerOf(file).scan(readFileSync(join(SOURCE, file), "utf8"));
    const code = transpilerOf(file).transformSync(readFileSync(join(SOURCE, file), "utf8"));
    return imports.some(({ path }) => path.startsWith("bun:")) || /\bBun\.|import\.meta\.dir\b/.test(code);
  });
  expect(users).toEqual(["sqlite/driver.ts", "util/runtime.ts"]);
  const exportsOf = (file: string) =>
    transpilerOf(file)
      .scan(readFileSync(join(SOURCE, file), "utf8"))
      .exports.sort();
  for (const file of users) expect(exportsOf(file.replace(/\.ts$/, ".node.ts"))).toEqual(exportsOf(file));
});

/** Never called: the compiler compares the types of their exports. */
export const TWINS: {
  driver(): Promise<typeof import("../src/sqlite/driver.ts")>;
  runtime(): Promise<typeof import("../src/util/runtime.ts")>;
} = {
  driver: () => import("../src/sqlite/driver.node.ts"),
  runtime: () => import("../src/util/runtime.node.ts"),
};

test("every export is used by another file", () => {
  const root = join(SOURCE, "..");
  const folders = "{src,test,bench,scripts,examples}";
  const paths = [...new Bun.Glob(`${folders}/**/*.{ts,tsx}`).scanSync(root)];
  const users = new Map<string, string[]>();
  const exported: { path: string; name: string }[] = [];
  for (const path of paths) {
    const source = readFileSync(join(root, path), "utf8");
    for (const name of new Set(source.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)))
      users.set(name, [...(users.get(name) ?? []), path]);
    if (!path.startsWith("src/")) continue;
    for (const [, name = ""] of source.matchAll(
      /^export (?:async |abstract )?(?:function\*?|const|let|class|interface|type) ([\p{L}_$][\p{L}\p{N}_$]*)/gmu,
    ))
      exported.push({ path, name });
  }
  expect(exported.length).toBeGreaterThan(500);
  expect(exported.filter(({ name }) => (users.get(name)?.length ?? 0) < 2)).toEqual([]);
});
