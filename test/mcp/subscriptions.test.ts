/** Clients are told about memories that other programs save, change and remove. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { Sandbox } from "../helpers/sandbox.ts";
import { overHttp, overPipes, REVISIONS, startHttp } from "./clients.ts";

/** Waits for notifications: each call resolves with the next one that fits. */
function notices(client: Client) {
  const heard: string[] = [];
  const waiting: { readonly name: string; readonly resolve: () => void }[] = [];
  const hear = (name: string) => {
    const at = waiting.findIndex((one) => one.name === name);
    if (at < 0) heard.push(name);
    else waiting.splice(at, 1)[0]?.resolve();
  };
  client.setNotificationHandler("notifications/resources/list_changed", () => hear("list"));
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => hear(params.uri));
  return {
    heard,
    next(name: string): Promise<void> {
      const at = heard.indexOf(name);
      if (at >= 0) heard.splice(at, 1);
      return at >= 0 ? Promise.resolve() : new Promise((resolve) => waiting.push({ name, resolve }));
    },
  };
}

async function subscribe(client: Client, revision: string, uri: string): Promise<() => Promise<unknown>> {
  if (revision === "legacy") {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
  const subscription = await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] });
  return () => subscription.close();
}

const uriOf = (id: string) => `memory://memory/${id}`;

for (const revision of REVISIONS)
  test(`MCP-29: a subscribed memory and the list change when another program writes (${revision})`, async () => {
    const sandbox = new Sandbox();
    sandbox.ok(["put", "-", "--id", "plan"], { stdin: "# Plan\n\nShip it.\n" });
    const { client } = await overPipes(sandbox, [], { revision });
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true, listChanged: true });
    const { heard, next } = notices(client);
    await client.listResources();
    const unsubscribe = await subscribe(client, revision, uriOf("plan"));
    sandbox.ok(["remember", "Ada likes tea"]);
    await next("list");
    const { resources } = await client.listResources();
    expect(resources.map(({ title }) => title)).toContain("Ada likes tea");
    expect(heard).not.toContain(uriOf("plan"));
    const path = join(sandbox.memory, "collections/memory/plan.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("Ship it.", "Ship it on 12 May."));
    await next(uriOf("plan"));
    await unsubscribe();
    sandbox.ok(["delete", "plan"]);
    sandbox.ok(["remember", "Bob likes coffee"]);
    if (revision === "legacy") await next("list");
    expect(heard).not.toContain(uriOf("plan"));
  });

test("MCP-29: each of two clients hears of the other's memories, also in a memory that doesn't exist yet", async () => {
  const sandbox = new Sandbox();
  const [{ client: one }, { client: two }] = [await overPipes(sandbox, []), await overPipes(sandbox, [])];
  const [first, second] = [notices(one), notices(two)];
  await one.subscribeResource({ uri: uriOf("plan") });
  await two.listResources();
  await two.callTool({ name: "memory_put", arguments: { content: "# Plan\n\nShip it.", id: "plan" } });
  await Promise.all([first.next(uriOf("plan")), second.next("list")]);
  await two.callTool({ name: "memory_delete", arguments: { id: "plan" } });
  await first.next(uriOf("plan"));
  const error = await one.subscribeResource({ uri: "file:///etc/passwd" }).catch((thrown) => thrown);
  expect(error.message).toContain("not the URI of a memory");
});

test("MCP-29: nothing is watched before a client lists or subscribes, or after it unsubscribes", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "Ada likes tea"]);
  const { client, pid } = await overPipes(sandbox, []);
  await client.callTool({ name: "memory_list", arguments: {} });
  const watches = () => inotifyWatches(pid);
  if (process.platform === "linux") expect(watches()).toBe(0);
  await client.subscribeResource({ uri: uriOf("plan") });
  if (process.platform === "linux") expect(watches()).toBeGreaterThan(0);
  await client.unsubscribeResource({ uri: uriOf("plan") });
  if (process.platform === "linux") expect(watches()).toBe(0);
});

test("MCP-29: over HTTP, which is stateless, the server offers no subscriptions", async () => {
  const server = await startHttp(new Sandbox());
  for (const revision of REVISIONS) {
    const client = await overHttp(server, revision);
    expect(client.getServerCapabilities()?.resources).toEqual({});
  }
});

function inotifyWatches(pid: number): number {
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory)
    .filter((number) => {
      try {
        return readlinkSync(`${directory}/${number}`).includes("inotify");
      } catch {
        return false;
      }
    })
    .map((number) => readFileSync(`/proc/${pid}/fdinfo/${number}`, "utf8").match(/^inotify /gm)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0);
}
