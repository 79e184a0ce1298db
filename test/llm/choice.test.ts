/** Choosing a model, its URL and key, and its cost. */
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openModels } from "../../src/app/agent/models.ts";
import { resolveWorkspace } from "../../src/config/resolve-workspace.ts";
import { SETTINGS } from "../../src/config/schema.ts";
import type { RetainError } from "../../src/core/errors.ts";
import { openChatModel } from "../../src/llm/chat-model.ts";
import { asModel } from "../../src/llm/complete.ts";
import { KeyFile } from "../../src/llm/keys.ts";
import { findOllama, findServed } from "../../src/llm/ollama.ts";
import { costOf } from "../../src/llm/prices.ts";
import { addressOf, allProviders, isLoopback, providerNamed, shownAddress } from "../../src/llm/providers.ts";
import { chooseModel, type ModelSettings, readModelName } from "../../src/llm/spec.ts";
import { FakeTiming } from "../helpers/fake-timing.ts";
import { OpenAiServer } from "../helpers/openai-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { KEY, requestOf, serve, specFor } from "./asking.ts";

/** An address where nothing listens. */
const NO_OLLAMA = { OLLAMA_HOST: "http://127.0.0.1:1" };
const WORK = { name: "work", url: "https://llm.example.org/v1/", key_env: "WORK_KEY" };
const PLAIN = { name: "plain", url: "http://10.0.0.5:8000/v1" };

function settings(changes: Partial<ModelSettings> = {}): ModelSettings {
  return {
    model: SETTINGS.model.default,
    model_endpoints: [WORK, PLAIN],
    model_context_tokens: SETTINGS.model_context_tokens.default,
    model_max_output_tokens: SETTINGS.model_max_output_tokens.default,
    model_timeout_seconds: SETTINGS.model_timeout_seconds.default,
    ...changes,
  };
}

function choose(
  model: string,
  env: Record<string, string> = {},
  wanted?: string,
  keys = new Map<string, string>(),
) {
  return chooseModel({
    asker: "person",
    settings: settings({ model }),
    env,
    keys,
    ...(wanted === undefined ? {} : { wanted }),
  });
}

function errorOf(run: () => unknown): RetainError {
  try {
    run();
  } catch (error) {
    return error as RetainError;
  }
  throw new Error("Nothing was thrown.");
}

test("MODEL-1: a model's name is provider/model, and the model may contain slashes", () => {
  const read = (name: string) => {
    const { provider, model } = readModelName(name, settings());
    return [provider.name, model];
  };
  expect(read("anthropic/claude-sonnet-4-5")).toEqual(["anthropic", "claude-sonnet-4-5"]);
  expect(read("claude-sonnet-4-5")).toEqual(["anthropic", "claude-sonnet-4-5"]);
  expect(read("openrouter/meta/llama-4:free")).toEqual(["openrouter", "meta/llama-4:free"]);
  expect(read("ollama/hf.co/org/name:Q4_K_M")).toEqual(["ollama", "hf.co/org/name:Q4_K_M"]);
  expect(read("work/gpt-oss")).toEqual(["work", "gpt-oss"]);
});

test("MODEL-1: an invalid name is an error with a hint", () => {
  const of = (name: string) => errorOf(() => readModelName(name, settings()));
  const hinted = (text: string) => ({ code: "usage", hint: expect.stringContaining(text) });
  expect(of("gpt-5")).toMatchObject(hinted("openai/gpt-5"));
  expect(of("ollama")).toMatchObject(hinted("ollama/"));
  expect(of("groq")).toMatchObject(hinted("groq/…"));
  expect(of("antropic/claude")).toMatchObject(hinted("'anthropic'"));
  expect(of("xyzzy/x")).toMatchObject(hinted("anthropic, openai, ollama"));
  for (const name of ["", "/", "/x", "openai/", "openai/a b", "openai/\u001b[31m"])
    expect(of(name)).toMatchObject(hinted("anthropic/claude-haiku-4-5"));
});

test("MODEL-1: a provider or a family of models leads to the provider's models", () => {
  const hintFor = (name: string) => errorOf(() => readModelName(name, settings())).hint ?? "";
  const providers = allProviders(settings());
  for (const { name, known } of providers)
    for (const model of known) {
      const [family = ""] = /^[a-z]+/.exec(model) ?? [];
      for (const word of [name, family, family.toUpperCase()])
        expect(hintFor(word)).toContain(`${name}/${model}`);
      expect(hintFor(`${family}/${model}`)).toContain(`'${name}'`);
    }
  expect(hintFor("sonnet")).toContain("anthropic/claude-sonnet");
  expect(hintFor("sonnet")).not.toContain("haiku");
  expect(hintFor("gpt-4o")).toContain("openai/gpt-4o");
  expect(hintFor("gemini-pro")).toContain("gemini/gemini-pro");
  expect(hintFor("llama9")).toContain("ollama/llama9");
  expect(hintFor("unheard-of")).toContain("ollama/unheard-of");
});

