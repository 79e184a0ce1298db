/** `retain.settings`, `models`, `skills` and `folders`: what their commands do, for programs and web pages. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain, type RetainOptions } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** No server listens there, whatever runs on this machine. */
const NO_OLLAMA = { OLLAMA_HOST: "http://127.0.0.1:1" };

function open(sandbox: Sandbox, options: RetainOptions = {}) {
  return openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: sandbox.env(NO_OLLAMA),
    ...options,
  });
}

const json = (sandbox: Sandbox, ...args: string[]) =>
  sandbox.ok([...args, "--json"], { env: NO_OLLAMA }).json.data;

test("LIB-1: settings.list and settings.get return values, sources and what the command prints", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "max_versions", "7"]);
  using retain = open(sandbox);
  const listed = await retain.settings.list();
  expect(listed).toEqual(json(sandbox, "config").settings);
  const file = join(sandbox.memory, "config.yaml");
  expect(await retain.settings.get("max_versions")).toEqual({
    key: "max_versions",
    value: 7,
    source: expect.stringContaining(`${file}:`),
  });
  using own = open(sandbox, { settings: { max_versions: 3 } });
  expect(await own.settings.get("max_versions")).toMatchObject({ value: 3, source: "flag" });
  await expect(retain.settings.get("max_version")).rejects.toMatchObject({ code: "usage" });
});

test("LIB-1: settings.set and settings.unset change the scope's config file, and the next call sees it", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  using retain = open(sandbox);
  const file = join(sandbox.work, ".retain/config.yaml");
  expect(await retain.settings.file()).toBe(file);
  expect(await retain.settings.set("max_versions", "7")).toEqual({ key: "max_versions", value: 7, file });
  expect(json(sandbox, "config", "get", "max_versions").value).toBe(7);
  expect((await retain.settings.get("max_versions")).value).toBe(7);
  const before = readFileSync(file, "utf8");
  for (const [name, text] of [
    ["max_versions", "many"],
    ["model", "ollama/llama3.2"],
  ] as const)
    await expect(retain.settings.set(name, text)).rejects.toMatchObject({ hint: expect.any(String) });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(await retain.settings.unset("max_versions")).toEqual({ key: "max_versions", file });
  expect((await retain.settings.get("max_versions")).source).toBe("default");
  using home = open(sandbox, { scope: "global" });
  expect((await home.settings.set("max_versions", "9")).file).toBe(join(sandbox.memory, "config.yaml"));
});

test("LIB-1: settings.edit passes the file and the user's editor on, and checks the result", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.settings.set("editor", "nano -w");
  const file = join(sandbox.memory, "config.yaml");
  let given: string[] = [];
  const edited = await retain.settings.edit(async (...args) => {
    given = args;
    writeFileSync(args[0], "max_versions: 5\n");
  });
  expect([edited, given]).toEqual([file, [file, "nano -w"]]);
  const spoil = retain.settings.edit(async (path) => writeFileSync(path, "max_version: 5\n"));
  await expect(spoil).rejects.toMatchObject({ code: "invalid_config" });
  expect(await retain.settings.edit(async (path) => writeFileSync(path, "max_versions: 6\n"))).toBe(file);
});

test("LIB-1: models.list is what the command prints, and models.use sets the model with warnings as values", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  expect(await retain.models.list()).toEqual(json(sandbox, "model"));
  const file = join(sandbox.memory, "config.yaml");
  expect(await retain.models.use("openai/gpt-5")).toEqual({
    model: "openai/gpt-5",
    file,
    warnings: [expect.stringContaining("No key for openai")],
  });
  expect(await retain.models.setKey("openai", " sk-test-1234567890 \n")).toMatchObject({
    provider: "openai",
    key: true,
  });
  expect(await retain.models.list()).toMatchObject({ model: "openai/gpt-5", hint: null });
  expect(await retain.models.use("none")).toEqual({ model: null, file, warnings: [] });
  expect(await retain.models.list()).toEqual(json(sandbox, "model"));
  await expect(retain.models.use("gpt-5")).rejects.toMatchObject({ code: "usage" });
});

