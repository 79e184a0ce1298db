/** Strangers, web pages and bad input: the server refuses them and continues. */
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { Banks } from "../../src/serve/banks.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { type Served, serveHere, startServe, TOKEN } from "./kit.ts";

const MEMORIES = "/v1/default/banks/b/memories";
const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };

/** Can send any Host header, which `fetch` cannot. */
function raw(
  url: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; headers: object }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function isServing({ ask }: Served): Promise<void> {
  expect((await ask(MEMORIES, { body: { items: [{ content: "Still here" }] } })).status).toBe(200);
}

test("SERVE-1: only programs with the token are served, and /health anybody on this machine", async () => {
  const { url } = await serveHere();
  const list = `${url}/v1/default/banks`;
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const probe = await fetch(`${url}/health`, { method: "HEAD" });
  expect([probe.status, await probe.text()]).toEqual([200, ""]);
  for (const headers of [{}, { Authorization: "Bearer wrong" }, { Authorization: TOKEN }])
    expect((await fetch(list, { headers: headers as Record<string, string> })).status).toBe(401);
  expect((await fetch(`${url}/version`)).status).toBe(401);
  expect((await fetch(`${url}/nothing`)).status).toBe(401);
  expect((await fetch(list, { headers: AUTHORIZED })).status).toBe(200);
});

test("SERVE-1: an address that keeps sending wrong tokens is slowed down; the right token still works", async () => {
  const { url } = await serveHere();
  const wrong = { headers: { Authorization: "Bearer wrong" } };
  const statuses = new Set<number>();
  for (let tries = 0; tries < 100; tries++) statuses.add((await fetch(`${url}/version`, wrong)).status);
  expect([...statuses]).toEqual([401, 429]);
  expect((await fetch(`${url}/version`, { headers: AUTHORIZED })).status).toBe(200);
});

