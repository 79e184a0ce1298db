/** `retain connect gemini --hooks`, by the files it writes and with the real Gemini CLI. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GeminiServer } from "../helpers/gemini-server.ts";
import { AGENTS, testNeeding } from "../helpers/needs.ts";
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
  expect(sandbox.ok(["connect", "gemini", "--hooks"]).stdout).toContain("already in");
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