test("MODEL-1: any name is either rejected or parsed, and a parsed name round-trips", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((rest) => `openai/${rest}`),
      ),
      (name) => {
        try {
          const { provider, model } = readModelName(name, settings());
          expect(readModelName(`${provider.name}/${model}`, settings())).toEqual({ provider, model });
        } catch (error) {
          expect((error as RetainError).code).toBe("usage");
        }
      },
    ),
  );
});

test("MODEL-1: each provider has a URL and a key variable, and the usual variables override the URL", () => {
  const at = (name: string, env: Record<string, string> = {}) =>
    addressOf(providerNamed(name, settings()), env);
  expect(at("anthropic")).toBe("https://api.anthropic.com/v1");
  expect(at("anthropic", { ANTHROPIC_BASE_URL: "http://127.0.0.1:9/" })).toBe("http://127.0.0.1:9/v1");
  expect(at("anthropic", { ANTHROPIC_BASE_URL: "https://gate/v1" })).toBe("https://gate/v1");
  expect(at("openai", { OPENAI_BASE_URL: "https://gate/openai/" })).toBe("https://gate/openai");
  expect(at("ollama")).toBe("http://localhost:11434/v1");
  const hosts = {
    "0.0.0.0": "http://localhost:11434/v1",
    "0.0.0.0:11500": "http://localhost:11500/v1",
    "[::]:11500": "http://localhost:11500/v1",
    ":11500": "http://localhost:11500/v1",
    box: "http://box:11434/v1",
    "box:80": "http://box/v1",
    "http://box": "http://box/v1",
    "https://box.example.org/": "https://box.example.org/v1",
    "http://box:11434/v1": "http://box:11434/v1",
  };
  for (const [host, address] of Object.entries(hosts))
    expect(at("ollama", { OLLAMA_HOST: host })).toBe(address);
  expect(at("work")).toBe("https://llm.example.org/v1");
  const variables = Object.fromEntries(
    [
      "anthropic",
      "openai",
      "ollama",
      "lmstudio",
      "openrouter",
      "groq",
      "mistral",
      "deepseek",
      "gemini",
      "work",
    ].map((name) => [name, providerNamed(name, settings()).keyEnv]),
  );
  expect(variables).toEqual({
    anthropic: "ANTHROPIC_API_KEY",
    openai: "OPENAI_API_KEY",
    ollama: null,
    lmstudio: null,
    openrouter: "OPENROUTER_API_KEY",
    groq: "GROQ_API_KEY",
    mistral: "MISTRAL_API_KEY",
    deepseek: "DEEPSEEK_API_KEY",
    gemini: "GEMINI_API_KEY",
    work: "WORK_KEY",
  });
  const wrong = errorOf(() => at("openai", { OPENAI_BASE_URL: "not an address" }));
  expect(wrong).toMatchObject({
    code: "invalid_config",
    message: expect.stringMatching(/^OPENAI_BASE_URL .*'not an address'/),
  });
});

test("MODEL-1: an endpoint cannot have the name of a built-in provider", () => {
  const taken = settings({ model_endpoints: [{ name: "openai", url: "http://evil.example.org/v1" }] });
  expect(errorOf(() => readModelName("openai/gpt-5", taken)).code).toBe("invalid_config");
});

test("MODEL-1: loopback addresses are recognised, and no password is shown", () => {
  for (const url of ["http://localhost:1/v1", "http://127.0.0.1/v1", "http://127.9.9.9/", "http://[::1]:80/"])
    expect([url, isLoopback(url)]).toEqual([url, true]);
  for (const url of ["http://10.0.0.1/", "http://localhost.example.org/", "http://128.0.0.1/", "nonsense"])
    expect([url, isLoopback(url)]).toEqual([url, false]);
  expect(shownAddress("https://ada:secret@host:8/v1/?key=secret#x")).toBe("https://host:8/v1");
});

