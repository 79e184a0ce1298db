/** Incognito outside Retain's own chat: an MCP client and Claude Code use memory, and nothing of the session is stored. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assistant, ClaudeCode, user } from "../agent/hooks-transcript.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";

const WORDS = { RETAIN_EMBEDDING: "none" };
const INCOGNITO = { RETAIN_INCOGNITO: "1" };

function remembering(): Sandbox {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "We deploy the zebra service on Fridays"]);
  sandbox.ok(["put", "-", "--id", "plan"], { stdin: "# Plan\n\nThe zebra ships in May.\n" });
  sandbox.ok(["search", "zebra"]);
  return sandbox;
}

/** Every file except the index, and the index's recall counts and conversations. */
function traces(sandbox: Sandbox): unknown {
  const files = sandbox.tree(sandbox.memory).filter((file) => !/retain\.db|hook\.log/.test(file));
  const path = join(sandbox.memory, "retain.db");
  const database = existsSync(path) ? new Database(path, { readonly: true }) : null;
  const rows = ["recalls", "messages", "sessions"].map((table) => [
    table,
    database?.query(`SELECT * FROM ${table}`).all(),
  ]);
  database?.close();
  return { files: files.map((file) => [file, readFileSync(join(sandbox.memory, file), "utf8")]), rows };
}

for (const [how, args, env] of [
  ["by the option", ["--incognito"], WORDS],
  ["by the variable", [], INCOGNITO],
] as const)
  test(`MCP-28: incognito ${how}, a client can read memory, its writes are refused, and nothing is stored`, async () => {
    const sandbox = remembering();
    const before = traces(sandbox);
    const { client } = await overPipes(sandbox, args, { env });
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content, isError = false } = await client.callTool({ name, arguments: input });
      return { isError, text: (content as { text: string }[]).map(({ text }) => text).join("\n") };
    };
    expect((await call("recall", { query: "zebra service" })).text).toContain("Fridays");
    expect((await call("context", { query: "zebra" })).text).toContain("Fridays");
    expect((await call("memory_get", { id: "plan" })).text).toContain("ships in May");
    await call("reflect", { query: "When does the zebra ship?" });
    await client.readResource({ uri: "memory://context" });
    await client.getPrompt({ name: "recall", arguments: { question: "zebra?" } });
    for (const [name, input] of [
      ["retain", { items: [{ content: "The zebra is striped" }] }],
      ["memory_put", { content: "# Zebra", id: "zebra" }],
      ["memory_update", { id: "plan", tags: ["x"] }],
      ["memory_delete", { id: "plan" }],
      ["memory_undo", {}],
      ["memory_forget", { id: "zebra", confirm: "yes" }],
    ] as const) {
      const refused = await call(name, input);
      expect([name, refused.isError, refused.text]).toEqual([
        name,
        true,
        expect.stringContaining("ncognito"),
      ]);
    }
    expect(client.getInstructions()).toContain("ncognito");
    await client.close();
    expect(traces(sandbox)).toEqual(before);
  });

test("HOOK-16: an incognito Claude Code session gets memory, and nothing of it is saved", () => {
  const sandbox = remembering();
  const before = traces(sandbox);
  const claude = new ClaudeCode(sandbox);
  const started = claude.hook("session-start", { source: "startup" }, INCOGNITO);
  expect(started).toContain("Fridays");
  expect(started).not.toContain("[MEMORY]");
  expect(
    claude.hook("user-prompt-submit", { prompt: "when does the zebra plan ship?" }, INCOGNITO),
  ).toContain("ships in May");
  const reply = "Noted.\n\n[MEMORY] The zebra is striped";
  const said = [user("Remember that the zebra is striped"), assistant(reply)].map((line) =>
    line.replace(/"timestamp":"[^"]*"/, '"timestamp":"2020-01-01T00:00:00.000Z"'),
  );
  claude.write(...said);
  claude.stop(reply, INCOGNITO);
  claude.hook("pre-compact", { trigger: "manual" }, INCOGNITO);
  claude.hook("session-end", { reason: "other" }, INCOGNITO);
  expect(traces(sandbox)).toEqual(before);
  // Resumed without incognito, the session saves turns from now on.
  claude.hook("session-start", { source: "resume" }, WORDS);
  claude.hook("session-end", { reason: "other" }, WORDS);
  expect(sandbox.ok(["facts"]).stdout).not.toContain("striped");
});

test("HOOK-16: incognito turns of a session that was saved before are not saved later", () => {
  const sandbox = new Sandbox();
  const claude = new ClaudeCode(sandbox);
  const earlier = (...lines: string[]) =>
    lines.map((line) => line.replace(/"timestamp":"[^"]*"/, '"timestamp":"2020-01-01T00:00:00.000Z"'));
  claude.hook("session-start", { source: "startup" }, WORDS);
  claude.write(...earlier(user("Where is the lion?"), assistant("[MEMORY] The lion lives in hall 3")));
  claude.hook("session-end", { reason: "other" }, WORDS);
  claude.hook("session-start", { source: "resume" }, INCOGNITO);
  claude.write(...earlier(user("And the zebra?"), assistant("[MEMORY] The zebra is striped")));
  claude.hook("session-end", { reason: "other" }, INCOGNITO);
  claude.hook("session-start", { source: "resume" }, WORDS);
  claude.hook("session-end", { reason: "other" }, WORDS);
  const { stdout } = sandbox.ok(["facts"]);
  expect(stdout).toContain("lion");
  expect(stdout).not.toContain("striped");
});

test("CHAT-8: RETAIN_INCOGNITO makes every conversation of the chat incognito", async () => {
  const sandbox = remembering();
  const before = traces(sandbox);
  await using server = await new AnthropicServer(() => ({ text: "Yes.\n[MEMORY] Striped" })).start();
  const child = sandbox.start(["-p", "is the zebra striped?"], {
    env: { ...INCOGNITO, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY },
  });
  expect(await child.exited).toBe(0);
  expect(traces(sandbox)).toEqual(before);
});
