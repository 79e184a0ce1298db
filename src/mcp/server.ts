/** One MCP server for one memory: its capabilities and request handlers. Supports every protocol revision the SDK knows. */
import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { MemoryTool } from "../agent/memory-tool.ts";
import type { Retain } from "../app.ts";
import { MEMORY_TEMPLATE } from "./memory-uri.ts";
import { getPrompt, PROMPTS } from "./prompts.ts";
import type { ResourceWatch } from "./resource-watch.ts";
import { completeMemory, listResources, MEMORY_RESOURCES, readResource } from "./resources.ts";
import { callTool, listedTool, type ToolCallContext } from "./tools.ts";

/** Shared by all clients. */
export interface Served extends ToolCallContext {
  readonly retain: Retain;
  /** `client` returns the client's name, which is unknown until the client has introduced itself. */
  tools(client: () => string): Promise<readonly MemoryTool[]>;
  /** The chat whose memory goes into the context; by default the project's, or "main". */
  readonly chat?: string;
  readonly version: string;
}

/** Since revision 2026-07-28, clients introduce themselves with every request. */
type Envelope = { readonly [CLIENT_INFO_META_KEY]?: { readonly name: string } } | undefined;

/** The author name for a client that doesn't introduce itself. */
const NAMELESS = "MCP client";

/**
 * For one connection, or one HTTP request. `instructions` is null if the client has them already; `greetedAs` is the name it gave
 * in `initialize`. With a `watch`, which needs a connection, clients can subscribe to resources.
 */
export async function memoryServer(
  served: Served,
  instructions: string | null,
  greetedAs: string | null,
  watch: ResourceWatch | null = null,
): Promise<McpServer> {
  const { retain, running, version, chat } = served;
  const mcp = new McpServer(
    { name: "retain", title: "Retain", version },
    { jsonSchemaValidator: NO_FORMS, ...(instructions !== null && { instructions }) },
  );
  const { server } = mcp;
  let client = greetedAs;
  const tools = await served.tools(() => client || server.getClientVersion()?.name || NAMELESS);
  const { isOff } = retain;
  server.registerCapabilities({ tools: {}, resources: {} });
  if (watch !== null && !isOff) offerSubscriptions(server, running, tools, watch);
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(listedTool) }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const envelope: Envelope = context.mcpReq.envelope;
    client = envelope?.[CLIENT_INFO_META_KEY]?.name ?? client;
    return callTool(served, tools, params, context);
  });
  server.setRequestHandler("resources/list", async () => {
    const resources = await running.during(() => listResources(retain), tools);
    if (!isOff) watch?.listed(JSON.stringify(resources));
    return { resources };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: isOff ? [] : [MEMORY_RESOURCES],
  }));
  server.setRequestHandler("resources/read", ({ params }) =>
    running.during(() => readResource(retain, params.uri, chat, tools), tools),
  );
  if (!isOff) offerWords(server, served, tools);
  return mcp;
}

function offerSubscriptions(
  server: McpServer["server"],
  running: Served["running"],
  tools: readonly MemoryTool[],
  watch: ResourceWatch,
): void {
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    await running.during(() => watch.subscribe(uri), tools);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    watch.unsubscribe(uri);
    return {};
  });
}

/** Prompts, and completion of ids. */
function offerWords(
  server: McpServer["server"],
  { retain, running }: Served,
  tools: readonly MemoryTool[],
): void {
  if (retain.config.settings.mcp_prompts) offerPrompts(server, running, tools);
  server.registerCapabilities({ completions: {} });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    if (ref.type === "ref/prompt") return { completion: { values: [] } };
    if (ref.uri !== MEMORY_TEMPLATE)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource template '${ref.uri}'.`);
    const { values, total } = await running.during(() => completeMemory(retain, argument.value), tools);
    return { completion: { values, total, hasMore: total > values.length } };
  });
}

function offerPrompts(
  server: McpServer["server"],
  running: Served["running"],
  tools: readonly MemoryTool[],
): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler("prompts/list", () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) =>
    running.during(
      () => getPrompt(tools, params.name, params.arguments ?? {}, mcpReq.signal),
      tools,
      mcpReq.signal,
    ),
  );
}

/** Retain never asks clients to fill in forms; by default the SDK would build a validator for each request. */
const NO_FORMS = {
  getValidator: () => () => ({
    valid: false as const,
    data: undefined,
    errorMessage: "No form was requested.",
  }),
};
