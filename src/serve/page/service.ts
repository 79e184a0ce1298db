/** The web page as a service of the HTTP server: its files, its login, and its calls at /app/<name>. */
import type { SetupQuestion } from "../../agent/setup-question.ts";
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import { parseJson } from "../../util/json.ts";
import { statusOf } from "../api/errors.ts";
import type { Service } from "../listen.ts";
import type { PageCall } from "./call.ts";
import { Changes } from "./changes.ts";
import { Chats } from "./chats.ts";
import { isPageFile, PAGE_HEADERS, PageFiles } from "./files.ts";
import { hintOnPage } from "./hint.ts";
import { Login } from "./login.ts";
import { Streams } from "./streams.ts";
import { CALLS, type PageError } from "./table.ts";

interface PageOptions {
  readonly retain: Retain;
  readonly token: string;
  /** Other machines can reach the server. */
  readonly isRemote: boolean;
  /** Questions of a chat's first start. */
  readonly setup?: readonly SetupQuestion[];
  report(error: Error): void;
}

interface PageService extends Service {
  /** What follows "#" in the link that logs in; null after the code was used. */
  readonly code: string | null;
}

const APP = "/app/";
const LOGIN = "/app/login";
/** A stream of revisions. */
const CHANGES = "/app/changes";
/** What a chat shows, as a stream. */
const EVENTS = /^\/app\/chats\/([\w-]+)\/events$/;
const BODY_ROOM_BYTES = 1_000_000;

export function pageService({ retain, token, isRemote, setup = [], report }: PageOptions): PageService {
  const files = new PageFiles();
  const login = new Login(token, Date.now);
  const streams = new Streams();
  const changes = new Changes(retain, report);
  const chats = new Chats({ retain, setup, isRemote, report });
  const context = { retain, chats };
  const run = async (name: string, text: string): Promise<Response> => {
    const called = Object.hasOwn(CALLS, name)
      ? (CALLS as Record<string, PageCall<unknown, unknown>>)[name]
      : null;
    if (!called) return failed(404, { code: "not_found", message: "Unknown call.", hint: null });
    const input = called.input.safeParse(parseJson(text));
    if (!input.success) return failed(422, { code: "usage", message: "Invalid input.", hint: null });
    return orFailed(async () => answered((await called.run(context, input.data)) ?? null));
  };
  const stream = async (request: Request): Promise<Response | null> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === CHANGES) return streams.open(request, changes.subscribe);
    const [, id] = EVENTS.exec(pathname) ?? [];
    if (id === undefined) return null;
    // A browser that opens a new stream can't send the header.
    const after = request.headers.get("last-event-id") ?? searchParams.get("after");
    return orFailed(async () => {
      const chat = chats.get(id);
      return streams.open(request, (send) => chat.follow(after, send));
    });
  };
  return {
    get code() {
      return login.code;
    },
    serves: (path) => isPageFile(path) || path.startsWith(APP),
    admits: ({ method, headers }, path) =>
      (method === "GET" && (isPageFile(path) || login.mayStream(headers))) ||
      login.mayCall(headers) ||
      (path === LOGIN && login.redeems(headers)),
    maxBodyBytes: 2 * retain.config.settings.max_document_bytes + BODY_ROOM_BYTES,
    refuse: (status, message) =>
      failed(status, { code: status === 401 ? "login" : "usage", message, hint: null }),
    async handle(request, text) {
      const { pathname } = new URL(request.url);
      if (isPageFile(pathname)) return files.response(pathname, request.headers);
      const streamed = request.method === "GET" ? await stream(request) : null;
      if (streamed !== null) return streamed;
      if (request.method !== "POST") return failed(405, { code: "usage", message: "Use POST.", hint: null });
      // Whoever gets here has the code, the token, or a cookie and its key.
      if (pathname === LOGIN) {
        const { cookie, key } = login.issue(request.headers);
        return answered({ key }, { "Set-Cookie": cookie });
      }
      return run(pathname.slice(APP.length), text);
    },
    async stop() {
      streams.close();
      changes.close();
      await chats.closeAll();
    },
  };
}

/** A user's mistake as an answer; only a bug rejects. */
async function orFailed(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const { code, message, advice } = error;
    const hint = advice === undefined ? null : hintOnPage(advice);
    return failed(statusOf(error), { code, message, hint });
  }
}

function answered(value: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(value, { headers: { ...PAGE_HEADERS, "Cache-Control": "no-store", ...headers } });
}

function failed(status: number, error: PageError): Response {
  return Response.json({ error }, { status, headers: { ...PAGE_HEADERS, "Cache-Control": "no-store" } });
}