test("MODEL-3: Anthropic's small model is the default if its key is set, otherwise there is no model", () => {
  const without = choose("");
  expect(without).toMatchObject({ none: "No model is configured." });
  expect("hint" in without && String(without.hint)).toBe(
    "Set ANTHROPIC_API_KEY, or choose one: retain model use ollama/llama3.2",
  );
  expect(choose("", { OPENAI_API_KEY: "x" })).toMatchObject({ none: "No model is configured." });
  expect(choose("", { ANTHROPIC_API_KEY: " " })).toMatchObject({ none: "No model is configured." });
  expect(choose("", { ANTHROPIC_API_KEY: KEY })).toEqual({
    spec: {
      provider: "anthropic",
      label: "Anthropic",
      model: "claude-haiku-4-5",
      api: "anthropic",
      url: "https://api.anthropic.com/v1",
      key: KEY,
      keyEnv: "ANTHROPIC_API_KEY",
      contextTokens: 200_000,
      maxOutputTokens: 8_000,
      timeoutSeconds: 600,
      local: false,
    },
    because: "ANTHROPIC_API_KEY is set",
  });
});

test("MODEL-3: the setting selects the model, an explicit choice overrides it, and 'none' is valid", () => {
  const env = { ANTHROPIC_API_KEY: KEY, OLLAMA_HOST: "box" };
  expect(choose("ollama/llama3.2", env)).toMatchObject({
    spec: {
      provider: "ollama",
      model: "llama3.2",
      api: "openai",
      key: null,
      contextTokens: 32_000,
      local: false,
    },
  });
  expect(choose("ollama/llama3.2", env, "claude-sonnet-4-5")).toMatchObject({
    spec: { model: "claude-sonnet-4-5" },
  });
  expect(choose("lmstudio/x")).toMatchObject({ spec: { local: true, key: null } });
  const off = { none: expect.stringContaining("switched off") };
  expect(choose("none", env)).toMatchObject(off);
  expect(choose("ollama/x", env, "none")).toMatchObject(off);
  expect(choose("plain/x")).toMatchObject({ spec: { key: null, url: "http://10.0.0.5:8000/v1" } });
});

test("MODEL-3: a missing key disables the configured model, and is an error for an explicitly chosen one", () => {
  const missing = expect.stringContaining("openai/gpt-5");
  const hint = expect.stringMatching(/OPENAI_API_KEY.*retain model key openai/);
  const without = choose("openai/gpt-5");
  expect({ ...without, hint: "hint" in without && String(without.hint) }).toEqual({ none: missing, hint });
  const error = errorOf(() => choose("", {}, "openai/gpt-5"));
  expect(error).toMatchObject({ code: "invalid_config", message: missing, hint });
  expect(errorOf(() => choose("gpt-5")).code).toBe("invalid_config");
  expect(errorOf(() => choose("gpt-5")).message).toMatch(/`model`: .*'gpt-5'/);
  expect(errorOf(() => choose("", {}, "gpt-5")).code).toBe("usage");
});

