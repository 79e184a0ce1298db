/**
 * MCP over HTTP, at /mcp, for programs on this machine that have the token. The server is stateless: clients keep working after a
 * restart, and nothing has to be cleaned up when they leave.
 */
import { createMcpHandler, readRequestBody } from "@modelcontextprotocol/server";
import { isLoopbackHost, isOwnOrigin } from "../util/loopback.ts";
import { instructionsFor } from "./instructions.ts";
import { memoryServer, type Served } from "./server.ts";

export const HTTP_PATH = "/mcp";

/** How long cancelled calls may take to finish writing. */
const SETTLE_MS = 2_000;
/** Timeout of an idle connection that has not sent the token yet. */
const IDLE_SECONDS = 10;

export interface HttpOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly token: string;
  readonly maxBodyBytes: number;
  report(error: Error): void;
}

export interface HttpServer {
  readonly url: string;
  /** Cancels running calls and resolves when they have ended. */
  close(): Promise<void>;
}

/** Throws the system's error if it cannot listen on the address. */
export function serveOverHttp(served: Served, options: HttpOptions): HttpServer {
  const greeted = new WeakSet<Request>();
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      const isGreeting = requestInfo !== undefined && greeted.has(requestInfo);
      const instructions = isGreeting ? await instructionsFor(served.retain) : null;
      return memoryServer(served, instructions, nameIn(requestInfo?.headers.get(SESSION_HEADER)));
    },
    { onerror: options.report },
  );
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    idleTimeout: IDLE_SECONDS,
    // bodyOf reports a body over the limit; this aborts one that keeps growing.
    maxRequestBodySize: 2 * options.maxBodyBytes,
    async fetch(request, bun) {
      const refusal = refuse(request, options.token);
      if (refusal !== null) return refusal;
      bun.timeout(request, 0);
      const body = await bodyOf(request, options.maxBodyBytes);
      if (body instanceof Response) return body;
      if (isGreeting(body.parsed)) greeted.add(request);
      const response = await handler.fetch(request, { parsedBody: body.parsed });
      const session = sessionFor(body.parsed);
      if (session !== null) response.headers.set(SESSION_HEADER, session);
      return response;
    },
    error(error) {
      options.report(error);
      return jsonError(500, "Internal error. The server's log on stderr has details.");
    },
  });
  return {
    url: new URL(HTTP_PATH, server.url).href,
    async close() {
      await handler.close();
      await server.stop(true);
      await served.running.settled(SETTLE_MS);
    },
  };
}

/** null if the request is allowed. */
function refuse(request: Request, token: string): Response | null {
  const { headers } = request;
  const host = headers.get("host");
  if (!isLoopbackHost(host)) return jsonError(403, "Only programs on this machine may connect.");
  if (!isOwnOrigin(headers.get("origin"), host))
    return jsonError(403, "Web pages from other origins may not connect.");
  if (new URL(request.url).pathname !== HTTP_PATH)
    return jsonError(404, `Not found. The server is at ${HTTP_PATH}.`);
  if (!isToken(headers.get("authorization"), token))
    return jsonError(401, "The token is missing or wrong.", { "WWW-Authenticate": 'Bearer realm="retain"' });
  if (request.method !== "POST") return jsonError(405, "Use POST.", { Allow: "POST" });
  return null;
}

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Takes the same time for any wrong token. Without node:crypto, which loads all of the runtime's streams. */
function isToken(header: string | null, token: string): boolean {
  const [, given = ""] = BEARER.exec(header ?? "") ?? [];
  return crypto.timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}

async function bodyOf(request: Request, maxBytes: number): Promise<{ parsed: unknown } | Response> {
  const read = await readRequestBody(request, maxBytes);
  if (read.tooLarge)
    return jsonError(413, `Message too large: the limit is ${Math.floor(maxBytes / 1_000_000)} MB.`);
  try {
    return { parsed: JSON.parse(read.text) };
  } catch {
    return jsonError(400, "The request body is not valid JSON.", {}, -32_700);
  }
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
