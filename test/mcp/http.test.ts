/** `retain mcp --http`, through real sockets. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isLoopback, isLoopbackHost, isOwnOrigin } from "../../src/util/loopback.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { type HttpServer, overHttp, REVISIONS, startHttp } from "./clients.ts";
import { GREETING, request } from "./lines.ts";

const ACCEPT = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };

function authorised({ token }: HttpServer) {
  return { ...ACCEPT, Authorization: `Bearer ${token}` };
}

/** Can send any Host header, which `fetch` cannot. */
function ask(
  url: string,
  headers: Record<string, string>,
  { method = "POST", body = GREETING[0] ?? "", path = "" } = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const target = new URL(path || url, url);
    const sent = httpRequest(target, { method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(method.startsWith("P") ? body : undefined);
  });
}

for (const revision of REVISIONS)
  test(`MCP-16: several clients of revision ${revision} are served over HTTP at once`, async () => {
    const sandbox = new Sandbox();
    const server = await startHttp(sandbox);
    const clients = await Promise.all([1, 2, 3].map(() => overHttp(server, revision)));
    await Promise.all(
      clients.map(async (client, number) => {
        expect(client.getInstructions()).toContain("empty");
        expect((await client.listTools()).tools.length).toBeGreaterThan(10);
        const input = {
          items: [{ content: `Client ${number} likes the colour ${["red", "blue", "green"][number]}.` }],
        };
        expect(await client.callTool({ name: "retain", arguments: input })).toMatchObject({
          content: [{ text: expect.stringMatching(/^1 memory stored\./) }],
        });
        expect(await client.callTool({ name: "recall", arguments: { query: "colours" } })).not.toMatchObject({
          isError: true,
        });
        expect((await client.readResource({ uri: "memory://context" })).contents).toHaveLength(1);
        expect((await client.getPrompt({ name: "remember" })).messages).toHaveLength(1);
        const error = await client.callTool({ name: "recal" }).catch((thrown) => thrown);
        expect(error).toMatchObject({ code: -32602 });
      }),
    );
    expect(sandbox.ok(["facts", "--json"]).json.data.total).toBe(3);
  });

test("MCP-16: clients keep working after the server restarts", async () => {
  const sandbox = new Sandbox();
  const first = await startHttp(sandbox);
  const client = await overHttp(first);
  await client.callTool({
    name: "retain",
    arguments: { items: [{ content: "The deploy runs on Fridays." }] },
  });
  first.process.kill("SIGKILL");
  await first.process.exited;
  await startHttp(sandbox, ["--port", new URL(first.url).port]);
  const found = await client.callTool({ name: "recall", arguments: { query: "deploy" } });
  expect(JSON.stringify(found.content)).toContain("on Fridays");
});

test("MCP-6: a client that closes its HTTP request cancels it, and the server continues", async () => {
  const sandbox = new Sandbox();
  const model = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
  try {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    model.reload({
      fetch: (asked) => {
        begun.resolve();
        asked.signal.addEventListener("abort", () => ended.resolve());
        return new Promise<Response>(() => {});
      },
    });
    await sandbox.addFact("The deploy runs on Fridays.");
    sandbox.ok(["model", "add", "slow", `http://127.0.0.1:${model.port}/v1`]);
    sandbox.ok(["model", "use", "slow/any"]);
    const server = await startHttp(sandbox);
    const client = await overHttp(server, "2026-07-28");
    const stop = new AbortController();
    const call = client
      .callTool({ name: "reflect", arguments: { query: "When is the deploy?" } }, { signal: stop.signal })
      .catch((error) => error);
    await begun.promise;
    stop.abort();
    expect(await call).toBeInstanceOf(Error);
    await ended.promise;
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  } finally {
    await model.stop(true);
  }
});

