/** The API for Hindsight's clients, as a service of the HTTP server. */
import type { Retain } from "../../app.ts";
import { Banks } from "../banks.ts";
import type { Service } from "../listen.ts";
import { asResponse } from "./errors.ts";
import { Query } from "./query.ts";
import { RECALL_ROUTES } from "./recall.ts";
import { matched, parsedBody, type Route } from "./route.ts";
import { OPEN_PATHS, ROUTES } from "./table.ts";

interface ApiOptions {
  /** Its home workspace has the banks. */
  readonly retain: Retain;
  readonly version: string;
  /** Called with what is wrong with a bank that no request is about. */
  readonly report: (error: Error) => void;
}

/** The size of a request with the largest document, which JSON may double. */
const BODY_SHARE = 2;
const BODY_ROOM_BYTES = 1_000_000;

/** The paths of the contract. */
const ROOTS = ["/v1", "/version", "/health", "/metrics"];

export function apiService({ retain, version, report }: ApiOptions): Service {
  const banks = new Banks(retain, report);
  const started = performance.now();
  const run = async (route: Route, params: Record<string, string>, request: Request, text: string) => {
    const { searchParams } = new URL(request.url);
    const body = parsedBody(route, text);
    const uptime = (performance.now() - started) / 1_000;
    const { signal } = request;
    return route.run({ params, query: new Query(searchParams), body, signal, banks, version, uptime });
  };
  return {
    serves: (path) => ROOTS.some((root) => path === root || path.startsWith(`${root}/`)),
    admits: (_, path) => OPEN_PATHS.includes(path),
    maxBodyBytes: BODY_SHARE * retain.config.settings.max_document_bytes + BODY_ROOM_BYTES,
    refuse: (status, detail) => Response.json({ detail }, { status }),
    async handle(request, text) {
      const segments = new URL(request.url).pathname.split("/");
      const found = ROUTES.flatMap((route) => {
        const params = matched(route.path, segments);
        return params === null ? [] : [{ route, params }];
      });
      // The server leaves out the body of its answer.
      const method = request.method === "HEAD" ? "GET" : request.method;
      const wanted = found.find(({ route }) => route.method === method);
      if (wanted === undefined) return notServed(found.map(({ route }) => route.method));
      if (retain.config.settings.incognito && !isReading(wanted.route)) return refusedIncognito();
      try {
        return Response.json((await run(wanted.route, wanted.params, request, text)) ?? {});
      } catch (error) {
        const response = asResponse(error);
        if (response === null) throw error;
        return response;
      }
    },
    close: () => banks.close(),
  };
}

function isReading(route: Route): boolean {
  return route.method === "GET" || RECALL_ROUTES.includes(route);
}

function refusedIncognito(): Response {
  return Response.json({ detail: "Retain is incognito: nothing is stored or changed." }, { status: 403 });
}

/** Every path that isn't in the table is one that Retain doesn't support. */
function notServed(methods: readonly string[]): Response {
  const detail = "Retain does not support this request. docs/server.md lists what it supports.";
  if (methods.length === 0) return Response.json({ detail }, { status: 501 });
  return Response.json({ detail }, { status: 501, headers: { Allow: [...new Set(methods)].join(", ") } });
}
