/** A hook never disturbs: whatever is wrong, the process ends with 0 in its time, and one line of the log tells. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BOUND_MS, HOOK_EVENTS } from "../../src/agent/hooks/events.ts";
import { assistant, ClaudeCode, SESSION, user } from "../agent/hooks-transcript.ts";
import { inNamespace, readOnlyHome } from "../helpers/namespace.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const WORDS = { RETAIN_EMBEDDING: "none" };
const MARKED = "[MEMORY] The build runs on Bun";

/** Fails unless it ended with 0 and printed nothing. */
function silent(sandbox: Sandbox, args: string[], stdin: string | Uint8Array, env = {}): void {
  const { exitCode, stdout, stderr } = sandbox.run(["hook", ...args], { stdin, env: { ...env } });
  expect({ args, exitCode, stdout, stderr }).toEqual({ args, exitCode: 0, stdout: "", stderr: "" });
}

test("HOOK-12: invalid stdin causes a line in the log, and nothing else", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const inputs = [
    "",
    "not json",
    "[]",
    "null",
    '"text"',
    "{",
    new Uint8Array([0xff, 0xfe, 0x00]),
    '{"prompt":',
  ];
  for (const event of HOOK_EVENTS)
    for (const input of inputs.slice(0, event === "stop" ? inputs.length : 2))
      silent(sandbox, [event], input);
  expect(claude.log()).toHaveLength(inputs.length + 2 * (HOOK_EVENTS.length - 1));
  for (const line of claude.log()) expect(line).toContain("failed: stdin is not a JSON object.");
});

test("HOOK-12: missing fields and fields of a wrong type are ignored", () => {
  const sandbox = new Sandbox();
  for (const event of HOOK_EVENTS.filter((name) => name !== "session-start")) {
    silent(sandbox, [event], "{}");
    silent(
      sandbox,
      [event],
      JSON.stringify({ session_id: 7, transcript_path: [], cwd: {}, prompt: 1, agent_id: null }),
    );
    silent(
      sandbox,
      [event],
      JSON.stringify({ session_id: "../../evil", transcript_path: "/nonexistent", cwd: sandbox.work }),
    );
    silent(
      sandbox,
      [event],
      JSON.stringify({
        session_id: "x".repeat(5_000),
        transcript_path: sandbox.work,
        cwd: "/nonexistent/place",
      }),
    );
  }
  expect(existsSync(join(sandbox.home, "evil.json"))).toBe(false);
  const { stdout } = sandbox.run(["hook", "session-start"], { stdin: "{}" });
  expect(JSON.parse(stdout).hookSpecificOutput.hookEventName).toBe("SessionStart");
});

test("HOOK-12: an event, options or arguments of another version do not stop Claude Code", () => {
  const sandbox = new Sandbox();
  silent(sandbox, ["post-tool-use"], "{}");
  silent(sandbox, ["stop", "--future", "more"], "{}");
  expect(new ClaudeCode(sandbox).log()).toEqual([
    expect.stringContaining("post-tool-use - failed: This version"),
  ]);
});

test("HOOK-12: an invalid config is logged", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  mkdirSync(sandbox.memory);
  writeFileSync(join(sandbox.memory, "config.yaml"), "max_versions: many\n");
  for (const event of HOOK_EVENTS)
    silent(
      sandbox,
      [event],
      claude.event(event, {
        prompt: "how do we deploy?",
        agent_id: "a",
        agent_type: "b",
        last_assistant_message: MARKED,
      }),
    );
  expect(claude.log()).toHaveLength(HOOK_EVENTS.length);
  for (const line of claude.log()) expect(line).toContain("max_versions");
});

test("HOOK-12: a home that is a file, or an invalid database, only causes a line in the log", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  writeFileSync(sandbox.memory, "in the way");
  claude.write(user("Hello there, which runtime?"), assistant(MARKED));
  for (const event of HOOK_EVENTS.filter((name) => name !== "session-start"))
    silent(
      sandbox,
      [event],
      claude.event(event, { prompt: "how do we deploy?", last_assistant_message: MARKED }),
    );
  expect(readFileSync(sandbox.memory, "utf8")).toBe("in the way");
});

testNeeding("mount namespaces")(
  "HOOK-12: on a read-only disk a session still gets its context, and one line says so",
  async () => {
    const sandbox = new Sandbox();
    const claude = new ClaudeCode(sandbox);
    await sandbox.addFact("The build runs on Bun");
    claude.write(user("Which runtime?"), assistant("[MEMORY] Ada likes tea"));
    const events = {
      "session-start": { source: "startup" },
      "user-prompt-submit": { prompt: "what does the build run on?" },
      stop: {},
      "session-end": {},
    };
    for (const [event, fields] of Object.entries(events))
      writeFileSync(join(sandbox.work, event), claude.event(event, fields));
    const lines = Object.keys(events).map((event) => `retain hook ${event} < ${event}; echo "${event} $?"`);
    const said = await inNamespace(sandbox, `${readOnlyHome(sandbox)}${lines.join("\n")}`);
    for (const event of Object.keys(events)) expect(said).toContain(`${event} 0`);
    expect(said).toMatch(/"SessionStart".*The build runs on Bun/);
    expect(said).toMatch(/"systemMessage":"Retain: [^"\n]*not being stored[^"\n]*read-only/);
    expect(said).not.toContain("failed");
    expect(said.split("\n").filter((line) => line !== "")).toHaveLength(
      5 + (said.includes("UserPromptSubmit") ? 1 : 0),
    );
  },
);

test("HOOK-12: the log is private, contains no user text, and stays small", async () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  await sandbox.addFact("We deploy with fly.io on Fridays");
  for (const fact of ["Ada likes tea", "The office is blue", "Rex is a dog", "Lunch is at noon"])
    await sandbox.addFact(fact);
  claude.hook("user-prompt-submit", { prompt: "how do we deploy with fly.io on Fridays?" }, WORDS);
  claude.write(user("a private word"), assistant(MARKED));
  claude.stop(MARKED, WORDS);
  const path = join(sandbox.memory, "hook.log");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(claude.log().map((line) => line.replace(/^\S+ | in \d+ ms$/g, ""))).toEqual([
    "user-prompt-submit 8353014b recalled 1 memory",
    "stop 8353014b saved 1 memory and 2 turns",
  ]);
  writeFileSync(path, "an old line of the log\n".repeat(20_000));
  silent(sandbox, ["stop"], "\u001b[31mnot json");
  expect(statSync(path).size).toBeLessThan(200 * 1024);
  expect(claude.log()[0]).toBe("an old line of the log");
  expect(claude.log().at(-1)).toContain("JSON object");
  expect(readFileSync(path, "utf8")).not.toContain("\u001b");
});

