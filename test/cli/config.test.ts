import { expect, test } from "bun:test";
import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTING_KEYS } from "../../src/config/schema.ts";
import { openRetain } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function homeConfig(sandbox: Sandbox, text: string): string {
  return sandbox.write("../home/.retain/config.yaml", text);
}

test("CFG-1: flags override environment, project, home and default, in this order", () => {
  const sandbox = new Sandbox();
  const value = (env = {}) => {
    const { data } = sandbox.ok(["config", "get", "max_versions", "--json"], { env }).json;
    return [data.value, data.source];
  };
  expect(value()).toEqual([10, "default"]);
  const home = homeConfig(sandbox, "# mine\nmax_versions: 7\n");
  expect(value()).toEqual([7, `${home}:2`]);
  const project = sandbox.write(".retain/config.yaml", "max_versions: 5\n");
  expect(value()).toEqual([5, `${project}:1`]);
  expect(value({ RETAIN_MAX_VERSIONS: "4" })).toEqual([4, "RETAIN_MAX_VERSIONS"]);
  const env = { RETAIN_MAX_VERSIONS: "4" };
  using flagged = openRetain({
    cwd: sandbox.work,
    env,
    homeDirectory: sandbox.home,
    settings: { max_versions: 3 },
  });
  expect(flagged.config.settings.max_versions).toBe(3);
  expect(flagged.config.sources.max_versions).toBe("flag");
  expect(sandbox.ok(["config", "get", "max_versions", "--global"]).stdout).toBe("7\n");
});

test("CFG-1: config lists every setting with value, source, default and description", () => {
  const sandbox = new Sandbox();
  const { settings } = sandbox.ok(["config", "--json"]).json.data;
  expect(settings.map((setting: { key: string }) => setting.key)).toEqual(SETTING_KEYS);
  for (const setting of settings) {
    expect(Object.keys(setting)).toEqual(["key", "value", "source", "default", "description", "variable"]);
    expect(setting.description.length).toBeGreaterThan(10);
  }
  expect(sandbox.ok(["config"]).stdout).toContain("max_versions = 10 (default)");
});

test("CFG-2: a mistake names file, line and key", () => {
  const cases = [
    ["a: 1\n", 1, "a"],
    ["history: true\nmax_version: 3\n", 2, "max_version"],
    ["\n\nmax_versions: many\n", 3, "max_versions"],
    ["max_versions: 0\n", 1, "max_versions"],
    ["versioning: svn\n", 1, "versioning"],
    ["collections: [ok, ../bad]\n", 1, "collections"],
    ["version: 1\nretain:\n  history: maybe\n", 3, "history"],
    ["history: [\n", 2, ""],
  ] as const;
  for (const [text, line, key] of cases) {
    const sandbox = new Sandbox();
    const file = homeConfig(sandbox, text);
    const result = sandbox.run(["list"]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`${file}:${line}: `);
    expect(result.stderr).toContain(key);
  }
  const sandbox = new Sandbox();
  expect(sandbox.run(["list"], { env: { RETAIN_MAX_VERSIONS: "many" } }).stderr).toContain(
    "RETAIN_MAX_VERSIONS",
  );
});

/** Names that every JavaScript object answers to. */
const INHERITED = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"];

test("CFG-2: a wrong type is an error in plain words that names the setting", () => {
  const sandbox = new Sandbox();
  const { exitCode, stderr } = sandbox.run(["config", "set", "max_versions", "abc"]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("'max_versions' must be a number, not a string"),
  ]);
});

test("CFG-2: a key named like a built-in object property is unknown like any other", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const path = join(sandbox.work, ".retain/config.yaml");
  const seen = INHERITED.flatMap((name) =>
    [`${name}: 1\n`, `memory: {${name}: 1}\n`, `retain:\n  ${name}: {a: 1}\n`].map((text) => {
      writeFileSync(path, text);
      const { exitCode, stderr } = sandbox.run(["list"]);
      return [text, exitCode, /is not a setting/.test(stderr) && stderr.includes(name)];
    }),
  );
  writeFileSync(path, "");
  for (const name of INHERITED)
    for (const action of ["get", "set", "unset"]) {
      const { exitCode, stderr } = sandbox.run(["config", action, name, ...(action === "set" ? ["1"] : [])]);
      seen.push([`${action} ${name}`, exitCode, /is not a setting/.test(stderr)]);
    }
  expect(seen.filter(([, exitCode, said]) => exitCode !== 2 || said !== true)).toEqual([]);
});

