/** The memory tools over MCP, with a hosted index that another machine shares. */
import { expect, test } from "bun:test";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import { HOME, type Machine, machines } from "../helpers/upstash-machine.ts";
import { overPipes } from "./clients.ts";

test("VECTOR-4: memory_forget previews and forgets a memory that only another machine has", async () => {
  const [one, other] = (await machines(2)) as [Machine, Machine];
  const text = "Herons wade in shallow water";
  await one.retain(["remember", text]);
  const { client } = await overPipes(other, [], { env: other.variables });
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError = false, content } = await client.callTool({ name, arguments: input });
    return { isError, text: content.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
  };
  const recalled = await call("recall", { query: "where do herons wade" });
  const [id = ""] = /fact:[0-9a-f]{20}/.exec(recalled.text) ?? [];
  const preview = await call("memory_forget", { id });
  expect([preview.isError, preview.text.includes(text)]).toEqual([true, true]);
  expect(one.server.facts(HOME)).toEqual([text]);
  const done = await call("memory_forget", { id, confirm: confirmationOf(id, text) });
  expect(done).toMatchObject({ isError: false, text: expect.stringContaining(id) });
  expect(one.server.facts(HOME)).toEqual([]);
  expect((await call("memory_forget", { id })).text).toContain("not_found");
});
