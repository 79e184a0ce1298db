/** The memory tools over MCP, with memory in a bank on a stand-in Hindsight server. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";

async function inBank(...texts: string[]) {
  const sandbox = new Sandbox();
  const server = await new HindsightServer().start();
  afterThisTest(() => server.stop());
  const bank = server.bank("retain");
  bank.retain(texts.map((content, index) => ({ content, document_id: `notes-${index}` })));
  const env = {
    RETAIN_MEMORY_BACKEND: "hindsight",
    RETAIN_HINDSIGHT_URL: server.url,
    RETAIN_EMBEDDING: "none",
  };
  const { client } = await overPipes(sandbox, [], { env });
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError = false, content } = await client.callTool({ name, arguments: input });
    return { isError, text: content.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
  };
  const ids = [...bank.memories.keys()];
  return { sandbox, server, bank, env, call, ids };
}

/** Every file of the home workspace that is text. */
function filesOf(sandbox: Sandbox): string {
  return readdirSync(sandbox.memory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|jsonl|json)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

test("HIND-24: memory_forget previews a memory of the bank, then removes it from the server and from this machine", async () => {
  const text = "The gate code of the heron house is blue";
  const { sandbox, bank, call, ids } = await inBank(text);
  sandbox.ok(["log", `Gate: ${text}`]);
  const [id = ""] = ids;
  const preview = await call("memory_forget", { id });
  expect([preview.isError, preview.text.includes(text)]).toEqual([true, true]);
  expect(preview.text).toContain("unconfirmed");
  expect(bank.memories.get(id)?.state).toBe("valid");
  const done = await call("memory_forget", { id, confirm: confirmationOf(id, text) });
  expect(done).toMatchObject({ isError: false, text: expect.stringContaining(id) });
  expect(bank.memories.get(id)?.state).toBe("invalidated");
  expect(filesOf(sandbox)).not.toContain("gate code");
  expect((await call("recall", { query: "gate code heron house" })).text).not.toContain("blue");
  expect((await call("memory_forget", { id, confirm: confirmationOf(id, text) })).text).toContain(
    "not_found",
  );
});

test("HIND-24: memory_update changes a memory of the bank, and a statement that is still pending", async () => {
  const { server, bank, call, ids } = await inBank("Deploys run on Fridays");
  const [id = ""] = ids;
  const changed = await call("memory_update", { id, content: "Deploys run on Mondays" });
  expect(changed).toMatchObject({ isError: false, text: expect.stringContaining("Mondays") });
  expect(bank.memories.get(id)?.text).toBe("Deploys run on Mondays");
  expect((await call("memory_update", { id, content: "Deploys run on Mondays" })).text).toContain(
    "Unchanged",
  );
  expect((await call("memory_update", { id, content: `The key is ghp_${"a1B2".repeat(9)}` })).text).toContain(
    "secret",
  );
  server.trouble = { status: 503 };
  const { text } = await call("retain", { items: [{ content: "Lunch is at noon" }] });
  const [pending = ""] = /retain:[0-9a-f]{32}/.exec(text) ?? [];
  expect((await call("memory_update", { id: pending, content: "Lunch is at one" })).isError).toBe(false);
  const recalled = (await call("recall", { query: "When is lunch?" })).text;
  expect([recalled.includes("at one"), recalled.includes("at noon")]).toEqual([true, false]);
});

test("HIND-24: while the server is down, forgetting and editing say so and change nothing", async () => {
  const { sandbox, server, bank, env, call, ids } = await inBank("Herons nest in the old oak tree");
  const [id = ""] = ids;
  server.stop();
  for (const [name, input] of [
    ["memory_forget", { id, confirm: "yes" }],
    ["memory_update", { id, content: "Herons nest in the new oak tree" }],
  ] as const)
    expect(await call(name, input)).toMatchObject({
      isError: true,
      text: expect.stringContaining("reached"),
    });
  const typed = sandbox.run(["forget", id, "--yes"], { env });
  expect([typed.exitCode, typed.stderr]).toEqual([expect.any(Number), expect.stringContaining("reached")]);
  expect(typed.exitCode).not.toBe(0);
  expect([...bank.memories.values()].map(({ text, state }) => [text, state])).toEqual([
    ["Herons nest in the old oak tree", "valid"],
  ]);
});

test("HIND-24: retain forget shows a memory of the bank with --dry-run, and forgets it with --yes", async () => {
  const { sandbox, bank, env, ids } = await inBank("Terns dive for small silver fish");
  const [id = ""] = ids;
  const run = async (...args: string[]) => {
    const child = sandbox.start(["forget", id, ...args], { env });
    return { stdout: await new Response(child.stdout).text(), exitCode: await child.exited };
  };
  expect(await run("--dry-run")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("bank") });
  expect(bank.memories.get(id)?.state).toBe("valid");
  expect(await run("--yes")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Forgotten") });
  expect(bank.memories.get(id)?.state).toBe("invalidated");
});

test("HIND-25: reflect returns the server's answer with its sources, and answers here if the server fails", async () => {
  const { server, call, ids } = await inBank(
    "We moved to Postgres",
    "Postgres has JSON columns",
    "Lunch is at noon",
  );
  const { text } = await call("reflect", { query: "Why Postgres?" });
  expect(text).toContain("We moved to Postgres and Postgres has JSON columns");
  expect(text).toContain(`[${ids[0]}]`);
  expect(server.sent("POST", "/reflect")[0]?.body).toMatchObject({ include: { facts: {} } });
  server.trouble = { status: 500, on: ({ path }) => path === "/reflect" };
  const here = (await call("reflect", { query: "Why Postgres?" })).text;
  expect(here).toContain("We moved to Postgres");
  expect(here).toContain("answered 500");
});
