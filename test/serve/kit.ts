/** `retain serve` for tests: the real command, or its services in this process. */
import { openRetain } from "../../src/index.ts";
import { apiService } from "../../src/serve/api/service.ts";
import { listen, type Service } from "../../src/serve/listen.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { startServer } from "../mcp/clients.ts";

export const TOKEN = "a-token-for-these-tests-only";

export interface Served {
  /** Without a slash at the end. */
  readonly url: string;
  readonly sandbox: Sandbox;
  /** A request with the token. */
  ask(path: string, options?: Asked): Promise<Answer>;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the server answered
  readonly body: any;
}

interface Here {
  readonly sandbox?: Sandbox;
  readonly around?: (service: Service) => Service;
  readonly origins?: readonly string[];
  readonly report?: (error: Error) => void;
}

/** The API in this process. */
export async function serveHere({
  sandbox = new Sandbox(),
  around = (service) => service,
  origins = [],
  report = (error) => {
    throw error;
  },
}: Here = {}): Promise<Served> {
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { embedding: "none" },
  });
  const server = listen({
    ...{ host: "127.0.0.1", port: 0, token: TOKEN, isRemote: false, hosts: [], origins, report },
    services: [around(apiService({ retain, version: "1.2.3", report }))],
  });
  afterThisTest(async () => {
    await server.close();
    retain.close();
  });
  return served(server.url, sandbox);
}

/** The real command. */
export async function startServe(
  sandbox: Sandbox,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const { data, process } = await startServer(sandbox, ["serve", "--token", TOKEN], args, env);
  return { ...served(data.url, sandbox), process };
}

function served(address: string, sandbox: Sandbox): Served {
  const url = address.replace(/\/$/, "");
  return {
    url,
    sandbox,
    async ask(path, { method, body, headers } = {}) {
      const response = await fetch(`${url}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { Authorization: `Bearer ${TOKEN}`, ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? null : JSON.parse(text),
      };
    },
  };
}
