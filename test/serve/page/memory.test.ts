/** The page's calls about memories, over HTTP. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Sandbox } from "../../helpers/sandbox.ts";
import { startServer } from "../../mcp/clients.ts";

async function served(sandbox: Sandbox) {
  const { data } = await startServer(sandbox, ["serve"], ["--no-open"]);
  const token = readFileSync(data.token_file, "utf8").trim();
  return async (name: string, input: unknown) => {
    const response = await fetch(`${data.url}app/${name}`, {
      method: "POST",
      body: JSON.stringify(input),
      headers: { Authorization: `Bearer ${token}` },
    });
    // biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever the server answered
    return { status: response.status, body: (await response.json()) as any };
  };
}

test("a document that project and home both have is read, saved and forgotten where it was opened", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "plan"], { stdin: "# Plan\n\nAt home.\n" });
  sandbox.ok(["init"]);
  sandbox.ok(["put", "-", "--id", "plan"], { stdin: "# Plan\n\nIn the project.\n" });
  const call = await served(sandbox);
  const { body: list } = await call("memories", { offset: 0, limit: 10 });
  expect(list.items.map(({ origin, text }: Record<string, string>) => `${origin}: ${text}`).sort()).toEqual([
    "home: At home.",
    "project: In the project.",
  ]);
  const named = { id: "plan", collection: "memory", origin: "home" };
  const { body: read } = await call("memory", named);
  expect(read.document.content).toContain("At home.");
  const text = read.source.text.replace("At home.", "At home, changed.");
  expect((await call("document-save", { ...named, text, etag: read.source.etag })).body.action).toBe(
    "updated",
  );
  const stale = await call("document-save", { ...named, text: "# Lost", etag: read.source.etag });
  expect(stale).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
  expect(sandbox.document("memory", "plan")).toContain("At home, changed.");

  const { body: preview } = await call("forget", named);
  expect(preview.dry_run).toBe(true);
  expect((await call("forget", { ...named, confirm: "wrong" })).body.dry_run).toBe(true);
  expect((await call("forget", { ...named, confirm: preview.confirm })).body.left).toEqual([]);
  expect((await call("memory", named)).status).toBe(404);
  expect((await call("memory", { id: "memory/plan" })).body.document.content).toContain("In the project.");
});

test("bad input to a call is refused, and nothing changes", async () => {
  const sandbox = new Sandbox();
  const call = await served(sandbox);
  for (const [name, input] of [
    ["memories", { offset: -1, limit: 10 }],
    ["memories", { offset: 0, limit: 100_000 }],
    ["memories", { offset: 0, limit: 10, since: "someday or other" }],
    ["search", { query: "", limit: 10 }],
    ["search", { query: "tea", kinds: ["everything"], limit: 10 }],
    ["fact-add", { text: "" }],
    ["fact-add", { text: "The password is hunter2-Xk29fQ" }],
    ["document-new", { text: "# X", collection: "../out" }],
  ] as const)
    expect([name, (await call(name, input)).status]).toEqual([name, 422]);
  const missing = await call("memory", { id: "nothing-here" });
  expect(missing.status).toBe(404);
  // Hints name what the page has, and say what is for a terminal.
  expect(missing.body.error.hint).toEndWith(": “Memory”");
  const secret = await call("fact-add", { text: "The password is hunter2-Xk29fQ" });
  expect(secret.body.error.hint).toContain("--allow-secret (in a terminal)");
  expect((await call("memories", { offset: 0, limit: 10 })).body).toEqual({ total: 0, items: [] });
});
