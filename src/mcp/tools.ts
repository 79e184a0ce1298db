/**
 * The memory tools as MCP tools. They bring their JSON Schema and check their input themselves, so there is no second definition.
 * A tool that fails returns an error result; only an invalid call is a protocol error.
 *
 * A result contains only the tool's text. If a result has `structuredContent`, Claude Code and Codex pass only that to the model,
 * and drop the text with its memories and the notice that they are data.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { MemoryTool, MemoryToolResult } from "../agent/memory-tool.ts";
import type { CatchUp } from "../util/catch-up.ts";
import { nearest } from "../util/text.ts";
import { SWITCHED_OFF } from "./off.ts";
import type { Running } from "./running.ts";
import type { Semaphore } from "./semaphore.ts";

/** Each request that a client sends to its model contains this, so hints about writing are left out for tools that only read. */
export function listedTool(tool: MemoryTool): Tool {
  const { name, title, description, schema, readOnly, destructive, idempotent, openWorld } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...shortSchema(schema), type: "object" },
    annotations: {
      readOnlyHint: readOnly,
      ...(!readOnly && { destructiveHint: destructive, idempotentHint: idempotent }),
      openWorldHint: openWorld,
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

/** Without limits that models keep anyway. The tool checks them, and its error says what it takes. */
function shortSchema({ additionalProperties, minLength, minimum, maximum, ...schema }: Json): Json {
  const { properties, items } = schema as {
    readonly properties?: Record<string, Json>;
    readonly items?: Json;
  };
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, shortSchema(field)]),
      ),
    }),
    ...(items && { items: shortSchema(items) }),
  };
}

/** How often a long call reports progress to a client that asked for it. */
const PROGRESS_MS = 1_000;

export interface ToolCallContext {
  readonly running: Running;
  /** Limits concurrent writes, which wait for each other's lock anyway. */
  readonly writes: Semaphore;
  readonly catchUp: Pick<CatchUp, "wrote">;
  /** How often a long call reports progress; PROGRESS_MS by default. */
  readonly progressMs?: number;
}

export async function callTool(
  context: ToolCallContext,
  tools: readonly MemoryTool[],
  { name, arguments: input = {} }: { name: string; arguments?: Record<string, unknown> },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw unknownTool(name, tools);
  const stop = tellProgress(name, mcpReq, context.progressMs ?? PROGRESS_MS);
  try {
    const { signal } = mcpReq;
    const begin = async () => {
      signal.throwIfAborted();
      return tool.run(input, signal);
    };
    const run = () => context.running.during(begin, tools, signal);
    if (tool.readOnly) return asCallResult(await run());
    const result = await context.writes.pass(run);
    context.catchUp.wrote();
    return asCallResult(result);
  } finally {
    stop();
  }
}

function asCallResult({ ok, text }: MemoryToolResult): CallToolResult {
  return { content: [{ type: "text", text }], ...(!ok && { isError: true }) };
}

function unknownTool(name: string, tools: readonly MemoryTool[]): ProtocolError {
  const names = tools.map((tool) => tool.name);
  const guess = nearest(name, names);
  const others = names.length === 0 ? SWITCHED_OFF : `Available: ${names.join(", ")}.`;
  const hint = guess === null ? others : `Did you mean '${guess}'?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${name}'. ${hint}`);
}

/** Returns a function that stops it. A client that has disconnected is not an error. */
function tellProgress(name: string, request: ServerContext["mcpReq"], everyMs: number): () => void {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress++;
    const message = `${name} is still working.`;
    request
      .notify({ method: "notifications/progress", params: { progressToken, progress, message } })
      .catch(() => clearInterval(timer));
  }, everyMs);
  return () => clearInterval(timer);
}