test("MODEL-4: a key comes from the environment, otherwise from a file that only its owner can read", () => {
  const root = mkdtempSync(join(tmpdir(), "retain-keys-"));
  try {
    const file = new KeyFile(root);
    expect(file.get("openai")).toBeNull();
    file.set("openai", "sk-from-file");
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(file.get("openai")).toBe("sk-from-file");
    const chosen = (env: Record<string, string>) =>
      chooseModel({
        ...{ asker: "machine", settings: settings({ model: "openai/gpt-5" }), env },
        keys: new KeyFile(root),
      });
    expect(chosen({})).toMatchObject({ spec: { key: "sk-from-file" } });
    expect(chosen({ OPENAI_API_KEY: "sk-from-env" })).toMatchObject({ spec: { key: "sk-from-env" } });
    file.set("mistral", "another");
    file.set("openai", null);
    expect([file.get("openai"), file.get("mistral")]).toEqual([null, "another"]);
    expect(readFileSync(file.path, "utf8")).toStartWith("# Keys of model providers");
    expect(readFileSync(join(root, ".gitignore"), "utf8")).toBe("keys.yaml\n");
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("MODEL-4: an invalid keys file, or one that others can read, is rejected without showing its contents", () => {
  const root = mkdtempSync(join(tmpdir(), "retain-keys-"));
  try {
    const path = join(root, "keys.yaml");
    const of = (text: string, mode: number) => {
      rmSync(path, { force: true });
      writeFileSync(path, text, { mode });
      const errors = [
        errorOf(() => new KeyFile(root).get("openai")),
        ...(text.includes("openai: [") ? [] : [errorOf(() => new KeyFile(root).set("openai", "sk-new"))]),
      ];
      for (const error of errors) expect(`${error.message} ${error.hint}`).not.toContain("SECRET");
      expect(readFileSync(path, "utf8")).toBe(text);
      return errors[0];
    };
    const open = of("openai: SECRET\n", 0o644);
    expect(open).toMatchObject({ code: "unsafe", hint: expect.stringContaining(`chmod 600 ${path}`) });
    expect(of("openai: SECRET\n  x: - *SECRET\n", 0o600)?.code).toBe("invalid_config");
    expect(of("- SECRET\n", 0o600)?.code).toBe("invalid_config");
    expect(of("openai: [SECRET]\n", 0o600)).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("'openai'"),
    });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("MODEL-4: the keys file is not read if the environment has the key", () => {
  const keys = {
    get: () => {
      throw new Error("looked at");
    },
  };
  const choice = { asker: "person" as const, settings: settings(), env: { ANTHROPIC_API_KEY: KEY }, keys };
  expect(chooseModel(choice)).toMatchObject({ spec: { key: KEY } });
});

test("MODEL-7: a local Ollama lists its models; no server, another server or another host lists none", async () => {
  await using server = await new OpenAiServer([], ["llama3.2:latest", "qwen3:8b", "odd\u001bname"]).start();
  expect(await findOllama(`${server.origin}/v1`)).toEqual(["llama3.2:latest", "qwen3:8b"]);
  expect(await findOllama(`${server.origin}/`)).toEqual(["llama3.2:latest", "qwen3:8b"]);
  const answers = (answer: () => Promise<Response>) => findOllama("http://localhost:11434/v1", answer);
  expect(await answers(async () => new Response("<html>"))).toEqual([]);
  expect(await answers(async () => Response.json({ models: "none" }))).toEqual([]);
  expect(await answers(async () => new Response("", { status: 500 }))).toEqual([]);
  expect(await answers(() => Promise.reject(new Error("refused")))).toEqual([]);
  const never = await findOllama("http://localhost:11434", (_, { signal }) => {
    if (!(signal instanceof AbortSignal)) throw new Error("waits for ever");
    return Promise.reject(signal.reason);
  });
  expect(never).toEqual([]);
  let asked = false;
  await findOllama("http://10.0.0.1:11434", async () => {
    asked = true;
    return new Response();
  });
  expect(asked).toBe(false);
});

test("MODEL-7: another local server lists its models too, and no other host is asked", async () => {
  const answer = async () => Response.json({ data: [{ id: "qwen3-8b" }, { id: "odd\u001bname" }, null] });
  expect(await findServed("http://localhost:1234/v1", answer)).toEqual(["qwen3-8b"]);
  expect(await findServed("http://10.0.0.1:1234/v1", answer)).toEqual([]);
  expect(await findServed("http://localhost:1234/v1", async () => new Response("<html>"))).toEqual([]);
});

test("MODEL-7: a chat offers the models that would work, and skips a provider with an invalid URL or key", async () => {
  await using server = await new OpenAiServer([], ["llama3.2:latest"]).start();
  const sandbox = new Sandbox();
  const offered = async (env: Record<string, string>) => {
    const { work: cwd, home: homeDirectory } = sandbox;
    const surroundings = { cwd, homeDirectory, env: { ...NO_OLLAMA, ...env }, userId: null };
    const resolve = () => resolveWorkspace(surroundings, "global");
    const models = openModels(
      { settingsNow: () => resolve().config.settings, choice: resolve().choice, surroundings },
      "person",
    );
    return (await models.offers()).map(({ name, detail }) => `${name} (${detail})`);
  };
  expect(await offered({})).toEqual([]);
  const gpt = ["openai/gpt-5-mini (OPENAI_API_KEY)", "openai/gpt-5 (OPENAI_API_KEY)"];
  const llama = "ollama/llama3.2:latest (Ollama, on this machine)";
  const OPENAI_API_KEY = KEY;
  expect(await offered({ OPENAI_API_KEY, OLLAMA_HOST: server.origin })).toEqual([...gpt, llama]);
  expect(await offered({ OPENAI_API_KEY, OLLAMA_HOST: "http://[" })).toEqual(gpt);
  expect(await offered({ OPENAI_API_KEY, OPENAI_BASE_URL: "nowhere", OLLAMA_HOST: server.origin })).toEqual([
    llama,
  ]);
  mkdirSync(sandbox.memory);
  const file = join(sandbox.memory, "keys.yaml");
  writeFileSync(file, `anthropic: ${KEY}\n`, { mode: 0o600 });
  expect((await offered({}))[0]).toBe("anthropic/claude-haiku-4-5 (key stored)");
  chmodSync(file, 0o644);
  expect(await offered({ OPENAI_API_KEY, OLLAMA_HOST: server.origin })).toEqual([...gpt, llama]);
  writeFileSync(file, "anthropic: [\n");
  chmodSync(file, 0o600);
  expect(await offered({ OPENAI_API_KEY })).toEqual(gpt);
});

test("LLM-17: a reply's cost is known for Anthropic, zero for local models, and unknown otherwise", () => {
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 400_000, cacheWrite: 200_000 };
  const cost = (model: string, provider = "anthropic", local = false) =>
    costOf({ provider, model, local }, usage);
  // 400,000 plain, 200,000 written at 1.25, 400,000 read at 0.1: 690,000 of input.
  expect(cost("claude-haiku-4-5")).toBeCloseTo(0.69 + 0.5);
  expect(cost("claude-haiku-4-5-20251001")).toBeCloseTo(0.69 + 0.5);
  expect(cost("claude-sonnet-4-5")).toBeCloseTo(0.69 * 3 + 1.5);
  expect(cost("claude-sonnet-4-20250514")).toBeCloseTo(0.69 * 3 + 1.5);
  expect(cost("claude-opus-4-5")).toBeCloseTo(0.69 * 5 + 2.5);
  expect(cost("claude-opus-4-1-20250805")).toBeCloseTo(0.69 * 15 + 7.5);
  expect(cost("claude-opus-9")).toBeNull();
  expect(cost("gpt-5", "openai")).toBeNull();
  expect(cost("llama3.2", "ollama", true)).toBe(0);
  expect(cost("llama3.2", "ollama", false)).toBeNull();
  expect(cost("anything", "work", true)).toBeNull();
  const unknown = { input: null, output: 5, cacheRead: null, cacheWrite: null };
  expect(costOf({ provider: "anthropic", model: "claude-haiku-4-5", local: false }, unknown)).toBeNull();
  const plain = { input: 1_000_000, output: 0, cacheRead: null, cacheWrite: null };
  expect(costOf({ provider: "anthropic", model: "claude-haiku-4-5", local: false }, plain)).toBe(1);
});

test("LLM-17: a model knows its name and the cost of its replies", async () => {
  await using server = await serve("anthropic", [{ text: "Yes.", usage: { input: 1_000, output: 1_000 } }]);
  const model = openChatModel(specFor("anthropic", server.origin), new FakeTiming());
  expect([model.name, model.contextTokens]).toEqual(["anthropic/claude-haiku-4-5", 200_000]);
  for await (const event of model.stream(requestOf(), new AbortController().signal))
    if (event.type === "end") expect(model.costOf(event.usage)).toBeCloseTo(0.006);
});

test("a prompt returns the complete answer, or throws an error with the reason", async () => {
  await using server = await serve("anthropic", [
    { thinking: "Hm.", text: "All of it." },
    { status: 401, body: { type: "error", error: { type: "authentication_error", message: "no" } } },
    { text: "Half of", stop: "max_tokens" },
    { text: "No.", stop: "refusal" },
    { text: "Half of it", endAfter: 4 },
  ]);
  const model = asModel(openChatModel(specFor("anthropic", server.origin), new FakeTiming()));
  expect(await model.complete("Say it.")).toBe("All of it.");
  expect(server.last.body.messages).toEqual([{ role: "user", content: [{ type: "text", text: "Say it." }] }]);
  const reasons = ["rejected", "length limit", "declined", "cut off"];
  for (const reason of reasons) {
    const error = await model.complete("Say it.").catch((thrown: RetainError) => thrown);
    expect(error).toMatchObject({ code: "model", message: expect.stringContaining(reason) });
  }
  const stopped = asModel(openChatModel(specFor("anthropic", server.origin)), AbortSignal.abort());
  await expect(stopped.complete("Say it.")).rejects.toThrow("stopped");
});

test("MODEL-4: an existing .gitignore keeps its lines", () => {
  const root = mkdtempSync(join(tmpdir(), "retain-keys-"));
  try {
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/.gitignore"), "retain.db*\nmine");
    new KeyFile(join(root, "inner")).set("groq", "x");
    new KeyFile(join(root, "inner")).set("groq", "y");
    expect(readFileSync(join(root, "inner/.gitignore"), "utf8")).toBe("retain.db*\nmine\nkeys.yaml\n");
    expect(existsSync(join(root, ".gitignore"))).toBe(false);
  } finally {
    rmSync(root, { recursive: true });
  }
});
