/** Which model an MCP client, a program and a person's command ask while a provider's key is in the environment. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/app.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { KEY } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";

const QUESTION = "Why did we move to Postgres?";
const NAMED = { RETAIN_MODEL: "anthropic/claude-haiku-4-5" };

async function withKey() {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "We moved to Postgres for its JSON columns"]);
  const server = await new AnthropicServer(() => ({ text: "For JSON." })).start();
  afterThisTest(() => server.stop());
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
  return { sandbox, server, env };
}

async function reflected(sandbox: Sandbox, env: Record<string, string>): Promise<string> {
  const { client } = await overPipes(sandbox, [], { env });
  const { content } = await client.callTool({ name: "reflect", arguments: { query: QUESTION } });
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

async function printed(sandbox: Sandbox, args: string[], env: Record<string, string>) {
  const child = sandbox.start(args, { env });
  return Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
}

test("MODEL-5: with only a key in the environment, MCP's reflect asks no model and says how to name one", async () => {
  const { sandbox, server, env } = await withKey();
  const text = await reflected(sandbox, env);
  expect(server.requests).toEqual([]);
  expect(text).toContain("We moved to Postgres for its JSON columns");
  expect(text).toContain("`retain model use anthropic/claude-haiku-4-5`");
  expect(await reflected(sandbox, { ...env, ...NAMED })).toContain("For JSON.");
  expect(server.requests).toHaveLength(1);
});

test("MODEL-5: with only a key, a program's reflect and mental models ask no model; a person's command does and says so", async () => {
  const { sandbox, server, env } = await withKey();
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(env) });
  afterThisTest(() => retain.close());
  const { byModel, notices } = await retain.reflect(QUESTION);
  expect([byModel, notices.join()]).toEqual([false, expect.stringContaining("retain model use")]);
  await retain.mentalModels.add("move", QUESTION);
  expect((await retain.mentalModels.show("move")).by).toBe("extract");
  expect(server.requests).toEqual([]);
  const [answer, notice] = await printed(sandbox, ["reflect", QUESTION], env);
  expect(answer).toContain("For JSON.");
  expect(notice).toContain("anthropic/claude-haiku-4-5, because ANTHROPIC_API_KEY is set");
  expect((await printed(sandbox, ["reflect", QUESTION], { ...env, ...NAMED }))[1]).not.toContain("because");
});

test("MODEL-5: status shows the model that tools and background work ask", async () => {
  const { sandbox, env } = await withKey();
  const [without] = await printed(sandbox, ["status"], env);
  expect(without).toMatch(/^Model +none .*retain model use/m);
  const [named] = await printed(sandbox, ["status", "--json"], { ...env, ...NAMED });
  expect(JSON.parse(named).data.model).toEqual({ name: NAMED.RETAIN_MODEL, hint: null });
});