test("CFG-2: a wrong key gets a suggestion", () => {
  const sandbox = new Sandbox();
  homeConfig(sandbox, "max_version: 3\n");
  expect(sandbox.run(["list"]).stderr).toContain("Did you mean 'max_versions'?");
});

test("CFG-2: the hint about an unknown key works where the key is set", () => {
  const sandbox = new Sandbox();
  expect(sandbox.run(["config", "get", "zzz"]).stderr).toContain("retain config");
  homeConfig(sandbox, "zzz: 3\n");
  expect(sandbox.run(["list"]).stderr).toContain("that line");
});

test("CFG-3: a project's config cannot change user settings", async () => {
  for (const line of [
    "editor: rm -rf /",
    "max_document_bytes: 999999999999",
    "memory: {backend: hindsight}",
    "api_key: x",
  ]) {
    const sandbox = new Sandbox();
    const file = sandbox.write(".retain/config.yaml", `# a stranger's\n${line}\n`);
    const result = sandbox.run(["list"]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`${file}:2: `);
    expect(sandbox.ok(["list", "--global"]).stdout).toContain("No documents");
  }
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  expect(sandbox.run(["config", "set", "editor", "vi"]).exitCode).toBe(2);
  expect(sandbox.run(["config", "set", "--global", "path", "x"]).exitCode).toBe(2);
});

test("CFG-4: config set changes one line and keeps the rest", () => {
  const sandbox = new Sandbox();
  const text = "# mine\n\nhistory:   true   # of course\ncollections: [ a, b ]\n# end\n";
  const file = homeConfig(sandbox, text);
  sandbox.ok(["config", "set", "history", "false"]);
  expect(readFileSync(file, "utf8")).toBe(
    text.replace("history:   true   # of course", "history: false   # of course"),
  );
  sandbox.ok(["config", "set", "max_versions", "20"]);
  sandbox.ok(["config", "set", "collections", "x,y"]);
  expect(readFileSync(file, "utf8")).toContain("collections: [x, y]\n# end\nmax_versions: 20\n");
  const before = readFileSync(file, "utf8");
  for (const args of [["max_versions", "many"], ["nothing", "1"], ["versioning", "svn"], ["history"]])
    expect(sandbox.run(["config", "set", ...args]).exitCode).toBe(2);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("CFG-4: config set works in a fresh home and in an .arcaneum", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "created_by", "Ada: the first"]);
  expect(sandbox.ok(["config", "get", "created_by"]).stdout).toBe("Ada: the first\n");
  const file = sandbox.write(".arcaneum", "version: 1\nother: [kept]\nretain:\n  enabled: true\n");
  sandbox.ok(["config", "set", "max_versions", "2"]);
  expect(sandbox.ok(["config", "get", "max_versions"]).stdout).toBe("2\n");
  expect(readFileSync(file, "utf8")).toContain("version: 1\nother: [kept]\n");
});

test("CFG-4: in a retain section other lines stay, JSON is refused, and a symlink stays one", () => {
  const sandbox = new Sandbox();
  const text =
    "version: 1\nother:\n  a: [ 1 ]\nretain:\n  # ours\n  enabled: true   # yes\n\n  history: true # h\nlast: x\n";
  const file = sandbox.write(".arcaneum", text);
  sandbox.ok(["config", "set", "history", "false"]);
  expect(readFileSync(file, "utf8")).toBe(text.replace("history: true # h", "history: false # h"));
  sandbox.ok(["config", "set", "max_versions", "3"]);
  expect(readFileSync(file, "utf8")).toContain("  history: false # h\n  max_versions: 3\nlast: x\n");
  const json = JSON.stringify({ retain: { enabled: true } });
  sandbox.write(".arcaneum", json);
  expect(sandbox.run(["config", "set", "history", "false"]).exitCode).toBe(2);
  expect(readFileSync(file, "utf8")).toBe(json);
  const real = sandbox.write("../dotfiles/retain.yaml", "# mine\n");
  sandbox.ok(["init", "--global"]);
  rmSync(join(sandbox.memory, "config.yaml"));
  symlinkSync(real, join(sandbox.memory, "config.yaml"));
  sandbox.ok(["config", "set", "--global", "history", "false"]);
  expect(readFileSync(real, "utf8")).toBe("# mine\nhistory: false\n");
  expect(lstatSync(join(sandbox.memory, "config.yaml")).isSymbolicLink()).toBe(true);
});

