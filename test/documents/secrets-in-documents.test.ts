/** A document may contain a secret: its owner stores it knowingly, and no model, client, index or server gets it. */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MADE_UP } from "../../bench/secrets.ts";
import { MapBackend } from "../../examples/map-backend.ts";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { jina, prefers, rerankServer } from "../helpers/rerank-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "../mcp/clients.ts";

const PASSWORD = "correcthorse";
const NOTES = `# Server\n\nIt runs Debian.\npassword: ${PASSWORD}\n\nIt has two disks.\n`;

test("SECRET-1: facts, notes and messages refuse or redact passwords, cookies and logins like any secret", () => {
  const sandbox = new Sandbox();
  const said = [
    [`password: ${PASSWORD}`, PASSWORD],
    ["Cookie: sid=8f3a9c1d77e2b4a0", "8f3a9c1d77e2b4a0"],
    ["Set-Cookie: session=k3Jx92LmQp81; Path=/", "k3Jx92LmQp81"],
    ["user bob and pass hunter22", "hunter22"],
  ] as const;
  for (const [text, secret] of said) {
    for (const verb of ["remember", "log"]) {
      const refused = sandbox.run([verb, text]);
      expect([text, refused.exitCode]).toEqual([text, 3]);
      expect(refused.stderr).not.toContain(secret);
    }
    sandbox.run(["ingest", "-"], { stdin: `Noted: ${text}\n[MEMORY] ${text}\n` });
  }
  const kept = sandbox
    .tree(sandbox.memory)
    .map((file) => readFileSync(join(sandbox.memory, file), "latin1"))
    .join("\n");
  for (const [, secret] of said) expect(kept).not.toContain(secret);
});

test("DOCSECRET-1: the command stores a document with a secret, and warns with the line, not the secret", () => {
  const sandbox = new Sandbox();
  const stored = sandbox.ok(["put", "-", "--id", "server"], { stdin: NOTES });
  expect(stored.stderr).toMatch(/server.*line 4.*a password/);
  expect(stored.stderr).not.toContain(PASSWORD);
  expect(sandbox.ok(["get", "server", "--format", "raw"]).stdout).toBe(NOTES);
  const json = sandbox.ok(["put", "-", "--id", "json", "--json"], { stdin: NOTES }).json;
  expect(json.warnings.join()).toMatch(/line 4.*a password/);
  const updated = sandbox.ok(["update", "server", "--content", "-"], { stdin: `\n${NOTES}` });
  expect(updated.stderr).toContain("line 5");
  const field = sandbox.ok(["update", "server", "--context", "user bob and pass hunter22"]);
  expect(field.stderr).toMatch(/'context'.*a password/);
  sandbox.ok(["delete", "server"]);
  expect(sandbox.ok(["restore", "server"]).stderr).toContain("a password");
  expect(sandbox.ok(["restore", "server", "--version", "v1"]).stderr).toContain("a password");
  expect(sandbox.ok(["put", "-", "--id", "clean"], { stdin: "# Clean\n" }).stderr).toBe("");
});

test("DOCSECRET-1: an import names each document, and so do a migration and an editor", () => {
  const sandbox = new Sandbox();
  for (let number = 0; number < 14; number++)
    sandbox.write(`notes/n${number}.md`, `# N${number}\n\n${NOTES}`);
  const { stderr, stdout } = sandbox.ok(["put", "notes"]);
  expect(stdout).toContain("14 documents stored");
  expect(stderr.match(/line 6/g)?.length).toBeGreaterThanOrEqual(5);
  expect(stderr).toMatch(/more documents/);
  expect(stderr).not.toContain(PASSWORD);
  const frontmatter = "---\nid: old\ntitle: Old\ncollection: knowledge\ncreated_by: Claude\n---\n";
  sandbox.write("arcaneum/retain/knowledge/old.md", `${frontmatter}${NOTES}`);
  const migrated = sandbox.ok(["migrate", join(sandbox.work, "arcaneum")]);
  expect(migrated.stderr).toMatch(/'old'.*line 10.*a password/);
  const editor = join(sandbox.root, "editor");
  writeFileSync(editor, "#!/bin/sh\necho 'Cookie: sid=8f3a9c1d77e2b4a0' >> \"$1\"\n", { mode: 0o755 });
  const edited = sandbox.ok(["edit", "old"], { env: { EDITOR: editor } });
  expect(edited.stderr).toMatch(/'old'.*a session cookie/);
});

