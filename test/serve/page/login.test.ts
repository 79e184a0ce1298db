/** What a login to the page allows, and what it doesn't need, over HTTP. */
import { expect, test } from "bun:test";
import { Login } from "../../../src/serve/page/login.ts";
import { Sandbox } from "../../helpers/sandbox.ts";
import { startServe, TOKEN } from "../kit.ts";

test("WEB-1: the cookie alone, which other servers on this machine also get, calls nothing", async () => {
  const { url } = await startServe(new Sandbox(), ["--no-open"]);
  const send = (path: string, headers: Record<string, string>, method = "POST") =>
    fetch(`${url}${path}`, { method, headers, ...(method === "POST" && { body: "{}" }) });
  const login = await send("/app/login", { Authorization: `Bearer ${TOKEN}` });
  const { key } = (await login.json()) as { key: string };
  const [cookie = ""] = (login.headers.get("set-cookie") ?? "").split(";");
  const another = await send("/app/login", { Authorization: `Bearer ${TOKEN}`, Cookie: "retain=1.x" });
  expect(another.status).toBe(200);

  expect((await send("/app/hello", { Cookie: cookie, "X-Retain-Key": key })).status).toBe(200);
  expect((await send("/app/hello", { Cookie: cookie })).status).toBe(401);
  expect((await send("/app/login", { Cookie: cookie })).status).toBe(401);
  expect((await send("/app/hello", { Cookie: cookie, "X-Retain-Key": "x" })).status).toBe(401);
  expect((await send("/app/hello", { "X-Retain-Key": key })).status).toBe(401);
  // A browser's streams can't send a key. They show numbers, or a chat whose id only a call reveals.
  const stream = await send("/app/changes", { Cookie: cookie }, "GET");
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("WEB-1: another server on this machine, with another token or the same, logs no page out", () => {
  const now = () => Date.parse("2026-03-01T12:00:00Z");
  /** By name, for every port, as in a browser. */
  const jar = new Map<string, string>();
  const servers = [
    { login: new Login("one-token-of-a-server", now), host: "127.0.0.1:4000" },
    { login: new Login("another-token-of-one", now), host: "127.0.0.1:4001" },
    { login: new Login("one-token-of-a-server", () => now() + 60_000), host: "127.0.0.1:4002" },
  ];
  const entered = servers.map(({ login, host }) => {
    const { cookie, key } = login.issue(new Headers({ host }));
    const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
    jar.set(name, value);
    return { login, host, key };
  });
  const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
  for (const { login, host, key } of entered) {
    expect(login.mayCall(new Headers({ host, cookie, "x-retain-key": key }))).toBe(true);
    expect(login.mayStream(new Headers({ host, cookie }))).toBe(true);
  }
});

test("a stranger can load the page, but not send a body there", async () => {
  const { url } = await startServe(new Sandbox(), ["--no-open"]);
  expect((await fetch(`${url}/`)).status).toBe(200);
  expect((await fetch(`${url}/`, { method: "POST", body: "x".repeat(1_000_000) })).status).toBe(401);
});
