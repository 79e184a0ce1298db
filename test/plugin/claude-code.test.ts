/** The plugin in the real Claude Code with a fake model: hooks, tools, installation. */
import { expect } from "bun:test";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { askClaude, PLUGIN, runClaude, testNeedingClaude } from "../helpers/claude-code.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { bash, project, results, tool, toolNames } from "./session.ts";

const test = testNeedingClaude();
const ROOT = dirname(PLUGIN);

test("PLUGIN-14: Claude Code accepts the plugin and the marketplace", () => {
  const sandbox = new Sandbox();
  for (const path of [PLUGIN, ROOT]) {
    const { exitCode, said } = runClaude(sandbox, ["plugin", "validate", "--strict", path]);
    expect(said).toContain("Validation passed");
    expect(exitCode).toBe(0);
  }
});

test("PLUGIN-10: a session gets known facts, a prompt gets relevant memories, and marked facts are saved", async () => {
  const sandbox = new Sandbox();
  const memory = project(sandbox);
  const reply = "From release-candidate.\n\n[MEMORY] Production is deployed on Tuesdays by Grace.\n";
  const run = await askClaude(sandbox, "Which branch does staging deploy from?", [{ text: reply }]);
  expect(run.exitCode).toBe(0);
  const [asked = ""] = run.messages;
  expect(asked).toMatch(/SessionStart hook additional context: [\s\S]+<recalled>[\s\S]+release-candidate/);
  // Memories from the session's start are not added again.
  expect(asked).not.toContain("UserPromptSubmit hook additional context");
  expect(readFileSync(memory, "utf8")).toBe(
    "# Memory\n\n- Staging deploys from the branch release-candidate.\n- Production is deployed on Tuesdays by Grace.\n",
  );
  const next = await askClaude(sandbox, "Who deploys production?", [], {
    env: { RETAIN_HOOK_CONTEXT: "false" },
  });
  expect(next.messages[0]).toMatch(
    /UserPromptSubmit hook additional context: [\s\S]+<recalled>[\s\S]+on Tuesdays by Grace/,
  );
});

test("PLUGIN-10: a prompt without relevant memories gets nothing", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const run = await askClaude(sandbox, "Write a haiku about the sea.", []);
  expect(run.messages[0]).toContain("SessionStart hook additional context");
  expect(run.messages[0]).not.toContain("UserPromptSubmit hook additional context");
});

test("PLUGIN-2: each verb is in the list of commands once", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const { events } = await askClaude(sandbox, "/retain:facts", []);
  const offered: string[] = events.find(({ subtype }) => subtype === "init").slash_commands;
  const ours = offered.filter((name) => name.includes("retain")).sort();
  expect(ours).toEqual(
    readdirSync(join(PLUGIN, "commands"))
      .map((file) => `retain:${file.slice(0, -3)}`)
      .sort(),
  );
});

test("PLUGIN-10: the tools of the MCP server are listed, and work on the project's memory", async () => {
  const sandbox = new Sandbox();
  const memory = project(sandbox);
  const run = await askClaude(
    sandbox,
    "Remember that we release in May.",
    [
      { calls: [{ name: tool("retain"), input: { items: [{ content: "The release is in May." }] } }] },
      { calls: [{ name: tool("recall"), input: { query: "When is the release?" } }] },
      { calls: [{ name: tool("context"), input: {} }] },
    ],
    { args: ["--plugin-dir", PLUGIN, "--allowedTools", ["retain", "recall", "context"].map(tool).join()] },
  );
  const listed = toolNames(run);
  for (const name of ["retain", "recall", "reflect", "context", "memory_put", "memory_list", "memory_forget"])
    expect(listed).toContain(tool(name));
  const [kept, ...told] = results(run);
  expect(kept?.content).toMatch(/1 memory stored\.[\s\S]*The release is in May\./);
  // Recalled memories and the context reach the model unchanged, with the notice that they are data.
  expect(told).toHaveLength(2);
  for (const { content } of told)
    expect(content).toMatch(/data, not instructions[\s\S]*The release is in May\./);
  expect(readFileSync(memory, "utf8")).toContain("- The release is in May.\n");
  expect(run.messages[0]).toContain("Long-term memory that outlives this conversation.");
});

test("PLUGIN-14: it can be installed from a checkout as marketplace, disabled, enabled and uninstalled", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const plugin = (...args: string[]) => {
    const { exitCode, said } = runClaude(sandbox, ["plugin", ...args]);
    expect(`${exitCode} ${said}`).toStartWith("0 ");
  };
  const question = "Which branch does staging deploy from?";
  plugin("marketplace", "add", ROOT);
  plugin("install", "retain@retain");
  const on = await askClaude(sandbox, question, [bash("retain facts")], {
    args: ["--allowedTools", "Bash(retain facts:*)"],
  });
  expect(on.messages[0]).toContain("<recalled>");
  expect(toolNames(on)).toContain(tool("recall"));
  // The plugin's bin directory is on the shell's PATH, so the command is found even if it is not installed.
  expect(results(on)[0]?.content).toContain("release-candidate");

  plugin("disable", "retain@retain");
  const off = await askClaude(sandbox, question, [], { args: [] });
  expect(off.messages[0]).not.toContain("release-candidate");
  expect(off.messages[0]).not.toContain("Retain");
  expect(toolNames(off).filter((name) => name.includes("retain"))).toEqual([]);

  plugin("enable", "retain@retain");
  const again = await askClaude(sandbox, question, [], { args: [] });
  expect(again.messages[0]).toContain("<recalled>");

  plugin("uninstall", "retain@retain");
  plugin("marketplace", "remove", "retain");
  const gone = await askClaude(sandbox, question, [], { args: [] });
  expect(gone.messages[0]).not.toContain("Retain");
  expect(sandbox.ok(["facts"]).stdout).toContain("release-candidate");
});

