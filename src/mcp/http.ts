/**
 * MCP over HTTP, at /mcp. The service is stateless: clients keep working after a restart, and nothing has to be cleaned up when they
 * leave.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { parseJson } from "../util/json.ts";
import { instructionsFor } from "./instructions.ts";
import { memoryServer, type Served } from "./server.ts";

const PATH = "/mcp";

/** How long cancelled calls may take to finish writing. */
const SETTLE_MS = 2_000;

/** MCP as a service of Retain's HTTP server, see serve/listen.ts. */
export interface McpService {
  readonly path: string;
  readonly maxBodyBytes: number;
  serves(path: string): boolean;
  handle(request: Request, text: string): Promise<Response>;
  refuse(status: number, message: string): Response;
  /** Cancels running calls and resolves when they have ended. */
  stop(): Promise<void>;
}

export function mcpService(served: Served, maxBodyBytes: number, report: (error: Error) => void): McpService {
  const greeted = new WeakSet<Request>();
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      const isGreeting = requestInfo !== undefined && greeted.has(requestInfo);
      const instructions = isGreeting ? await instructionsFor(served.retain) : null;
      return memoryServer(served, instructions, nameIn(requestInfo?.headers.get(SESSION_HEADER)));
    },
    { onerror: report },
  );
  return {
    path: PATH,
    maxBodyBytes,
    serves: (path) => path === PATH,
    refuse: (status, message) => jsonError(status, message),
    async handle(request, text) {
      if (request.method !== "POST") return jsonError(405, "Use POST.", { Allow: "POST" });
      const parsedBody = parseJson(text);
      if (parsedBody === undefined) return jsonError(400, "The request body is not valid JSON.", {}, -32_700);
      if (isGreeting(parsedBody)) greeted.add(request);
      const response = await handler.fetch(request, { parsedBody });
      const session = sessionFor(parsedBody);
      if (session !== null) response.headers.set(SESSION_HEADER, session);
      return response;
    },
    async stop() {
      await handler.close();
      await served.running.settled(SETTLE_MS);
    },
  };
}

/** Whether the answer includes the instructions. */
function isGreeting(message: unknown): boolean {
  const method = (message as { method?: unknown } | null)?.method;
  return method === "initialize" || method === "server/discover";
}

/**
 * Clients give their name only in `initialize`, but send the session id with every request. So the id contains the name, and
 * the server stays stateless.
 */
const SESSION_HEADER = "mcp-session-id";
const LONGEST_NAME = 100;

/** null unless the message is an `initialize` with a client's name. */
function sessionFor(message: unknown): string | null {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { clientInfo?: { name?: unknown } };
  };
  const name = params?.clientInfo?.name;
  if (method !== "initialize" || typeof name !== "string") return null;
  return `${crypto.randomUUID()}.${Buffer.from(name.slice(0, LONGEST_NAME)).toString("base64url")}`;
}

function nameIn(session: string | null | undefined): string | null {
  return (
    Buffer.from(session?.split(".")[1] ?? "", "base64url")
      .toString()
      .slice(0, LONGEST_NAME) || null
  );
}

/** As a JSON-RPC error, which clients expect. */
function jsonError(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32_000,
): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status, headers });
}