test("MCP-17: the token is created once, is private, and is never printed", async () => {
  const sandbox = new Sandbox();
  const server = await startHttp(sandbox);
  expect(server.tokenFile).toBe(join(sandbox.memory, "server-token"));
  expect(statSync(server.tokenFile).mode & 0o777).toBe(0o600);
  expect(server.token).toMatch(/^[\w-]{43}$/);
  const again = await startHttp(sandbox, ["--verbose"]);
  expect(again.token).toBe(server.token);
  again.process.kill();
  expect(await new Response(again.process.stderr).text()).not.toContain(server.token);
  const other = sandbox.write("own-token", "a-token-of-my-own-choice\n");
  chmodSync(other, 0o600);
  expect((await startHttp(sandbox, ["--token-file", other])).token).toBe("a-token-of-my-own-choice");
});

test("MCP-17: without the token nothing is served", async () => {
  const server = await startHttp(new Sandbox());
  const { token } = server;
  for (const wrong of [
    "",
    "Bearer",
    "Bearer x",
    `Basic ${token}`,
    token,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
  ]) {
    const { status, headers, text } = await ask(server.url, { ...ACCEPT, Authorization: wrong });
    expect([wrong, status]).toEqual([wrong, 401]);
    expect(headers["www-authenticate"]).toBe('Bearer realm="retain"');
    expect(text).not.toContain(token);
  }
  expect((await ask(server.url, ACCEPT)).status).toBe(401);
  expect((await ask(server.url, authorised(server))).status).toBe(200);
});

test("MCP-17: a token file that others can read, or that contains no token, is refused", () => {
  const sandbox = new Sandbox();
  const file = sandbox.write("token", "a-token-of-my-own-choice\n");
  const run = () => sandbox.run(["mcp", "--http", "--port", "0", "--token-file", file]);
  chmodSync(file, 0o644);
  expect(run()).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`chmod 600 ${file}`) });
  chmodSync(file, 0o600);
  for (const content of ["", "short", "with a space in the middle"]) {
    writeFileSync(file, content);
    expect(run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(file) });
    expect(readFileSync(file, "utf8")).toBe(content);
  }
});

test("MCP-17: servers that start together agree on one token", async () => {
  const sandbox = new Sandbox();
  const servers = await Promise.all([1, 2, 3, 4].map(() => startHttp(sandbox)));
  expect(new Set(servers.map(({ token }) => token)).size).toBe(1);
  for (const server of servers) expect((await ask(server.url, authorised(server))).status).toBe(200);
  expect(sandbox.tree(sandbox.memory).filter((path) => path.startsWith("server-token"))).toEqual([
    "server-token",
  ]);
});

test("MCP-18: only hosts of this machine are accepted, and no other web pages", async () => {
  const server = await startHttp(new Sandbox());
  const good = authorised(server);
  const { host, port } = new URL(server.url);
  for (const allowed of [host, `localhost:${port}`, "127.0.0.1", "[::1]:80", "LOCALHOST"])
    expect([allowed, (await ask(server.url, { ...good, Host: allowed })).status]).toEqual([allowed, 200]);
  for (const refused of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "0.0.0.0",
  ])
    expect([refused, (await ask(server.url, { ...good, Host: refused })).status]).toEqual([refused, 403]);
  for (const origin of [
    "https://evil.example",
    "null",
    `https://${host}`,
    "http://localhost:1",
    `http://${host}.evil.example`,
  ])
    expect([origin, (await ask(server.url, { ...good, Origin: origin })).status]).toEqual([origin, 403]);
  expect((await ask(server.url, { ...good, Origin: `http://${host}` })).status).toBe(200);
  expect((await ask(server.url, { Origin: "https://evil.example" }, { method: "OPTIONS" })).status).toBe(403);
});

test("MCP-18: the server listens only on the loopback address", () => {
  const sandbox = new Sandbox();
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.org", ""]) {
    const { exitCode, stderr } = sandbox.run(["mcp", "--http", "--host", host]);
    expect([host, exitCode]).toEqual([host, 3]);
    expect(stderr).toContain("ssh -L");
  }
  expect(existsSync(join(sandbox.memory, "server-token"))).toBe(false);
});

