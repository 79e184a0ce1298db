/** `retain connect --hooks`, by the files it writes and with the real Gemini CLI and opencode. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GeminiServer } from "../helpers/gemini-server.ts";
import { AGENTS, testNeeding } from "../helpers/needs.ts";
import { OpenAiServer } from "../helpers/openai-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const REPLY = "Noted.\n\n[MEMORY] Heron listens on port 8080.";

function extension(sandbox: Sandbox): string {
  return join(sandbox.home, ".gemini/extensions/retain");
}

/** Runs a hook as Gemini CLI does. */
function runHook(sandbox: Sandbox, name: string, event: object): string {
  const { hooks } = JSON.parse(readFileSync(join(extension(sandbox), "hooks/hooks.json"), "utf8"));
  const { command } = hooks[name][0].hooks[0];
  const input = { session_id: "s-1", cwd: sandbox.work, hook_event_name: name, ...event };
  const { stdout, exitCode } = Bun.spawnSync(["bash", "-c", command], {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdin: Buffer.from(JSON.stringify(input)),
  });
  expect(exitCode).toBe(0);
  return stdout.toString();
}

const shown = (text: string) => JSON.parse(text).hookSpecificOutput;

test("CONNECT-5: Gemini CLI's hooks add memory to a session and a prompt, and save each exchange once", () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_HOME: join(sandbox.root, "it's elsewhere") };
  sandbox.ok(["remember", "The user is called Ada."], { env });
  sandbox.ok(["connect", "gemini", "--hooks"], { env });
  const timestamp = "2026-11-17T10:00:00.000Z";
  expect(shown(runHook(sandbox, "SessionStart", { source: "startup", timestamp }))).toEqual({
    hookEventName: "SessionStart",
    additionalContext: expect.stringContaining("Ada"),
  });
  const prompt = "<hook_context>The user is called Ada.</hook_context>\n\nHeron listens on port 8080 now.";
  const reply = { prompt, prompt_response: REPLY, timestamp };
  for (let times = 0; times < 2; times++) expect(runHook(sandbox, "AfterAgent", reply)).toBe("");
  const { conversation } = sandbox.ok(["sessions", "show", "s-1", "--json"], { env }).json.data;
  const spoken = conversation.filter(({ role }: Record<string, string>) => role !== "system");
  expect(spoken.map(({ content }: Record<string, string>) => content)).toEqual([
    "Heron listens on port 8080 now.",
    expect.stringMatching(/^Noted\./),
  ]);
  expect(sandbox.ok(["facts"], { env }).stdout).toContain("Heron listens on port 8080.");
  const asked = { session_id: "s-2", prompt: "Which port does Heron listen on?", timestamp };
  expect(shown(runHook(sandbox, "BeforeAgent", asked))).toEqual({
    hookEventName: "BeforeAgent",
    additionalContext: expect.stringContaining("port 8080"),
  });
  expect(readdirSync(sandbox.root).filter((name) => name.startsWith("retain-hook-"))).toEqual([]);
  expect(runHook(sandbox, "AfterAgent", { prompt: 5 })).toBe("");
});

test("CONNECT-5: hooks are added on request, added again without a change, and removed without a trace", () => {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.home, ".gemini"));
  sandbox.ok(["connect", "gemini"]);
  expect(existsSync(extension(sandbox))).toBe(false);
  expect(sandbox.ok(["connect", "gemini", "--hooks", "--print"]).stdout).toContain("hook after-agent");
  expect(existsSync(extension(sandbox))).toBe(false);
  sandbox.ok(["connect", "gemini", "--hooks"]);
  expect(sandbox.ok(["connect", "gemini", "--hooks"]).stdout).toContain("already there");
  sandbox.ok(["connect", "gemini", "--undo"]);
  expect(existsSync(extension(sandbox))).toBe(false);
  expect(existsSync(join(sandbox.home, ".gemini/settings.json"))).toBe(false);
  mkdirSync(extension(sandbox), { recursive: true });
  writeFileSync(join(extension(sandbox), "gemini-extension.json"), '{"name":"retain"}');
  expect(sandbox.run(["connect", "gemini", "--hooks"]).exitCode).toBe(3);
  sandbox.ok(["connect", "gemini", "--undo"]);
  expect(readdirSync(extension(sandbox))).toEqual(["gemini-extension.json"]);
  expect(sandbox.run(["connect", "zed", "--hooks"]).exitCode).toBe(2);
});

