import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { testNeeding } from "../helpers/needs.ts";
import { OpenAiServer } from "../helpers/openai-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const KEY = "sk-live-0123456789abcdef";
/** No server listens there, whatever runs on this machine. */
const NO_OLLAMA = { OLLAMA_HOST: "http://127.0.0.1:1" };

function config(sandbox: Sandbox): string {
  return readFileSync(join(sandbox.memory, "config.yaml"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .join("\n");
}

test("MODEL-7: the list shows the model in use and why, and which providers have a key, but not the key", () => {
  const sandbox = new Sandbox();
  const bare = sandbox.ok(["model"], { env: NO_OLLAMA }).stdout;
  expect(bare).toMatch(/^No model .*\n.*ANTHROPIC_API_KEY.*retain model use/);
  const env = { ...NO_OLLAMA, ANTHROPIC_API_KEY: KEY };
  const { stdout } = sandbox.ok(["model", "list"], { env });
  expect(stdout).toStartWith("anthropic/claude-haiku-4-5 (default");
  expect(stdout).toMatch(/^anthropic +from ANTHROPIC_API_KEY +https:\/\/api\.anthropic\.com\/v1$/m);
  expect(stdout).toMatch(/^openai +- +https:/m);
  expect(stdout).toMatch(/^ollama +not needed +http:\/\/127\.0\.0\.1:1\/v1$/m);
  const { data } = sandbox.ok(["model", "--json"], { env }).json;
  expect(data).toMatchObject({
    model: "anthropic/claude-haiku-4-5",
    hint: null,
    address: "https://api.anthropic.com/v1",
    context_tokens: 200_000,
    max_output_tokens: 8_000,
    ollama: [],
  });
  expect(data.providers[0]).toEqual({
    name: "anthropic",
    address: "https://api.anthropic.com/v1",
    key: { needed: true, from: "ANTHROPIC_API_KEY", variable: "ANTHROPIC_API_KEY" },
    own: false,
  });
  expect(stdout + JSON.stringify(data)).not.toContain(KEY);
  expect(sandbox.ok(["model", "-q"], { env }).stdout).toBe("anthropic/claude-haiku-4-5\n");
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("MODEL-7: the models of a running Ollama are listed, and choosing a missing one prints a warning", async () => {
  const sandbox = new Sandbox();
  await using server = await new OpenAiServer([], ["llama3.2:latest", "qwen3:8b"]).start();
  const env = { OLLAMA_HOST: server.origin };
  const run = async (...args: string[]) => {
    const child = sandbox.start(["model", ...args], { env });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { out, err };
  };
  expect((await run()).out).toContain("Ollama has: ollama/llama3.2:latest, ollama/qwen3:8b");
  expect(JSON.parse((await run("--json")).out).data.ollama).toEqual(["llama3.2:latest", "qwen3:8b"]);
  expect((await run("use", "ollama/llama3.2")).err).toBe("");
  expect((await run("use", "ollama/phi4")).err).toContain(
    "Ollama has no model 'phi4' yet. Get it: ollama pull phi4",
  );
});

test("MODEL-7: a setting with an invalid model is shown with how to fix it", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "--global", "model", "gpt-5"]);
  const { stdout } = sandbox.ok(["model"], { env: NO_OLLAMA });
  expect(stdout).toContain("'gpt-5'");
  expect(stdout).toContain("openai/gpt-5");
});

test("MODEL-7: a choice is written to the home config, even inside a project", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  const env = { ...NO_OLLAMA, ANTHROPIC_API_KEY: KEY };
  const used = sandbox.ok(["model", "use", "claude-sonnet-4-5"], { env });
  expect(used.stdout).toContain("anthropic/claude-sonnet-4-5");
  expect(config(sandbox)).toBe("model: anthropic/claude-sonnet-4-5");
  const listed = sandbox.ok(["model", "--json"], { env }).json.data;
  expect(listed.model).toBe("anthropic/claude-sonnet-4-5");
  expect(listed.why).toMatch(/^from .*config\.yaml:\d+$/);
  expect(sandbox.ok(["model", "use", "none", "--json"], { env }).json.data).toEqual({
    model: null,
    file: join(sandbox.memory, "config.yaml"),
  });
  expect(sandbox.ok(["model"], { env }).stdout).toMatch(/^No model .*off/);
  const overridden = sandbox.ok(["model", "use", "openai/gpt-5"], {
    env: { ...env, RETAIN_MODEL: "claude-x" },
  });
  expect(overridden.stderr).toContain("RETAIN_MODEL is set and takes precedence: claude-x");
  expect(overridden.stderr).toContain(
    "No key for openai yet. Set OPENAI_API_KEY, or: retain model key openai",
  );
});

