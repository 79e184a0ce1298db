/** Tools over MCP: definitions, and calls that fail, take long, are cancelled, or hit a bug. */
import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import type { MemoryTool } from "../../src/agent/memory-tool.ts";
import { openRetain } from "../../src/app.ts";
import type { Settings } from "../../src/config/schema.ts";
import { ToolPlace } from "../agent/memory-tools-place.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";
import { offering, tool } from "./offering.ts";

test("MCP-3: every memory tool is listed with its schema, title and annotations", async () => {
  const sandbox = new Sandbox();
  const { client } = await overPipes(sandbox);
  const { tools } = await client.listTools();
  using retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home });
  const defined = await retain.memoryTools();
  expect(tools.map(({ name, title, description }) => ({ name, title, description }))).toEqual(
    defined.map(({ name, title, description }) => ({ name, title, description })),
  );
  for (const [at, { annotations, inputSchema }] of tools.entries()) {
    const tool = defined[at] as MemoryTool;
    const { readOnly, destructive, idempotent, openWorld } = tool;
    const writing = { destructiveHint: destructive, idempotentHint: idempotent };
    expect(annotations).toEqual({
      readOnlyHint: readOnly,
      openWorldHint: openWorld,
      ...(!readOnly && writing),
    });
    expect(inputSchema).toMatchObject({ type: "object", ...requiredOf(tool) });
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(Object.keys(tool.schema.properties ?? {}));
  }
});

function requiredOf({ schema: { required } }: MemoryTool) {
  return required === undefined ? {} : { required: [...required] };
}

test("MCP-3: all tools together take at most 8 KB, and every field has one type", async () => {
  const { client } = await overPipes(new Sandbox());
  const listed = JSON.stringify((await client.listTools()).tools);
  expect(Buffer.byteLength(listed)).toBeLessThanOrEqual(8_192);
  expect(listed).not.toContain('"type":[');
  expect(listed).not.toContain('"null"');
});

test("MCP-3: a tool is open-world if it may use the network: a model, a server or an endpoint", async () => {
  const open = async (settings: Partial<Settings>) => {
    const sandbox = new Sandbox();
    using retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home, settings });
    const tools = await retain.memoryTools();
    return tools.filter(({ openWorld }) => openWorld).map(({ name }) => name);
  };
  expect(await open({})).toEqual(["reflect"]);
  const all = (await new ToolPlace().retain.memoryTools()).map(({ name }) => name);
  const local = ["memory_get", "memory_list"];
  for (const settings of [
    { memory_backend: "hindsight", hindsight_url: "http://127.0.0.1:9" },
    { embedding: "endpoint", embedding_url: "http://127.0.0.1:9/v1", embedding_model: "one" },
  ] as const)
    expect(await open(settings)).toEqual(all.filter((name) => !local.includes(name)));
});

test("MCP-1: an unknown tool, prompt, method or template is a helpful error", async () => {
  const { client } = await overPipes(new Sandbox());
  const failure = (asked: Promise<unknown>) =>
    asked.then(
      () => "no error",
      ({ code, message }) => `${code} ${message}`,
    );
  expect(await failure(client.callTool({ name: "recal" }))).toMatch(/^-32602 .*'recal'.*'recall'/);
  expect(await failure(client.callTool({ name: "constructor" }))).toMatch(
    /^-32602 .*'constructor'.*: retain, recall,/,
  );
  expect(await failure(client.getPrompt({ name: "hello" }))).toMatch(/^-32602 .*'hello'.*: remember, recall/);
  const ref = { type: "ref/resource" as const, uri: "other://{id}" };
  expect(await failure(client.complete({ ref, argument: { name: "id", value: "" } }))).toMatch(
    /^-32602 .*'other:\/\/\{id\}'/,
  );
  expect(
    await failure(client.request({ method: "logging/setLevel", params: { level: "info" } })),
  ).toStartWith("-32601");
});

test("MCP-6: a long call doesn't block others", async () => {
  const gate = Promise.withResolvers<void>();
  const { client } = await offering([
    tool("slow", async () => {
      await gate.promise;
      return { text: "at last" };
    }),
    tool("quick", async () => ({ text: "at once" })),
  ]);
  const slow = client.callTool({ name: "slow" });
  expect(await client.callTool({ name: "quick" })).toMatchObject({ content: [{ text: "at once" }] });
  gate.resolve();
  expect(await slow).toMatchObject({ content: [{ text: "at last" }] });
});

test("MCP-6: a cancelled request aborts its tool, and others continue", async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const { client, bugs } = await offering([
    tool("endless", async (_input, signal) => {
      begun.resolve(signal);
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return {};
    }),
    tool("quick", async () => ({ text: "at once" })),
  ]);
  const stop = new AbortController();
  const call = client.callTool({ name: "endless" }, { signal: stop.signal }).catch((error) => error);
  const signal = await begun.promise;
  expect(signal.aborted).toBe(false);
  stop.abort("enough");
  expect(await call).toBeInstanceOf(Error);
  expect(await client.callTool({ name: "quick" })).toMatchObject({ content: [{ text: "at once" }] });
  expect(signal.aborted).toBe(true);
  expect(bugs).toEqual([]);
});

test("MCP-6: a long call reports progress to a client that asks for it", async () => {
  const gate = Promise.withResolvers<void>();
  const { client } = await offering([
    tool("slow", async () => {
      await gate.promise;
      return {};
    }),
  ]);
  const told: { progress: number; message?: string }[] = [];
  const onprogress = (progress: { progress: number; message?: string }) => {
    told.push(progress);
    if (told.length === 3) gate.resolve();
  };
  await client.callTool({ name: "slow" }, { onprogress });
  expect(told.slice(0, 3)).toMatchObject([
    { progress: 1, message: "slow is still working." },
    { progress: 2 },
    { progress: 3 },
  ]);
});

test("MCP-6: a few writes run at a time, in order, and cancelled ones never start", async () => {
  const begun: unknown[] = [];
  const gates: (() => void)[] = [];
  const { client } = await offering([
    tool("write", async (input) => {
      begun.push((input as { text: string }).text);
      await new Promise<void>((resolve) => gates.push(resolve));
      return {};
    }),
    tool("read", async () => ({ text: "at once" }), { readOnly: true }),
  ]);
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const calls = ["1", "2", "3", "4", "5", "6"].map((text) =>
    client
      .callTool({ name: "write", arguments: { text } }, text === "5" ? options : {})
      .catch((error: unknown) => error),
  );
  expect(await client.callTool({ name: "read" })).toMatchObject({ content: [{ text: "at once" }] });
  expect(begun).toEqual(["1", "2", "3", "4"]);
  stop.abort();
  while (begun.length < 5) {
    for (const open of gates.splice(0)) open();
    await setImmediate();
  }
  for (const open of gates.splice(0)) open();
  await Promise.all(calls);
  expect(begun).toEqual(["1", "2", "3", "4", "6"]);
  for (const text of ["7", "8", "9", "10", "11"])
    void client.callTool({ name: "write", arguments: { text } }).catch(() => {});
  await client.callTool({ name: "read" });
  expect(begun.slice(5)).toEqual(["7", "8", "9", "10"]);
});

test("MCP-1: a bug is an internal error for the client, and is reported in full", async () => {
  const { client, bugs } = await offering([
    tool("broken", async () => {
      throw new TypeError("undefined is not a function, at /secret/place");
    }),
  ]);
  const error = await client.callTool({ name: "broken" }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: -32603 });
  expect(error.message).not.toContain("/secret/place");
  expect(bugs).toMatchObject([{ message: "undefined is not a function, at /secret/place" }]);
});
