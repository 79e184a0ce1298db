/** The memory tools over MCP, with a hosted index that another machine shares. */
import { expect, test } from "bun:test";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
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

test("VECTOR-5: the questions of an incognito client, and of a program's incognito tools, stay on this machine", async () => {
  const [machine] = (await machines(1)) as [Machine];
  await machine.retain(["remember", "Herons wade in shallow water"]);
  const { client } = await overPipes(machine, ["--incognito"], { env: machine.variables });
  const query = "where do herons wade";
  const { content } = await client.callTool({ name: "recall", arguments: { query } });
  expect(JSON.stringify(content)).toContain("shallow water");
  const retain = openRetain({ cwd: machine.work, homeDirectory: machine.home, env: machine.variables });
  afterThisTest(() => retain.close());
  const recall = (await retain.memoryTools({ incognito: true })).find(({ name }) => name === "recall");
  expect((await recall?.run({ query }, new AbortController().signal))?.text).toContain("shallow water");
  expect(machine.server.sent("query-data")).toEqual([]);
});