test("MODEL-7: an invalid name changes nothing", () => {
  const sandbox = new Sandbox();
  const wrong = sandbox.run(["model", "use", "gpt-5", "--json"]);
  expect([wrong.exitCode, wrong.json.error.code]).toEqual([2, "usage"]);
  expect(wrong.json.error.hint).toContain("openai/gpt-5");
  expect(sandbox.run(["model", "use"]).stderr).toContain("name is missing");
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("MODEL-4: a key is read from a pipe, stored privately, and never shown", () => {
  const sandbox = new Sandbox();
  const given = sandbox.ok(["model", "key", "openai"], { stdin: `${KEY}\n` });
  const file = join(sandbox.memory, "keys.yaml");
  expect(given.stdout).toBe(`✓ Saved the key for openai (${file})\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain(`openai: ${KEY}\n`);
  expect(readFileSync(join(sandbox.memory, ".gitignore"), "utf8")).toContain("keys.yaml\n");
  sandbox.ok(["model", "use", "openai/gpt-5"]);
  const outputs = [
    sandbox.ok(["model"], { env: NO_OLLAMA }).stdout,
    sandbox.ok(["model", "--json"], { env: NO_OLLAMA }).stdout,
    sandbox.ok(["model", "key", "mistral", "--json", "-v"], { stdin: KEY }).stdout,
    sandbox.ok(["config"]).stdout,
  ];
  expect(outputs[0]).toMatch(/^openai +from keys\.yaml/m);
  expect(outputs.join("")).not.toContain(KEY);
  const removed = sandbox.ok(["model", "key", "openai", "--remove", "--json"]).json.data;
  expect(removed).toEqual({ provider: "openai", key: false, file });
  expect(readFileSync(file, "utf8")).not.toContain("openai");
  expect(readFileSync(file, "utf8")).toContain("mistral");
});

test("MODEL-4: a key as an argument is refused with the reason, and not repeated", () => {
  const sandbox = new Sandbox();
  for (const args of [
    ["key", "openai", KEY],
    ["key", "openai", KEY, KEY],
    ["key", KEY],
  ]) {
    const result = sandbox.run(["model", ...args]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr + result.stdout).not.toContain(KEY);
  }
  expect(sandbox.run(["model", "key", "openai", KEY]).stderr).toContain("as an argument");
  expect(sandbox.run(["model", "key", "opena"], { stdin: KEY }).stderr).toContain("Did you mean 'openai'?");
  expect(sandbox.run(["model", "key"]).stderr).toContain("name is missing");
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("MODEL-4: a text that isn't a key is not stored", () => {
  const sandbox = new Sandbox();
  for (const [stdin, said] of [
    ["", "empty"],
    [" \n", "empty"],
    ["two words", "Not a valid key"],
    ["sk-ümlaut", "Not a valid key"],
    ["a\nb", "Not a valid key"],
  ] as const) {
    const result = sandbox.run(["model", "key", "openai"], { stdin });
    expect([result.exitCode, result.stderr.includes(said)]).toEqual([2, true]);
  }
  expect(existsSync(sandbox.memory)).toBe(false);
});

testNeeding("tmux")(
  "MODEL-4: at a terminal the key is asked for and not shown while it is typed",
  async () => {
    const sandbox = new Sandbox();
    const screen = new TerminalScreen(sandbox, "retain model key openai");
    try {
      await screen.shows("Key for OpenAI (hidden):");
      screen.type("-l", "sk-wrong");
      screen.type("C-u");
      screen.type("-l", `${KEY}x`);
      screen.type("BSpace");
      screen.type("Enter");
      const shown = await screen.shows("[exit 0]");
      expect(shown).not.toContain("sk-");
      expect(readFileSync(join(sandbox.memory, "keys.yaml"), "utf8")).toContain(`openai: ${KEY}\n`);
    } finally {
      screen.close();
    }
  },
);

testNeeding("tmux")("MODEL-4: Ctrl-C at the key prompt changes nothing", async () => {
  const sandbox = new Sandbox();
  const screen = new TerminalScreen(sandbox, "retain model key openai");
  try {
    await screen.shows("Key for OpenAI");
    screen.type("-l", "sk-half");
    screen.type("C-c");
    await screen.shows("[exit 130]");
    expect(existsSync(sandbox.memory)).toBe(false);
  } finally {
    screen.close();
  }
});

test("MODEL-4: a key file that others can read is refused, with what to do", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["model", "key", "openai"], { stdin: KEY });
  const file = join(sandbox.memory, "keys.yaml");
  chmodSync(file, 0o644);
  for (const args of [["model"], ["model", "key", "groq"], ["model", "list", "--json"]]) {
    const result = sandbox.run(args, { stdin: "another", env: NO_OLLAMA });
    expect(result.exitCode).toBe(3);
    expect(result.stderr + result.stdout).toContain(`chmod 600 ${file}`);
    expect(result.stderr + result.stdout).not.toContain(KEY);
  }
  expect(readFileSync(file, "utf8")).not.toContain("another");
});

test("MODEL-7: a custom endpoint is added, used, changed and removed", () => {
  const sandbox = new Sandbox();
  const added = sandbox.ok(["model", "add", "work", "https://llm.example.org/v1", "--key-env", "WORK_KEY"]);
  expect(added.stdout).toStartWith("✓ Added 'work': https://llm.example.org/v1\n");
  expect(config(sandbox)).toBe(
    "model_endpoints:\n  - name: work\n    url: https://llm.example.org/v1\n    key_env: WORK_KEY",
  );
  const env = { ...NO_OLLAMA, WORK_KEY: KEY };
  sandbox.ok(["model", "use", "work/gpt-oss"], { env });
  const listed = sandbox.ok(["model", "--json"], { env }).json.data;
  expect(listed).toMatchObject({
    model: "work/gpt-oss",
    address: "https://llm.example.org/v1",
    context_tokens: 32_000,
  });
  expect(listed.providers.at(-1)).toMatchObject({ name: "work", own: true, key: { from: "WORK_KEY" } });
  const changed = sandbox.ok(["model", "add", "work", "http://10.0.0.5/v1", "--json"]);
  expect(changed.json.data).toEqual({
    name: "work",
    url: "http://10.0.0.5/v1",
    key_env: null,
    action: "updated",
  });
  expect(changed.json.warnings).toEqual([expect.stringContaining("http://10.0.0.5/v1 is not https")]);
  sandbox.ok(["model", "key", "work"], { stdin: KEY });
  const removed = sandbox.ok(["model", "remove", "work"]);
  expect(removed.stderr).toContain("work/gpt-oss");
  expect(readFileSync(join(sandbox.memory, "keys.yaml"), "utf8")).not.toContain(KEY);
  expect(config(sandbox)).toBe("model: work/gpt-oss");
});

test("MODEL-7: an endpoint's address with parameters is refused, and the parameters are not repeated", () => {
  const sandbox = new Sandbox();
  for (const rest of [`?key=${KEY}`, "#chat"]) {
    const result = sandbox.run(["model", "add", "work", `https://llm.example.org/v1${rest}`]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("retain model key work");
    expect(result.stderr + result.stdout).not.toContain(KEY);
  }
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("MODEL-7: an invalid endpoint is refused before anything is created", () => {
  const sandbox = new Sandbox();
  const refused = (...args: string[]) => {
    const { exitCode, json } = sandbox.run(["model", ...args, "--json"]);
    return [exitCode, json.error.code];
  };
  expect(refused("add", "work")).toEqual([2, "usage"]);
  expect(refused("add", "openai", "https://x.example.org/v1")).toEqual([3, "exists"]);
  expect(refused("add", "Work It", "https://x.example.org/v1")).toEqual([2, "invalid_name"]);
  expect(refused("add", "work", "ftp://x")).toEqual([2, "invalid_input"]);
  expect(refused("add", "work", "https://ada:pw@x.example.org/v1")).toEqual([2, "invalid_input"]);
  expect(refused("add", "work", "https://x.example.org/v1", "--key-env", "not-a-name")).toEqual([
    2,
    "invalid_config",
  ]);
  expect(refused("remove", "work")).toEqual([1, "not_found"]);
  expect(refused("remove", "openai")).toEqual([1, "not_found"]);
  expect(refused("remove")).toEqual([2, "usage"]);
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("MODEL-7: endpoints and keys added at the same time are all stored", async () => {
  const sandbox = new Sandbox();
  const names = ["one", "two", "three"];
  const adding = names.map((name) => sandbox.start(["model", "add", name, `http://localhost/${name}`]));
  for (const child of adding) expect(await child.exited).toBe(0);
  const giving = names.map((name) => sandbox.start(["model", "key", name], { stdin: `key-${name}` }));
  for (const child of giving) expect(await child.exited).toBe(0);
  const { providers } = sandbox.ok(["model", "--json"], { env: NO_OLLAMA }).json.data;
  const own = providers.filter(({ own: isOwn }: { own: boolean }) => isOwn);
  expect(own.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
  for (const { key } of own) expect(key.from).toBe("keys.yaml");
});

test("MODEL-3: a project's config can choose neither the model nor its address", () => {
  for (const [line, command] of [
    ["model: evil/model", "retain config set --global model"],
    ["model_endpoints: [{name: evil, url: 'http://evil.example.org/v1'}]", "retain model add"],
    ["model_timeout_seconds: 1", "retain config set --global model_timeout_seconds"],
    ["model_context_tokens: 5000", "retain config set --global model_context_tokens"],
    ["model_max_output_tokens: 5000", "retain config set --global model_max_output_tokens"],
  ] as const) {
    const sandbox = new Sandbox();
    sandbox.write(".retain/config.yaml", `${line}\n`);
    const result = sandbox.run(["list"]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("a project cannot set");
    expect(result.stderr).toContain(command);
  }
});

test("MODEL-1: a family of models leads to its provider, on the command line and in the chat", async () => {
  const sandbox = new Sandbox();
  for (const args of [
    ["model", "use", "claude"],
    ["model", "learning", "claude"],
    ["-p", "--model", "claude", "hello"],
  ]) {
    const { exitCode, stderr } = sandbox.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("anthropic/claude-haiku-4-5");
  }
  expect(sandbox.tree(sandbox.memory)).toEqual([]);
});

test("MODEL-7: an unknown action or a wrong option is an error", async () => {
  const sandbox = new Sandbox();
  const said = (...args: string[]) => {
    const { exitCode, stderr } = sandbox.run(["model", ...args]);
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(said("frobnicate")).toContain("list, use, learning, key, add, remove");
  expect(said("list", "x")).toContain("'x' for 'model list'");
  expect(said("use", "claude-x", "y")).toContain("'y' for 'model use'");
  expect(said("use", "claude-x", "--key-env", "X")).toContain("'model add'");
  expect(said("remove", "x", "--remove")).toContain("'model key'");
  await sandbox.makeProject();
  expect(said("use", "claude-x", "--local")).toContain("--local");
});
