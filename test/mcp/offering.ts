/** The MCP server with the test's own tools on a real memory, and the official client, in one process. */
import { InMemoryTransport } from "@modelcontextprotocol/client";
import type { MemoryTool, MemoryToolResult } from "../../src/agent/memory-tool.ts";
import { openRetain } from "../../src/app.ts";
import { Running } from "../../src/mcp/running.ts";
import { Semaphore } from "../../src/mcp/semaphore.ts";
import { memoryServer } from "../../src/mcp/server.ts";
import { CatchUp } from "../../src/util/catch-up.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { newClient } from "./clients.ts";

export function tool(
  name: string,
  run: (input: unknown, signal: AbortSignal) => Promise<Partial<MemoryToolResult>>,
  more: Partial<MemoryTool> = {},
): MemoryTool {
  return {
    name,
    title: name.toUpperCase(),
    description: `What ${name} does.`,
    schema: {
      type: "object",
      properties: { text: { type: "string", maxLength: 9 } },
      additionalProperties: false,
    },
    effect: "write",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
    check: () => null,
    run: async (input, signal) => ({ ok: true, text: "", data: { said: "" }, ...(await run(input, signal)) }),
    ...more,
  };
}

export async function offering(tools: readonly MemoryTool[], progressMs = 1) {
  const sandbox = new Sandbox();
  const retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home });
  const bugs: unknown[] = [];
  const catchUp = new CatchUp(
    async () => {},
    () => {},
  );
  const running = new Running((error) => bugs.push(error));
  const served = {
    ...{ retain, running, catchUp, progressMs },
    ...{ tools: async () => tools, version: "1.2.3", writes: new Semaphore(4) },
  };
  const server = await memoryServer(served, null, null);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = newClient("legacy");
  await client.connect(ours);
  afterThisTest(() => retain.close());
  afterThisTest(() => client.close());
  return { client, retain, bugs, running };
}