testNeeding("gemini")(
  "CONNECT-5: the real Gemini CLI gets memory at the start and saves the exchange",
  async () => {
    const sandbox = new Sandbox();
    sandbox.ok(["remember", "The user is called Ada."]);
    sandbox.ok(["connect", "gemini", "--hooks"]);
    const settings = join(sandbox.home, ".gemini/settings.json");
    const auth = { security: { auth: { selectedType: "gemini-api-key" } } };
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), ...auth }));
    writeFileSync(
      join(sandbox.home, ".gemini/trustedFolders.json"),
      JSON.stringify({ [sandbox.work]: "TRUST_FOLDER" }),
    );
    await using server = await new GeminiServer(() => ({ text: REPLY })).start();
    const model = ["-m", "gemini-2.5-flash"];
    const gemini = Bun.spawn([AGENTS.gemini, ...model, "-p", "Heron listens on port 8080 now."], {
      cwd: sandbox.work,
      env: sandbox.env({ GEMINI_API_KEY: "a-key-of-no-use", GOOGLE_GEMINI_BASE_URL: server.origin }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = await new Response(gemini.stdout).text();
    expect([await gemini.exited, said]).toEqual([0, expect.stringContaining("Noted.")]);
    expect(server.requests[0]?.bodyText).toContain("The user is called Ada.");
    expect(server.requests[0]?.bodyText).toContain("tool server 'retain'");
    expect(sandbox.ok(["facts"]).stdout).toContain("Heron listens on port 8080.");
  },
);

/** Runs the plugin as opencode does, with a conversation as its client gives it. */
test("CONNECT-5: opencode's plugin adds memory to the system prompt and saves the newest exchange", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_HOME: join(sandbox.root, "it's elsewhere") };
  sandbox.ok(["remember", "The user is called Ada."], { env });
  sandbox.ok(["connect", "opencode", "--hooks"], { env });
  const text = (value: string, synthetic = false) => ({ type: "text", text: value, synthetic });
  const time = { created: Date.parse("2026-11-17T10:00:00Z") };
  const sessions: Record<string, object> = {
    ses_1: { id: "ses_1" },
    ses_2: { id: "ses_2", parentID: "ses_1" },
  };
  const messages = [
    {
      info: { id: "m1", role: "user", time },
      parts: [text("Heron listens on port 8080 now."), text("added by opencode", true)],
    },
    { info: { id: "m2", role: "assistant", parentID: "m1" }, parts: [{ type: "tool" }, text(REPLY)] },
    { info: { id: "m3", role: "assistant", parentID: "m1", summary: true }, parts: [text("A summary.")] },
  ];
  const client = {
    session: {
      get: async ({ path }: { path: { id: string } }) => ({ data: sessions[path.id] }),
      messages: async () => ({ data: messages }),
    },
  };
  const { Retain } = await import(join(sandbox.home, ".config/opencode/plugin/retain.js"));
  const plugin = await Retain({ client, directory: sandbox.work });
  const system = ["You are opencode."];
  await plugin["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system });
  expect(system).toEqual(["You are opencode.", expect.stringContaining("The user is called Ada.")]);
  for (const sessionID of ["ses_2", "ses_1", "ses_1", "gone"])
    await plugin.event({ event: { type: "session.idle", properties: { sessionID } } });
  const stored = sandbox.ok(["sessions", "list", "--json"], { env }).json.data.sessions;
  expect(stored.map(({ id }: { id: string }) => id)).toEqual(["ses_1"]);
  const shown = sandbox.ok(["sessions", "show", "ses_1"], { env }).stdout;
  expect(shown.match(/Heron listens on port 8080 now\./g)).toHaveLength(2); // the title, and the message
  for (const absent of ["added by opencode", "A summary."]) expect(shown).not.toContain(absent);
  expect(sandbox.ok(["facts"], { env }).stdout).toContain("Heron listens on port 8080.");
});

testNeeding("opencode")(
  "CONNECT-5: the real opencode gets memory in its system prompt and saves the exchange",
  async () => {
    const sandbox = new Sandbox();
    sandbox.ok(["remember", "The user is called Ada."]);
    await using server = await new OpenAiServer(() => ({ text: REPLY })).start();
    const options = { baseURL: server.url, apiKey: "a-key-of-no-use" };
    const provider = { "stand-in": { npm: "@ai-sdk/openai-compatible", options, models: { m: {} } } };
    mkdirSync(join(sandbox.home, ".config/opencode"), { recursive: true });
    writeFileSync(
      join(sandbox.home, ".config/opencode/opencode.jsonc"),
      JSON.stringify({ provider, model: "stand-in/m", small_model: "stand-in/m" }),
    );
    sandbox.ok(["connect", "opencode", "--hooks"]);
    const opencode = Bun.spawn([AGENTS.opencode, "run", "Heron listens on port 8080 now."], {
      cwd: sandbox.work,
      env: sandbox.env({ PWD: sandbox.work }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(opencode.stdout).text()).toContain("Noted.");
    expect(await opencode.exited).toBe(0);
    const asked = server.requests.find(({ bodyText }) => bodyText.includes("retain_recall"));
    expect(asked?.bodyText).toContain("The user is called Ada.");
    // The hook outlives opencode.
    const deadline = performance.now() + 20_000;
    while (!sandbox.ok(["facts"]).stdout.includes("8080") && performance.now() < deadline)
      await Bun.sleep(50);
    expect(sandbox.ok(["facts"]).stdout).toContain("Heron listens on port 8080.");
  },
  // opencode first tries to install its plugin library from the registry.
  120_000,
);