test("LIB-1: models.useForLearning starts learning at the caller's clock", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox, { clock: () => new Date("2001-02-03T04:05:06.000Z") });
  expect(await retain.models.useForLearning("ollama/llama3.2")).toMatchObject({
    learning_model: "ollama/llama3.2",
    warnings: [],
  });
  expect(readFileSync(join(sandbox.memory, "learning/since"), "utf8")).toBe("2001-02-03T04:05:06.000Z\n");
  expect((await retain.models.list()).learning_model).toBe("ollama/llama3.2");
  expect((await retain.models.useForLearning("none")).learning_model).toBeNull();
});

test("LIB-1: models.setKey stores and removes a key, and no error repeats it", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const file = join(sandbox.memory, "keys.yaml");
  expect(await retain.models.providerForKey("groq")).toMatchObject({ name: "groq", label: "Groq" });
  expect(await retain.models.setKey("groq", "gsk-1234567890")).toEqual({ provider: "groq", key: true, file });
  expect(readFileSync(file, "utf8")).toContain("groq: gsk-1234567890");
  for (const call of [
    () => retain.models.setKey("gsk-1234567890", "x"),
    () => retain.models.providerForKey("gsk-1234567890"),
    () => retain.models.setKey("groq", "gsk 1234567890"),
    () => retain.models.setKey("groq", ""),
  ]) {
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ hint: expect.any(String) });
    expect(String(failure)).not.toContain("1234567890");
  }
  expect(await retain.models.setKey("groq", null)).toEqual({ provider: "groq", key: false, file });
  expect(readFileSync(file, "utf8")).not.toContain("gsk");
});

test("LIB-1: models.addEndpoint and models.removeEndpoint change the user's endpoints", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const endpoint = { name: "work", url: "http://llm.example.org/v1", key_env: "WORK_KEY" };
  expect(await retain.models.addEndpoint(endpoint)).toEqual({
    ...endpoint,
    action: "added",
    warnings: [expect.stringContaining("not https")],
  });
  const safe = { ...endpoint, url: "https://llm.example.org/v1" };
  expect(await retain.models.addEndpoint(safe)).toMatchObject({ action: "updated", warnings: [] });
  await retain.models.setKey("work", "secret-key-1");
  await retain.models.use("work/large");
  expect(json(sandbox, "model").providers).toContainEqual(
    expect.objectContaining({ name: "work", own: true }),
  );
  const removed = await retain.models.removeEndpoint("work");
  expect(removed).toEqual({ name: "work", warnings: [expect.stringContaining("work/large")] });
  expect(readFileSync(join(sandbox.memory, "keys.yaml"), "utf8")).not.toContain("secret-key-1");
  await expect(retain.models.removeEndpoint("work")).rejects.toMatchObject({ code: "not_found" });
  await expect(retain.models.addEndpoint({ name: "openai", url: safe.url })).rejects.toMatchObject({
    code: "exists",
  });
});

test("LIB-1: skills.create, list, trust and untrust do what the command does", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  using retain = open(sandbox);
  const path = join(sandbox.work, ".retain/skills/deploy/SKILL.md");
  expect(await retain.skills.create("deploy", "Use it to deploy.")).toEqual({
    name: "deploy",
    path,
    origin: "project",
    trusted: false,
  });
  expect(await retain.skills.trust("deploy")).toMatchObject({ path, trusted: true, changed: true });
  expect(await retain.skills.trust("deploy")).toMatchObject({ changed: false });
  const { skills, problem } = await retain.skills.list();
  expect([skills, problem]).toEqual([json(sandbox, "skills").skills, null]);
  expect(skills).toMatchObject([{ name: "deploy", trusted: true }]);
  expect(await retain.skills.untrust("deploy")).toEqual({
    name: "deploy",
    path,
    trusted: false,
    changed: true,
  });
  await expect(retain.skills.trust("deplyo")).rejects.toMatchObject({ code: "not_found" });
  using home = open(sandbox, { scope: "global" });
  expect(await home.skills.create("notes")).toMatchObject({ origin: "home", trusted: true });
  await expect(home.skills.untrust("deploy")).rejects.toMatchObject({ code: "no_project" });
  writeFileSync(join(sandbox.memory, "trusted-skills.yaml"), "skills: 5\n");
  expect((await retain.skills.list()).problem).toContain("trusted-skills.yaml");
});