test("DOCSECRET-2: over MCP a document with a secret is stored only with allow_secret", async () => {
  const sandbox = new Sandbox();
  const { client } = await overPipes(sandbox, []);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    return { isError, text: (content as { text: string }[]).map(({ text }) => text).join("\n") };
  };
  for (const { text: content, secret } of MADE_UP) {
    const refused = await call("memory_put", { content: `# Notes\n\n${content}\n`, id: "notes" });
    expect([content, refused.isError]).toEqual([content, true]);
    expect(refused.text).toContain("line");
    expect(refused.text).toContain("allow_secret");
    expect(refused.text).not.toContain(secret);
  }
  expect(readdirSync(sandbox.root).join()).not.toContain("notes");
  expect(sandbox.run(["get", "notes"]).exitCode).not.toBe(0);
  const stored = await call("memory_put", { content: NOTES, id: "server", allow_secret: true });
  expect(stored.isError).toBe(false);
  expect(stored.text).toContain("line 4");
  expect((await call("memory_update", { id: "server", content: `${NOTES}x` })).isError).toBe(true);
  expect((await call("memory_update", { id: "server", metadata: { context: "pin: 4821" } })).isError).toBe(
    true,
  );
  expect(sandbox.ok(["get", "server", "--format", "raw"]).stdout).toBe(NOTES);
  const changed = { id: "server", content: `${NOTES}x\n`, allow_secret: true };
  expect((await call("memory_update", changed)).isError).toBe(false);
  expect((await call("memory_update", { id: "server", tags: ["a"] })).isError).toBe(false);
});

test("DOCSECRET-3: no model, client, index or server gets a document's secret", async () => {
  const sandbox = new Sandbox();
  const reranker = rerankServer(jina(prefers("disks")));
  const backend = new MapBackend();
  const told: unknown[] = [];
  const { put } = backend.documents;
  backend.documents.put = (document) => {
    told.push(document);
    return put(document);
  };
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(), backend },
    settings: { embedding: "none", rerank: "endpoint", rerank_url: reranker.url },
    onWarning: () => {},
  });
  afterThisTest(() => retain.close());
  const key = MADE_UP.find(({ what }) => what === "a private key")?.secret ?? "";
  const metadata = { password: PASSWORD, nested: { pin: 4821 } };
  await retain.documents.put({
    content: `# pass: hunter22\n\n${NOTES}\n${key}\n\nAfter the key.\n`,
    metadata,
  });
  const folder = join(sandbox.root, "vault");
  mkdirSync(folder);
  writeFileSync(join(folder, "disk.md"), NOTES);
  sandbox.ok(["folders", "add", folder, "--name", "vault"]);
  const [{ id } = { id: "" }] = (await retain.documents.list()).documents;
  const tools = await retain.memoryTools();
  const call = async (name: string, input: unknown) =>
    JSON.stringify(await tools.find((tool) => tool.name === name)?.run(input, new AbortController().signal));
  const given = [
    await call("memory_get", { id }),
    await call("memory_list", {}),
    await call("recall", { query: "server disks" }),
    await call("recall", { query: "server disks key" }),
    await call("context", { query: "server disks" }),
    JSON.stringify(told),
    JSON.stringify(reranker.seen),
    sandbox.ok(["search", "disks", "--json"]).stdout,
    ...readdirSync(sandbox.memory)
      .filter((name) => name.startsWith("retain.db"))
      .map((name) => readFileSync(join(sandbox.memory, name), "latin1")),
  ];
  const line = key.split("\n")[1] ?? key;
  for (const one of given)
    for (const secret of [PASSWORD, "hunter22", "4821", line]) expect(one).not.toContain(secret);
  expect(given[0]).toContain("two disks");
  expect(given[0]).toContain("After the key.");
  expect(told).toHaveLength(1);
  const { hits } = await retain.search("After the key");
  const lines = (await retain.documents.get(id)).content.split("\n");
  expect(hits[0]?.text).toContain("After the key.");
  expect(lines.length).toBeGreaterThan(10);
  expect((await retain.documents.get(id)).content).toContain(PASSWORD);
});