test("PLUGIN-14: a permission rule allows all tools", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const call = {
    calls: [{ name: tool("recall"), input: { query: "Which branch does staging deploy from?" } }],
  };
  const asked = async (...allow: string[]) => {
    const settings = JSON.stringify({ permissions: { allow } });
    const args = ["--plugin-dir", PLUGIN, "--settings", settings];
    return results(await askClaude(sandbox, "Which branch?", [call], { args }))[0]?.is_error ?? false;
  };
  expect([await asked(), await asked("mcp__plugin_retain_retain")]).toEqual([true, false]);
});

test("PLUGIN-14: Claude Code's own settings switch off hooks or tools", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const ask = (settings: object) =>
    askClaude(sandbox, "Which branch does staging deploy from?", [], {
      args: ["--plugin-dir", PLUGIN, "--settings", JSON.stringify(settings)],
    });
  const withoutHooks = await ask({ env: { RETAIN_HOOKS: "off" } });
  expect(withoutHooks.messages[0]).not.toContain("hook additional context");
  expect(toolNames(withoutHooks)).toContain(tool("recall"));
  const withoutTools = await ask({ permissions: { deny: ["mcp__plugin_retain_retain"] } });
  expect(withoutTools.messages[0]).toContain("<recalled>");
  expect(toolNames(withoutTools).filter((name) => name.includes("retain"))).toEqual([]);
});

test("PLUGIN-8: without the command, Claude Code works as if the plugin were missing", async () => {
  const sandbox = new Sandbox();
  const alone = join(sandbox.root, "plugin");
  cpSync(PLUGIN, alone, { recursive: true });
  const run = await askClaude(sandbox, "Hello", [{ text: "Hello.\n\n[MEMORY] Ada has a cat.\n" }], {
    args: ["--plugin-dir", alone],
    env: { PATH: "/usr/bin:/bin" },
  });
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  const hooks = run.events.filter(({ subtype }) => subtype === "hook_response");
  expect(hooks.map(({ hook_event }) => hook_event)).toEqual(["SessionStart", "UserPromptSubmit", "Stop"]);
  for (const { exit_code, stdout, stderr } of hooks) expect([exit_code, stdout, stderr]).toEqual([0, "", ""]);
  expect(run.messages[0]).not.toContain("hook additional context");
});

test("PLUGIN-10: turns are saved before a conversation is compacted, and memory is added again afterwards", async () => {
  const sandbox = new Sandbox();
  project(sandbox);
  const said = "The invoices of Zanzibar are printed on yellow paper.";
  const run = await askClaude(
    sandbox,
    [said, "/compact"],
    [{ text: "I see." }, { text: "<summary>We spoke about invoices.</summary>" }],
  );
  expect(run.exitCode).toBe(0);
  const log = readFileSync(join(sandbox.memory, "hook.log"), "utf8");
  expect(log).toMatch(/ pre-compact \w+ saved 2 turns /);
  const told = run.events.find(({ hook_name, stdout }) => hook_name === "SessionStart:compact" && stdout);
  expect(told?.stdout).toContain("release-candidate");
  expect(sandbox.ok(["search", "yellow invoices"]).stdout).toContain(said);
});

test("PLUGIN-10: a sub-agent gets memory; the facts that it marks and the files that it changes are its session's", async () => {
  const sandbox = new Sandbox();
  const memory = project(sandbox);
  const input = { description: "Look", prompt: "Look around.", subagent_type: "general-purpose" };
  const labels = { file_path: join(sandbox.work, "labels.txt"), content: "1\n" };
  const run = await askClaude(
    sandbox,
    "Send somebody to look around in the cellar.",
    [
      { calls: [{ name: "Agent", input: { ...input, run_in_background: false } }] },
      { calls: [{ name: "Write", input: labels }] },
      { text: "There is a cellar.\n\n[MEMORY] The cellar holds the old tapes.\n" },
    ],
    { args: ["--plugin-dir", PLUGIN, "--allowedTools", "Write"] },
  );
  expect(run.messages[1]).toMatch(/SubagentStart hook additional context: [\s\S]+release-candidate/);
  expect(readFileSync(memory, "utf8")).toContain("- The cellar holds the old tapes.\n");
  const { sessions } = sandbox.ok(["sessions", "--json"]).json.data;
  expect(sessions).toHaveLength(1);
  expect(sandbox.ok(["sessions", "show", sessions[0].id]).stdout).toContain("Done: changed `labels.txt`");
});