test("LIB-1: folders.add, list and remove do what the command does, also in a project", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  const path = join(sandbox.home, "vault");
  mkdirSync(join(path, "Templates"), { recursive: true });
  writeFileSync(join(path, "tea.md"), "# Tea\n\nOolong steeps for three minutes.\n");
  writeFileSync(join(path, "Templates/day.md"), "# Day\n");
  using retain = open(sandbox);
  const added = { name: "vault", path, include: [], exclude: ["Templates"], count: 1 };
  expect(await retain.folders.add("~/vault", { exclude: ["Templates"] })).toEqual({
    ...added,
    action: "added",
  });
  expect(await retain.folders.add(path, { exclude: ["Templates"] })).toMatchObject({ action: "unchanged" });
  expect(await retain.folders.list()).toEqual([added]);
  expect(json(sandbox, "folders").folders).toEqual([added]);
  expect(json(sandbox, "search", "oolong", "--text").results).toMatchObject([{ collection: "vault" }]);
  await expect(retain.folders.add(path, { include: ["[a"] })).rejects.toMatchObject({ code: "usage" });
  await expect(retain.folders.add("~/valt")).rejects.toMatchObject({ code: "not_found" });
  await expect(retain.folders.remove("valt")).rejects.toMatchObject({ code: "not_found" });
  expect(await retain.folders.remove("vault")).toEqual({ name: "vault", path });
  expect([await retain.folders.list(), existsSync(join(path, "tea.md"))]).toEqual([[], true]);
});

test("LIB-1: settings, models, skills and folders name wrong types, and refuse after close", async () => {
  const sandbox = new Sandbox();
  const retain = open(sandbox);
  // biome-ignore lint/suspicious/noExplicitAny: what a caller without a compiler might do
  const loose = retain as any;
  const wrong: [() => Promise<unknown>, string][] = [
    [() => loose.settings.get(), "name"],
    [() => loose.settings.set("max_versions", 7), "value"],
    [() => loose.settings.unset(5), "name"],
    [() => loose.models.use(null), "name"],
    [() => loose.models.useForLearning(), "name"],
    [() => loose.models.providerForKey(5), "name"],
    [() => loose.models.setKey(5, "x"), "name"],
    [() => loose.models.setKey("groq", 5), "key"],
    [() => loose.models.setKey("groq"), "key"],
    [() => loose.models.addEndpoint(), "endpoint"],
    [() => loose.models.addEndpoint({ name: "a", url: "http://localhost/v1", keyEnv: "A" }), "keyEnv"],
    [() => loose.models.removeEndpoint(5), "name"],
    [() => loose.skills.create(5), "name"],
    [() => loose.skills.create("a", 5), "description"],
    [() => loose.skills.trust(), "name"],
    [() => loose.skills.untrust(5), "name"],
    [() => loose.folders.add(), "path"],
    [() => loose.folders.add(sandbox.work, { exclude: "Templates" }), "exclude"],
    [() => loose.folders.remove(), "name"],
  ];
  for (const [call, part] of wrong)
    await expect(call()).rejects.toMatchObject({ code: "usage", message: expect.stringContaining(part) });
  expect(sandbox.tree(sandbox.home)).toEqual([]);
  retain.close();
  for (const call of [
    () => retain.settings.list(),
    () => retain.models.list(),
    () => retain.skills.list(),
    () => retain.folders.list(),
  ])
    await expect(call()).rejects.toMatchObject({ code: "usage", message: "This Retain is closed." });
});
