import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readConfigFile, writeSetting } from "../../src/config/file.ts";
import { settingNamed, settingValue } from "../../src/config/names.ts";
import { SETTING_KEYS, type SettingKey } from "../../src/config/schema.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const camel = (words: string) => words.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every dotted and camel-case spelling of a setting. */
function spellings(key: SettingKey): string[] {
  const [group = "", ...rest] = key.split("_");
  const name = camel(rest.join("_"));
  if (key.startsWith("mental_model")) return [`hindsight.${camel(key)}`, `hindsight.${key}`];
  if (!["memory", "hindsight", "local"].includes(group)) return [];
  const own = [`${group}.${name}`, `${group}.${rest.join("_")}`];
  return group === "local" ? [...own, `mnemopi.${name}`] : own;
}

const SPELT = SETTING_KEYS.filter((key) => spellings(key).length > 0);

test("BANK-1: settings accept dotted and camel-case names, and mnemopi is the local backend", () => {
  expect(SPELT.length).toBeGreaterThan(20);
  for (const key of SPELT)
    for (const name of [key, ...spellings(key)]) expect([name, settingNamed(name)]).toEqual([name, { key }]);
  const named = (name: string) => settingNamed(name).key;
  expect(named("memory.backend")).toBe("memory_backend");
  expect(named("hindsight.retainEveryNTurns")).toBe("hindsight_retain_every_n_turns");
  expect(named("mnemopi.scoping")).toBe("local_scoping");
  expect(named("hindsight.mentalModelsEnabled")).toBe("mental_models_enabled");
  expect(named("hindsight.mentalModelRefreshIntervalMs")).toBe("mental_model_refresh_interval_ms");
  expect(named("hindsight.apiUrl")).toBe("hindsight_url");
  expect(settingValue("memory_backend", "mnemopi")).toBe("local");
  expect(settingValue("hindsight_bank", "mnemopi")).toBe("mnemopi");
});

test("BANK-1: no other text is a setting's name", () => {
  for (const name of [
    "maxVersions",
    "max.versions",
    "memory",
    "memory.",
    ".backend",
    "memory.backend.x",
    "a.b",
  ])
    expect([name, settingNamed(name).key]).toEqual([name, null]);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."memory.bankEl_N ") }), (name) => {
      const { key } = settingNamed(name);
      if (key !== null && key !== name)
        expect(name).toMatch(/^(?:memory|hindsight|local|mnemopi)\.[A-Za-z_]+$/);
    }),
  );
});

function configOf(text: string): string {
  const path = join(new Sandbox().work, "config.yaml");
  writeFileSync(path, text);
  return path;
}

const read = (text: string) => readConfigFile(configOf(text), "user");

test("BANK-1: dotted keys and maps are read, each with its line", () => {
  const file = read(
    "# mine\nmemory:\n  backend: mnemopi\nhindsight:\n  # the team's\n  bank: work\n  retainEveryNTurns: 5\n" +
      "mnemopi.scoping: per-project\nlocal: {autoRetain: no}\n",
  );
  expect(file?.values).toEqual({
    memory_backend: "local",
    hindsight_bank: "work",
    hindsight_retain_every_n_turns: 5,
    local_scoping: "per-project",
    local_auto_retain: false,
  });
  expect(file?.locationOf("hindsight_bank")).toBe(`${file?.path}:6`);
  expect(file?.locationOf("local_scoping")).toBe(`${file?.path}:8`);
  expect(read("retain:\n  memory:\n    backend: off\n")?.values).toEqual({ memory_backend: "off" });
  expect(read("hindsight:\n")?.values).toEqual({});
});

test("BANK-1: an inapplicable setting is an error with file, line and what to do instead", () => {
  const cases = [
    ["mnemopi:\n  scoping: global\n  dbPath: /tmp/x.db\n", ":3: 'mnemopi.dbPath'", "retain where"],
    ["hindsight.apiToken: secret\n", ":1: 'hindsight.apiToken'", "hindsight_key_env"],
    ["hindsight:\n  bnak: x\n", ":2: 'hindsight.bnak' is not a setting.", "hindsight_bank"],
    ["hindsight:\n  retainMode: half\n", ":2: 'hindsight_retain_mode' cannot be \"half\"", "Send"],
    ["memory: hindsight\n", ":1: 'memory' is not a setting.", ""],
    ["memory_backend: off\nmemory:\n  backend: local\n", ":3: 'memory_backend' is already set", "Remove one"],
  ] as const;
  for (const [text, message, hint] of cases) {
    const thrown = caught(() => read(text));
    expect(thrown).toMatchObject({ code: "invalid_config" });
    expect(thrown.message).toContain(message);
    expect(thrown.hint ?? "").toContain(hint);
  }
  const project = caught(() => readConfigFile(configOf("memory:\n  backend: off\n"), "project"));
  expect(project.message).toContain(":2: a project cannot set 'memory_backend'");
});

