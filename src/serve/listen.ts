/**
 * The one HTTP server of Retain: checks, limits and a graceful shutdown for everything it serves. Each service has its paths and its form
 * of errors.
 */

import { within } from "../util/within.ts";
import { readBody } from "./body.ts";
import {
  type Access,
  corsHeaders,
  hasToken,
  PREFLIGHT,
  type Refusal,
  refusePage,
  WrongTokens,
} from "./guard.ts";

/** What a server offers below some paths. */
export interface Service {
  /** Whether the path is this service's. */
  serves(path: string): boolean;
  /** Whether the request needs no token. */
  admits?(request: Request, path: string): boolean;
  readonly maxBodyBytes: number;
  /** `text` is the request's body; "" if it has none. Rejects only because of a bug. */
  handle(request: Request, text: string): Promise<Response>;
  /** An error in the form that its clients expect. */
  refuse(status: number, message: string): Response;
  /** Cancels what would never end, such as streams, before the server stops. */
  stop?(): Promise<void>;
  /** Called when no request is running any more. */
  close?(): Promise<void>;
}

export interface ListenOptions extends Access {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly services: readonly Service[];
  report(error: Error): void;
}

export interface Listening {
  /** "http://127.0.0.1:7411/" */
  readonly url: string;
  /** Accepts nothing new, and lets running requests finish for a few seconds. */
  close(): Promise<void>;
}

/** Timeout of an idle connection that has not sent a request with the token yet. */
const IDLE_SECONDS = 10;
const MOST_AT_ONCE = 256;
/** How long running requests may take to finish when the server stops. */
const SETTLE_MS = 5_000;

/** Listens when it returns. Throws the system's error if it cannot. */
export function listen(options: ListenOptions): Listening {
  const { services, report } = options;
  const wrong = new WrongTokens(Date.now);
  const running = new Set<Promise<unknown>>();
  const largest = Math.max(...services.map(({ maxBodyBytes }) => maxBodyBytes));
  const answer = async (request: Request, server: Bun.Server<undefined>): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const service = services.find((one) => one.serves(pathname));
    const refuse = ({ status, message, headers = {} }: Refusal) =>
      withHeaders(service?.refuse(status, message) ?? plainError(status, message), headers);
    const page = refusePage(request.headers, options);
    if (page !== null) return refuse(page);
    const cors = corsHeaders(request.headers, options);
    if (request.method === "OPTIONS" && cors["Access-Control-Allow-Origin"] !== undefined)
      return new Response(null, { status: 204, headers: { ...PREFLIGHT, ...cors } });
    const refusal =
      refuseStranger(request, server, service) ?? (server.pendingRequests > MOST_AT_ONCE ? BUSY : null);
    if (refusal !== null) return withHeaders(refuse(refusal), cors);
    if (service === undefined) return refuse({ status: 404, message: "Not found." });
    server.timeout(request, 0);
    const body = await readBody(request, service.maxBodyBytes);
    if ("status" in body) return withHeaders(refuse(body), { ...cors, Connection: "close" });
    return withHeaders(await handled(service, request, body.text), cors);
  };
  const handled = async (service: Service, request: Request, text: string) => {
    try {
      return await service.handle(request, text);
    } catch (error) {
      report(error instanceof Error ? error : new Error(String(error)));
      return service.refuse(500, BUG);
    }
  };
  const refuseStranger = (request: Request, server: Bun.Server<undefined>, service: Service | undefined) => {
    const isAdmitted = service?.admits?.(request, new URL(request.url).pathname) === true;
    if (isAdmitted || hasToken(request.headers, options)) return null;
    return wrong.allows(server.requestIP(request)?.address ?? "") ? NO_TOKEN : TOO_MANY;
  };
  const server = Bun.serve({
    hostname: options.host,
    port: options.port,
    idleTimeout: IDLE_SECONDS,
    // readBody reports a body over the limit in the service's form; this aborts one that keeps growing.
    maxRequestBodySize: 10 * largest,
    async fetch(request, bun) {
      const work = answer(request, bun);
      running.add(work);
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },
    error(error) {
      report(error);
      return plainError(500, BUG);
    },
  });
  return {
    url: server.url.href,
    async close() {
      const stopped = server.stop();
      for (const service of services) await service.stop?.();
      await within(SETTLE_MS, Promise.allSettled([...running]), () => {});
      await server.stop(true);
      await stopped;
      for (const service of services) await service.close?.();
    },
  };
}

const BUG = "Internal error. The server's log on stderr has details.";
const NO_TOKEN: Refusal = {
  status: 401,
  message: "The token is missing or wrong.",
  headers: { "WWW-Authenticate": 'Bearer realm="retain"' },
};
const TOO_MANY: Refusal = {
  status: 429,
  message: "Too many requests with a missing or wrong token.",
  headers: { "Retry-After": "60" },
};
const BUSY: Refusal = {
  status: 503,
  message: "Too many requests at once.",
  headers: { "Retry-After": "1" },
};

function plainError(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