test("SERVE-1: foreign hosts and web pages are refused, /health included, except pages that were allowed", async () => {
  const page = "https://app.example.org";
  const { url } = await serveHere({ origins: [page] });
  for (const path of ["/health", "/v1/default/banks", "/version"]) {
    expect((await raw(`${url}${path}`, { ...AUTHORIZED, Host: "evil.example" })).status).toBe(403);
    expect((await raw(`${url}${path}`, { ...AUTHORIZED, Host: "192.168.0.4" })).status).toBe(403);
    const foreign = await raw(`${url}${path}`, { ...AUTHORIZED, Origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect(foreign.headers).not.toHaveProperty("access-control-allow-origin");
  }
  const preflight = await raw(`${url}/v1/default/banks`, { Origin: page }, "OPTIONS");
  expect(preflight).toMatchObject({ status: 204, headers: { "access-control-allow-origin": page } });
  const allowed = await raw(`${url}/v1/default/banks`, { ...AUTHORIZED, Origin: page });
  expect(allowed).toMatchObject({ status: 200, headers: { "access-control-allow-origin": page } });
  expect((await raw(`${url}/v1/default/banks`, { Origin: page })).status).toBe(401);
});

test("SERVE-6: malformed, mistyped and oversized requests get a 4xx in the contract's form", async () => {
  const served = await serveHere();
  const { ask } = served;
  const refused = async (path: string, body: unknown, status: number) => {
    const answer = await ask(path, { body });
    expect([path, JSON.stringify(body).slice(0, 60), answer.status]).toEqual([
      path,
      expect.any(String),
      status,
    ]);
    expect(answer.body.detail).toBeDefined();
  };
  for (const body of [
    "",
    "{",
    "null",
    "[]",
    "\u0000",
    '"text"',
    { items: [] },
    { items: "x" },
    { items: [{}] },
  ])
    await refused(MEMORIES, body, 422);
  for (const item of [
    { content: "" },
    { content: " \n " },
    { content: "a\0b" },
    { content: 1 },
    { content: "x", tags: "t" },
    { content: "x", tags: [1] },
    { content: "x", timestamp: "yesterday" },
    { content: "x", metadata: { a: { b: 1 } } },
    { content: "x", update_mode: "merge" },
  ])
    await refused(MEMORIES, { items: [item] }, 422);
  const recall = `${MEMORIES}/recall`;
  for (const more of [
    { query: "" },
    { query: ["x"] },
    { query: "x", types: ["dream"] },
    { query: "x", max_tokens: -1 },
    { query: "x", tags_match: "some" },
    { query: "x", query_timestamp: "soon" },
    { query: "x", tag_groups: [{ and: [{ nor: [] }] }] },
  ])
    await refused(recall, more, 422);
  let deep: object = { tags: ["a"] };
  for (let depth = 0; depth < 1_000; depth++) deep = { not: deep };
  await refused(recall, { query: "x", tag_groups: [deep] }, 422);
  for (const path of ["/memories/list?limit=-1", "/memories/list?offset=x", "/memories/list?state=odd"])
    expect((await ask(`/v1/default/banks/b${path}`)).status).toBe(422);
  for (const path of [
    "/memories/%00",
    "/memories/..%2f..%2fetc%2fpasswd",
    "/documents/%2e%2e%2fx",
    "/documents/a%2Fb%2Fc",
  ])
    expect((await ask(`/v1/default/banks/b${path}`)).status).toBe(404);
  expect((await ask("/v1/default/banks/%ff/profile")).status).toBe(501);
  await refused(MEMORIES, { items: [{ content: "x".repeat(50_000_000) }] }, 413);
  await isServing(served);
});

test("SERVE-6: one item that can't be stored: nothing of the request is stored, and no bank is created", async () => {
  const sandbox = new Sandbox({ RETAIN_EMBEDDING: "none", RETAIN_MAX_DOCUMENT_BYTES: "2000" });
  const { ask } = await serveHere({ sandbox });
  const good = [{ content: "Likes tea" }, { content: "Two\nlines", document_id: "good" }];
  for (const bad of [
    { content: "x".repeat(3_000), document_id: "large" },
    { content: " " },
    { content: "..." },
    { content: "<private>The door code</private>" },
  ]) {
    const { status } = await ask(MEMORIES, { body: { items: [...good, bad] } });
    expect([bad.content.slice(0, 10), status]).toEqual([bad.content.slice(0, 10), 422]);
    expect(sandbox.tree(sandbox.home)).toEqual([]);
  }
  const model = { name: "Empty", source_query: " " };
  expect((await ask("/v1/default/banks/b/mental-models", { body: model })).status).toBe(422);
  expect(sandbox.tree(sandbox.home)).toEqual([]);

  const log = { content: "x".repeat(1_500), document_id: "log" };
  expect((await ask(MEMORIES, { body: { items: [log] } })).status).toBe(200);
  const appended = { ...log, update_mode: "append" };
  expect((await ask(MEMORIES, { body: { items: [...good, appended] } })).status).toBe(422);
  expect((await ask(`${MEMORIES}/list`)).body.total).toBe(1);
});

test("SERVE-6: a damaged bank.json is reported; its bank is listed by its directory, and the others work", async () => {
  const reports: string[] = [];
  const { ask, sandbox } = await serveHere({ report: ({ message }) => reports.push(message) });
  const banks = "/v1/default/banks";
  for (const id of ["first", "last", "Middle One"])
    await ask(`${banks}/${encodeURIComponent(id)}/memories`, { body: { items: [{ content: "Likes tea" }] } });
  const directory = join(sandbox.memory, "banks");
  const middle = readdirSync(directory).find((name) => name.startsWith("middle")) ?? "";
  const path = join(directory, middle, "bank.json");
  writeFileSync(path, "{");
  const { status, body } = await ask(banks);
  expect([status, body.total]).toEqual([200, 3]);
  expect(body.banks.map(({ bank_id }: { bank_id: string }) => bank_id)).toEqual(["first", "last", middle]);
  expect(body.banks.map(({ fact_count = null }) => fact_count)).toEqual([1, 1, null]);
  expect(reports).toEqual([expect.stringContaining(path)]);
  const used = await ask(`${banks}/${middle}/memories`, { body: { items: [{ content: "Likes coffee" }] } });
  expect([used.status, used.body.detail]).toEqual([500, expect.stringContaining(path)]);
});

test("SERVE-6: a bank that a request has just taken isn't closed, however many banks are in use", async () => {
  const sandbox = new Sandbox();
  using home = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
  const banks = new Banks(home, () => {});
  const ids = Array.from({ length: 40 }, (_, index) => `bank-${index}`);
  const used = ids.flatMap((id) => [id, ids[0] ?? "", ids[1] ?? ""]);
  const isEmpty = (id: string) => banks.use(id, async ({ retain }) => retain.index.isEmpty());
  for (let round = 0; round < 3; round++)
    expect(new Set(await Promise.all(used.map(isEmpty)))).toEqual(new Set([true]));
  await banks.close();
});

test("SERVE-6: a server stops in order while a request tries to open a damaged bank", async () => {
  const sandbox = new Sandbox();
  using home = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
  const banks = new Banks(home, () => {});
  const good = await banks.use("good", async ({ retain }) => {
    await retain.facts.remember("Likes tea");
    return retain;
  });
  mkdirSync(join(sandbox.memory, "banks", "bad"));
  writeFileSync(join(sandbox.memory, "banks", "bad", "bank.json"), "{");
  const asked = banks.use("bad", async () => {});
  await banks.close();
  expect(asked).rejects.toThrow("bank.json is damaged");
  expect(good.facts.list()).rejects.toThrow("closed");
});

test("DUR-2: servers on one home that change a bank at the same time lose nothing of it", async () => {
  const sandbox = new Sandbox();
  const servers = [await startServe(sandbox), await startServe(sandbox)];
  const directives = "/v1/default/banks/b/directives";
  const names = Array.from({ length: 60 }, (_, index) => `rule ${index}`);
  const answers = await Promise.all(
    names.map((name, index) => servers[index % 2]?.ask(directives, { body: { name, content: name } })),
  );
  expect(answers.map((answer) => answer?.status)).toEqual(names.map(() => 200));
  const listed = await servers[0]?.ask(`${directives}?limit=1000`);
  expect(listed?.body.items.map(({ name }: { name: string }) => name).sort()).toEqual(names.sort());
});

test("SERVE-6: ten megabytes in one document are refused or stored, never half", async () => {
  const served = await serveHere();
  const content = `${"word ".repeat(2_000_000)}end`;
  const { status } = await served.ask(MEMORIES, { body: { items: [{ content, document_id: "big" }] } });
  expect([200, 413, 422]).toContain(status);
  const { body } = await served.ask("/v1/default/banks/b/documents/big");
  if (status === 200) expect(body.original_text).toHaveLength(content.length);
  else expect(body.detail).toContain("not found");
  await isServing(served);
});

test("SERVE-6: huge headers, and hundreds of connections that send nothing, don't stop the server", async () => {
  const served = await serveHere();
  const { url } = served;
  const { hostname, port } = new URL(url);
  const large = await fetch(url, { headers: { ...AUTHORIZED, "X-Large": "x".repeat(200_000) } }).catch(
    () => null,
  );
  expect([null, 431, 400]).toContain(large?.status ?? null);
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, number) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
      // Some stop in the middle of their headers, some in the middle of their body.
      if (number % 3 === 1) socket.write("POST /v1/default/banks HTTP/1.1\r\nHost: ");
      if (number % 3 === 2)
        socket.write(
          `POST ${MEMORIES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 100\r\n\r\n{`,
        );
      return socket;
    }),
  );
  afterThisTest(() => {
    for (const socket of sockets) socket.destroy();
  });
  await isServing(served);
});