test("HOOK-14: a hook whose stdin never ends times out", async () => {
  const sandbox = new Sandbox();
  const child = Bun.spawn([join(import.meta.dir, "../../bin/retain"), "hook", "user-prompt-submit"], {
    cwd: sandbox.work,
    env: sandbox.env(),
    stdin: "pipe",
    stdout: "pipe",
  });
  child.stdin.write("{");
  await child.stdin.flush();
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stdout).text()).toBe("");
  expect(new ClaudeCode(sandbox).log()).toEqual([
    expect.stringContaining(`after ${BOUND_MS["user-prompt-submit"]} ms`),
  ]);
});

test("HOOK-14: a workspace locked by another process is read, and writing is left to the next hook", async () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  await sandbox.addFact("We deploy with fly.io on Fridays");
  sandbox.ok(["search", "deploy"]);
  claude.write(user("Which runtime?"), assistant(MARKED));
  appendFileSync(join(sandbox.memory, "memories/MEMORY.md"), "- Somebody has just written this\n");
  const database = new Database(join(sandbox.memory, "retain.db"));
  database.run("BEGIN IMMEDIATE");
  expect(claude.hook("user-prompt-submit", { prompt: "how do we deploy?" }, WORDS)).toContain("fly.io");
  expect(claude.hook("session-start", { source: "startup" }, WORDS)).toContain("fly.io");
  claude.hook("session-end", {}, WORDS);
  expect(claude.log().at(-1)).toContain(`after ${BOUND_MS["session-end"]} ms`);
  database.run("ROLLBACK");
  database.close();
  claude.hook("session-end", {}, WORDS);
  expect(sandbox.ok(["facts"]).stdout).toContain("The build runs on Bun");
});

test("HOOK-17: concurrent hooks, on one session and on many, save everything once", async () => {
  const sandbox = new Sandbox();
  const sessions = ["one", "two", "three"].map((name) => new ClaudeCode(sandbox, name));
  for (const { write, session, transcript } of sessions) {
    write.call(
      { transcript },
      user(`Question of ${session}`),
      assistant(`[MEMORY] Fact of session ${session}`),
    );
  }
  const events = sessions.flatMap((claude) =>
    ["stop", "stop", "pre-compact", "session-end"].map((event) => ({ claude, event })),
  );
  const results = await Promise.all(
    events.map(async ({ claude, event }) => {
      const child = sandbox.start(["hook", event], { stdin: claude.event(event) });
      return [
        await child.exited,
        await new Response(child.stdout).text(),
        await new Response(child.stderr).text(),
      ];
    }),
  );
  expect(results).toEqual(events.map(() => [0, "", ""]));
  const facts = sandbox.ok(["facts", "--json"]).json.data.facts;
  expect(facts.map(({ text }: { text: string }) => text).sort()).toEqual([
    "Fact of session one",
    "Fact of session three",
    "Fact of session two",
  ]);
  for (const { session } of sessions)
    expect(sandbox.ok(["sessions", "show", session, "--json"]).json.data.messages).toBe(2);
});

test("HOOK-17: killed at any moment, the next hook saves everything once", async () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  for (let round = 1; round <= 12; round++) {
    claude.write(
      user(`Question ${round} of many`),
      assistant(`Answer ${round}.\n\n[MEMORY] Fact number ${round} of many`),
    );
    const child = sandbox.start(["hook", "session-end"], { stdin: claude.event("SessionEnd") });
    await Bun.sleep(round * 12);
    child.kill("SIGKILL");
    await child.exited;
  }
  claude.hook("session-end", {}, WORDS);
  const { conversation } = sandbox.ok(["sessions", "show", SESSION, "--json"]).json.data;
  const spoken = conversation.filter(({ role }: { role: string }) => role !== "system");
  expect(spoken.map(({ content }: { content: string }) => content.replace(/( of|\.)[\s\S]*$/, ""))).toEqual(
    Array.from({ length: 12 }, (_, index) => [`Question ${index + 1}`, `Answer ${index + 1}`]).flat(),
  );
  const facts = sandbox.ok(["facts", "--json"]).json.data.facts;
  expect(facts).toHaveLength(12);
  expect(claude.log().filter((line) => line.includes("failed"))).toEqual([]);
});
