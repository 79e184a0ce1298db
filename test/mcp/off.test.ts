/** A server with memory switched off. */
import { expect, test } from "bun:test";
import { Sandbox } from "../helpers/sandbox.ts";
import { overPipes } from "./clients.ts";
import { GREETING, messagesIn, request } from "./lines.ts";

const OFF = { RETAIN_MEMORY_BACKEND: "off" };

function remembering(): { sandbox: Sandbox; fact: string } {
  const sandbox = new Sandbox();
  const { json } = sandbox.ok(["remember", "Ada prefers tea.", "--json"]);
  sandbox.ok(["put", "-", "--id", "tea"], { stdin: "# All about tea\n" });
  return { sandbox, fact: json.data.saved[0].id };
}

test("OFF-3: with memory off, only the context is offered, and it says so", async () => {
  const { sandbox, fact } = remembering();
  const { client } = await overPipes(sandbox, [], { env: OFF });
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
  expect((await client.listTools()).tools).toEqual([]);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["memory://context"]);
  expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  const { contents } = await client.readResource({ uri: "memory://context" });
  expect(JSON.stringify(contents)).toContain("memory is off");
  for (const uri of [`memory://${fact}`, "memory://memory/tea"])
    await expect(client.readResource({ uri })).rejects.toThrow("Long-term memory is switched off");
});

test("OFF-3: with memory off, calls, prompts and completions return nothing from memory", () => {
  const { sandbox } = remembering();
  const lines = [
    ...GREETING,
    request(1, "tools/call", { name: "recall", arguments: { query: "tea" } }),
    request(2, "prompts/get", { name: "recall", arguments: { question: "tea" } }),
    request(3, "completion/complete", {
      ref: { type: "ref/resource", uri: "memory://{+id}" },
      argument: { name: "id", value: "" },
    }),
  ];
  const { stdout } = sandbox.ok(["mcp"], { stdin: `${lines.join("\n")}\n`, env: OFF });
  const errors = new Map(messagesIn(stdout).map(({ id, error }) => [id, error]));
  expect(errors.get(1)?.message).toStartWith("Unknown tool 'recall'. Long-term memory is switched off");
  expect([errors.get(2)?.code, errors.get(3)?.code]).toEqual([-32_601, -32_601]);
});
