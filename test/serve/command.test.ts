/** `retain serve`, the real command. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { processesWith } from "../embed/processes.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox, WITH_MEANING } from "../helpers/sandbox.ts";
import { overHttp, startHttp } from "../mcp/clients.ts";
import { startServe, TOKEN } from "./kit.ts";

const MEMORIES = "/v1/default/banks/load/memories";

testNeeding("strace")("SERVE-2: the token is stored also where a file system has no hard links", () => {
  const sandbox = new Sandbox();
  const inject = ["-e", "inject=link,linkat:error=EPERM"];
  const command = ["strace", "-f", "-o", join(sandbox.root, "trace"), ...inject, RETAIN, "serve", "token"];
  const env = sandbox.env();
  const { stdout, exitCode } = Bun.spawnSync(command, { cwd: sandbox.work, env });
  expect(exitCode).toBe(0);
  const file = join(sandbox.memory, "server-token");
  expect(readFileSync(file, "utf8")).toBe(stdout.toString());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(sandbox.ok(["serve", "token"]).stdout).toBe(stdout.toString());
  expect(readdirSync(sandbox.memory).filter((name) => /token\.|tmp/.test(name))).toEqual([]);
});

test("SERVE-2: one stored token serves the API and MCP; an option or RETAIN_TOKEN overrides it", async () => {
  const sandbox = new Sandbox();
  const printed = sandbox.ok(["serve", "token"]).stdout.trim();
  const file = join(sandbox.memory, "server-token");
  expect(readFileSync(file, "utf8").trim()).toBe(printed);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await startHttp(sandbox)).token).toBe(printed);
  expect(sandbox.ok(["serve", "token"], { env: { RETAIN_TOKEN: TOKEN } }).stdout.trim()).toBe(TOKEN);
  expect(sandbox.run(["serve", "--token", "short"]).exitCode).toBe(2);
  const stored = sandbox.start(["serve", "--port", "0"]);
  let text = "";
  for await (const chunk of stored.stdout) {
    text += Buffer.from(chunk).toString();
    if (text.split("\n").length > 3) break;
  }
  stored.kill();
  await stored.exited;
  expect(text).toContain(`Authorization: Bearer $(cat ${file})`);
  expect(text).not.toContain(printed);
});

test("SERVE-1: an address that other machines can reach needs --allow-remote", async () => {
  const sandbox = new Sandbox();
  expect(sandbox.run(["serve", "--host", "0.0.0.0"])).toMatchObject({ exitCode: 3 });
  expect(existsSync(join(sandbox.memory, "server-token"))).toBe(false);
  const args = ["--host", "0.0.0.0", "--allow-remote", "--allow-host", "memory.example"];
  const { url } = await startServe(sandbox, args);
  const status = async (host: string) => {
    const { port } = new URL(url);
    const headers = { Host: host, Authorization: `Bearer ${TOKEN}` };
    return (await fetch(`http://127.0.0.1:${port}/version`, { headers })).status;
  };
  for (const host of ["192.168.0.4", "memory.example:7411", "localhost"])
    expect([host, await status(host)]).toEqual([host, 200]);
  expect(await status("evil.example")).toBe(403);
});

test("SERVE-3: MCP is served at /mcp by the same server", async () => {
  const sandbox = new Sandbox();
  const { url, process } = await startServe(sandbox);
  const client = await overHttp({ url: `${url}/mcp`, token: TOKEN, tokenFile: "", process });
  await client.callTool({
    name: "retain",
    arguments: { items: [{ content: "The deploy runs on Fridays." }] },
  });
  expect(sandbox.ok(["facts", "--json"]).json.data.total).toBe(1);
});

testNeeding("/proc/locks")("EMB-10: a server embeds in another process, which ends with it", async () => {
  const sandbox = new Sandbox(WITH_MEANING);
  const { url, process: server } = await startServe(sandbox);
  const post = (path: string, body: object) =>
    fetch(`${url}${MEMORIES}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(body),
    });
  await post("", { items: [{ content: "The ferry leaves at six" }] });
  expect(await (await post("/recall", { query: "when does the boat depart?" })).text()).toContain("ferry");
  const helpers = processesWith("embed-helper").filter((id) => parentOf(id) === server.pid);
  expect(helpers).toHaveLength(1);
  server.kill("SIGKILL");
  while (helpers.some((id) => existsSync(`/proc/${id}`))) await Bun.sleep(5);
});

function parentOf(id: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]);
}

test("SERVE-4: nothing that was acknowledged is lost when the server is killed under load", async () => {
  const sandbox = new Sandbox();
  const first = await startServe(sandbox);
  const acknowledged: string[] = [];
  const enough = Promise.withResolvers<void>();
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let number = 0; ; number++) {
      const id = `note-${client}-${number}`;
      const items = [
        { content: `Number ${number} of client ${client}\n\nDone.`, document_id: id },
        { content: `Client ${client} counted sheep ${number} in field ${client * 1000 + number}` },
      ];
      const answer = await first
        .ask(MEMORIES, { body: { items, async: number % 2 === 0 } })
        .catch(() => null);
      if (answer === null) return;
      expect(answer.status).toBe(200);
      acknowledged.push(id);
      if (acknowledged.length >= 40) enough.resolve();
    }
  });
  await enough.promise;
  first.process.kill("SIGKILL");
  await first.process.exited;
  await Promise.all(clients);
  const { ask } = await startServe(sandbox);
  const { body } = await ask(`/v1/default/banks/load/documents?limit=1000`);
  const found = new Set(body.items.map(({ id }: { id: string }) => id));
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  const texts = (await ask("/v1/default/banks/load/memories/list?limit=1000")).body.items.map(
    ({ text }: { text: string }) => text,
  );
  for (const id of acknowledged) {
    const [, client = "", number = ""] = id.split("-");
    const field = Number(client) * 1000 + Number(number);
    expect(texts).toContain(`Client ${client} counted sheep ${number} in field ${field}`);
  }
});

for (const [signal, code] of [
  ["SIGTERM", 0],
  ["SIGINT", 130],
] as const)
  test(`SERVE-6: ${signal} lets a running request finish, then exits with ${code}`, async () => {
    const { ask, process, url } = await startServe(new Sandbox());
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ items: [{ content: "Almost too late" }] });
    const head = `POST ${MEMORIES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}`;
    await new Promise<void>((done) =>
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`, () => done()),
    );
    // Answered after the server has seen the first request.
    await ask("/version");
    process.kill(signal);
    while (
      await fetch(`${url}/health`).then(
        () => true,
        () => false,
      )
    )
      await Bun.sleep(5);
    const answer = new Promise<string>((done) => socket.once("data", (data) => done(data.toString())));
    socket.write(body.slice(9));
    expect(await answer).toContain('"success":true');
    expect(await process.exited).toBe(code);
    socket.destroy();
  });