test("CFG-4: concurrent changes to settings are all kept", async () => {
  const sandbox = new Sandbox();
  const settings = {
    history: "false",
    max_versions: "7",
    created_by: "Ada",
    versioning: "custom",
    auto_version: "false",
  };
  const children = Object.entries(settings).map(([key, value]) =>
    sandbox.start(["config", "set", key, value]),
  );
  for (const child of children) expect(await child.exited).toBe(0);
  for (const [key, value] of Object.entries(settings))
    expect(sandbox.ok(["config", "get", key]).stdout).toBe(`${value}\n`);
});

test("CFG-1: settings passed to the library are validated too", () => {
  const sandbox = new Sandbox();
  const open = (settings: object) =>
    openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home, settings });
  expect(() => open({ max_versions: -5 })).toThrow("max_versions");
  expect(() => open({ path: "x" })).toThrow("path");
});

test("CFG-4: config edit opens even an invalid file", () => {
  const sandbox = new Sandbox();
  const file = sandbox.write(".retain/config.yaml", "history: [\n");
  expect(sandbox.run(["list"]).exitCode).toBe(2);
  sandbox.ok(["config", "edit"], { env: { EDITOR: "sh -c 'echo history: true > \"$1\"' edit" } });
  expect(readFileSync(file, "utf8")).toBe("history: true\n");
});

test("CFG-4: get, unset, path and edit use the file of the scope", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const own = join(sandbox.work, ".retain/config.yaml");
  expect(sandbox.ok(["config", "path"]).stdout.trim()).toBe(own);
  expect(sandbox.ok(["config", "path", "--global"]).stdout.trim()).toBe(join(sandbox.memory, "config.yaml"));
  sandbox.ok(["config", "set", "history", "false"]);
  sandbox.ok(["config", "unset", "history"]);
  expect(sandbox.ok(["config", "get", "history"]).stdout).toBe("true\n");
  sandbox.ok(["config", "edit"], { env: { EDITOR: "sh -c 'echo max_versions: 6 >> \"$1\"' edit" } });
  expect(sandbox.ok(["config", "get", "max_versions"]).stdout).toBe("6\n");
  const broken = sandbox.run(["config", "edit"], { env: { EDITOR: "sh -c 'echo oops: 1 >> \"$1\"' edit" } });
  expect(broken.exitCode).toBe(2);
  expect(broken.stderr).toContain("oops");
  expect(sandbox.run(["config", "edit", "--global"]).stderr).toContain("$EDITOR");
  expect(sandbox.run(["config", "frobnicate"]).exitCode).toBe(2);
});

test("WS-3: settings under a retain section are read", () => {
  const sandbox = new Sandbox();
  homeConfig(sandbox, "version: 1\nretain:\n  versioning: custom\n  max_versions: 3\n  auto_version: true\n");
  expect(sandbox.ok(["config", "get", "max_versions"]).stdout).toBe("3\n");
  sandbox.ok(["config", "set", "max_versions", "4"]);
  expect(sandbox.ok(["config", "get", "max_versions"]).stdout).toBe("4\n");
  expect(sandbox.ok(["config", "get", "versioning"]).stdout).toBe("custom\n");
});

test("WS-3: a key outside the section in config.yaml is an error", () => {
  const sandbox = new Sandbox();
  const file = homeConfig(sandbox, "version: 1\nmax_versions: 3\nretain:\n  history: true\n");
  expect(sandbox.run(["list"]).stderr).toContain(`${file}:2: 'max_versions' is outside`);
});

test("WS-3: enabled: false turns a project off", () => {
  const sandbox = new Sandbox();
  sandbox.write(".retain/config.yaml", "enabled: false\n");
  expect(sandbox.ok(["where", "--json"]).json.data.kind).toBe("home");
  expect(sandbox.ok(["where", "-v"]).stderr).toContain("enabled: false");
});