function caught(work: () => unknown): { message: string; hint?: string } {
  try {
    work();
  } catch (error) {
    return error as { message: string; hint?: string };
  }
  throw new Error("It was let through");
}

const AROUND = [
  "# first\n",
  "created_by: Ada # me\n",
  "\n# about it\n",
  "collections: [a, b]\n",
  "history: yes\n",
];

/** Where `hindsight_bank` may stand. */
const STANDING = [
  "hindsight_bank: OLD\n",
  "hindsight.bank: OLD # a comment\n",
  "hindsight.bankId: OLD\n",
  "hindsight:\n  # a comment\n  scoping: global\n  bank: OLD\n",
  "hindsight:\n    bank: OLD   # a comment\n\n    retainMode: window\n",
  "hindsight: {bank: OLD, scoping: global}\n",
  "hindsight: {bank: OLD}\n",
];

test("BANK-1: a setting is changed in place, in its spelling, and nothing else changes", () => {
  const around = fc.shuffledSubarray(AROUND);
  fc.assert(
    fc.property(
      around,
      fc.constantFrom(...STANDING),
      around,
      fc.boolean(),
      (above, standing, below, inSection) => {
        const rest = below.filter((line) => !above.includes(line) || line.startsWith("#"));
        const source = indent(`${above.join("")}${standing}${rest.join("")}`, inSection);
        const path = configOf(source);
        const before = readConfigFile(path, "user")?.values;
        writeSetting(path, "hindsight_bank", "NEW");
        const text = readFileSync(path, "utf8");
        expect(readConfigFile(path, "user")?.values).toEqual({ ...before, hindsight_bank: "NEW" });
        if (!standing.includes("{")) expect(text).toBe(source.replace("OLD", "NEW"));
        writeSetting(path, "hindsight_bank", undefined);
        const { hindsight_bank: _, ...others } = before ?? {};
        expect(readConfigFile(path, "user")?.values).toEqual(others);
        expect(readFileSync(path, "utf8")).not.toContain("NEW");
      },
    ),
    { numRuns: 60 },
  );
});

function indent(text: string, isIn: boolean): string {
  return isIn ? `retain:\n${text.replace(/^(?=.)/gm, "  ")}` : text;
}

test("BANK-1: a duplicate setting is merged into one", () => {
  const path = configOf("memory_backend: off\n# then\nmemory:\n  backend: local\n");
  writeSetting(path, "memory_backend", "hindsight");
  expect(readFileSync(path, "utf8")).toBe("memory_backend: hindsight\n# then\nmemory:\n");
});

test("DUR-2: a setting does not overwrite what a person saves to the config at the same moment", () => {
  const path = configOf("history: true\n");
  const edited = "history: false\n";
  // It is read while the new text is made, after the file.
  const collections = Object.defineProperty([""], 0, {
    get: () => {
      writeFileSync(path, edited);
      return "memory";
    },
  });
  expect(() => writeSetting(path, "collections", collections)).toThrow("has just changed");
  expect(readFileSync(path, "utf8")).toBe(edited);
});

test("BANK-1: config get, set and unset accept any spelling", () => {
  const sandbox = new Sandbox();
  mkdirSync(sandbox.memory, { recursive: true });
  const path = join(sandbox.memory, "config.yaml");
  writeFileSync(path, "hindsight:\n  retainEveryNTurns: 7 # weekly\n");
  expect(sandbox.ok(["config", "get", "hindsight.retainEveryNTurns"]).stdout).toBe("7\n");
  const set = sandbox.ok(["config", "set", "hindsight.retainEveryNTurns", "9", "--json"]);
  expect(set.json.data).toMatchObject({ key: "hindsight_retain_every_n_turns", value: 9 });
  sandbox.ok(["config", "set", "memory.backend", "mnemopi"]);
  expect(readFileSync(path, "utf8")).toBe(
    "hindsight:\n  retainEveryNTurns: 9 # weekly\nmemory_backend: local\n",
  );
  sandbox.ok(["config", "unset", "hindsight.retainEveryNTurns"]);
  expect(sandbox.ok(["config", "get", "hindsight_retain_every_n_turns", "--json"]).json.data).toMatchObject({
    value: 3,
    source: "default",
  });
  const env = { RETAIN_MEMORY_BACKEND: "mnemopi" };
  expect(sandbox.ok(["config", "get", "memory.backend"], { env }).stdout).toBe("local\n");
  const refused = sandbox.run(["config", "set", "mnemopi.dbPath", "x"]);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("mnemopi.dbPath")]);
});