test("MCP-18: a header matches this machine only as a whole", () => {
  const names = ["localhost", "127.0.0.1", "127.255.0.9", "[::1]"];
  for (const name of names) {
    expect(isLoopbackHost(name)).toBe(true);
    expect(isLoopbackHost(`${name}:7411`)).toBe(true);
  }
  expect(isLoopback("::1")).toBe(true);
  for (const wrong of [
    null,
    "",
    ":80",
    "127.0.0.256",
    "127.1",
    "2130706433",
    "localhost:",
    "localhost:x",
    "a@localhost",
  ])
    expect([wrong, isLoopbackHost(wrong)]).toEqual([wrong, false]);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ minLength: 1 }), (name, more) => {
      const isPort = /^:\d{1,5}$/.test(more);
      expect(isLoopbackHost(name + more)).toBe(
        isPort || (name.startsWith("127") && isLoopbackHost(name + more)),
      );
      expect(isOwnOrigin(`http://${name}${more}`, name)).toBe(false);
      expect(isOwnOrigin(more, name)).toBe(false);
    }),
  );
});

test("MCP-16: unknown, forbidden, too large and invalid requests get the right status", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["config", "set", "--global", "max_document_bytes", "1000"]);
  const server = await startHttp(sandbox);
  const good = authorised(server);
  const status = async (...[headers, more]: [Record<string, string>, Parameters<typeof ask>[2]]) =>
    (await ask(server.url, headers, more)).status;
  expect(await status(good, { path: "/" })).toBe(404);
  expect(await status(good, { path: "/mcp/other" })).toBe(404);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await ask(server.url, good, { method });
    expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "POST"]);
  }
  expect(await status(good, { body: "{" })).toBe(400);
  expect(await status({ ...good, "Content-Type": "text/plain" }, {})).toBe(415);
  const large = request(1, "ping", { pad: "x".repeat(1_100_000) });
  expect(await status(good, { body: large })).toBe(413);
  // Also without Content-Length.
  expect(await status({ ...good, "Transfer-Encoding": "chunked" }, { body: large })).toBe(413);
  expect(await status(good, {})).toBe(200);
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 0],
] as const)
  test(`MCP-16: ${signal} ends the server over HTTP`, async () => {
    const sandbox = new Sandbox();
    const server = await startHttp(sandbox);
    const client = await overHttp(server);
    await client.listTools();
    server.process.kill(signal);
    expect(await server.process.exited).toBe(code);
    expect(await fetch(server.url).catch(() => "gone")).toBe("gone");
  });

test("MCP-16: the printed address can be connected to, in whatever form it was given", async () => {
  const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === "::1"),
  );
  for (const host of ["localhost", "127.0.0.1", ...(hasIPv6 ? ["::1", "[::1]"] : [])]) {
    const server = await startHttp(new Sandbox(), ["--host", host]);
    expect((await (await overHttp(server)).listTools()).tools).not.toBeEmpty();
  }
});

test("MCP-16: it prints its address, how to authenticate, and what to do if the port is taken", async () => {
  const sandbox = new Sandbox();
  const server = await startHttp(sandbox);
  const { port } = new URL(server.url);
  const taken = sandbox.run(["mcp", "--http", "--port", port]);
  expect(taken).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`listening on 127.0.0.1:${port}.`),
  });
  const started = sandbox.start(["mcp", "--http", "--port", "0"]);
  let text = "";
  for await (const chunk of started.stdout) {
    text += Buffer.from(chunk).toString();
    if (text.split("\n").length > 3) break;
  }
  started.kill();
  await started.exited;
  expect(text).toMatch(/^Serving MCP at http:\/\/127\.0\.0\.1:\d+\/mcp\. .*Ctrl-C.*\n/);
  expect(text).toContain(`Authorization: Bearer $(cat ${server.tokenFile})`);
  expect(text).toContain("claude mcp add --transport http retain http://127.0.0.1:");
  expect(sandbox.run(["mcp", "--http", "--port", "70000"]).exitCode).toBe(2);
});
