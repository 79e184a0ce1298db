/** Calls of the page with bad input, and with sessions of the same id in two workspaces. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { conversation, talk } from "../helpers/conversations.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { startServer } from "../mcp/clients.ts";

async function calling(sandbox: Sandbox) {
  const { data } = await startServer(sandbox, ["serve"], ["--no-open"]);
  const post = (name: string, body: string, headers: Record<string, string>) =>
    fetch(new URL(`/app/${name}`, data.url), {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", ...headers },
    });
  const token = sandbox.ok(["serve", "token"]).stdout.trim();
  return async (name: string, input: unknown) => {
    const response = await post(name, JSON.stringify(input), { Authorization: `Bearer ${token}` });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server answered
    return { status: response.status, answer: (await response.json()) as any };
  };
}

test("bad input of a call about sessions is refused, and changes nothing", async () => {
  const sandbox = new Sandbox();
  const id = await conversation(sandbox, talk("Which berth?", "Berth nine."), { title: "Berth" });
  const call = await calling(sandbox);
  for (const [name, input, status, code] of [
    ["sessions", { query: "", limit: 0 }, 422, "usage"],
    ["sessions", { query: "", limit: 5, more: true }, 422, "usage"],
    ["session", { id: "nope" }, 404, "not_found"],
    ["session", { id, origin: "bank" }, 422, "usage"],
    ["session-rename", { id, title: "  " }, 422, "invalid_input"],
    ["session-rename", { id, title: `key ghp_${"a1B2".repeat(9)}` }, 422, "secret"],
    ["session-export", { id, format: "pdf" }, 422, "usage"],
    ["session-delete", { id: "nope", force: false }, 404, "not_found"],
    ["review-confirm", { id: "nope" }, 404, "not_found"],
    ["review-decide", { id: "nope", decision: "neither" }, 422, "usage"],
    ["undo", { number: 1, origin: "home" }, 404, "not_found"],
  ] as const) {
    const { answer, ...refused } = await call(name, input);
    expect([name, refused.status, answer.error?.code]).toEqual([name, status, code]);
    expect(answer.error.message).not.toBe("");
  }
  expect((await call("session", { id })).answer).toMatchObject({ name: "Berth", turns: [{}, {}] });
});

test("of two sessions with the same id, a call changes the one that its origin names", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  sandbox.ok(["remember", "The project has a workspace", "--local"]);
  const root = JSON.parse(sandbox.ok(["where", "--json"]).stdout).data.conversations;
  const id = await conversation(sandbox, talk("At home"), { title: "Home" });
  expect(
    await conversation(sandbox, talk("In the project"), { title: "Project", root: join(root, "..") }),
  ).toBe(id);
  const call = await calling(sandbox);
  expect((await call("session-rename", { id, origin: "home", title: "Renamed" })).status).toBe(200);
  expect((await call("session-tag", { id, origin: "home", add: ["one"], remove: [] })).status).toBe(200);
  const { answer } = await call("sessions", { query: "", limit: 10 });
  const listed = answer.sessions.map(({ origin, title, tags }: Record<string, unknown>) => [
    origin,
    title,
    tags,
  ]);
  expect(listed.toSorted()).toEqual([
    ["home", "Renamed", ["one"]],
    ["project", "Project", []],
  ]);
  expect((await call("session-delete", { id, origin: "home", force: false })).status).toBe(200);
  expect((await call("session", { id })).answer.name).toBe("Project");
});
