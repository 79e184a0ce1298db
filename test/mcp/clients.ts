/** The official client, connected to the real `retain mcp` over stdio or HTTP. */
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterThisTest } from "../helpers/clean-up.ts";
import { RETAIN, type Sandbox } from "../helpers/sandbox.ts";

/** The revision with a handshake, which clients use today, and the one without. */
export const REVISIONS = ["legacy", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

export function newClient(revision: Revision): Client {
  const mode = revision === "legacy" ? revision : { pin: revision };
  return new Client({ name: "retain-test", version: "1" }, { versionNegotiation: { mode } });
}

export interface PipedClient {
  readonly client: Client;
  readonly pid: number;
  /** The server's stderr so far. */
  said(): string;
}

export async function overPipes(
  sandbox: Sandbox,
  args: readonly string[] = [],
  { revision = "legacy" as Revision, cwd = sandbox.work, env = {} as Record<string, string> } = {},
): Promise<PipedClient> {
  const transport = new StdioClientTransport({
    command: RETAIN,
    args: ["mcp", ...args],
    cwd,
    env: plain(sandbox.env(env)),
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = newClient(revision);
  await client.connect(transport);
  afterThisTest(() => client.close());
  return { client, pid: transport.pid ?? 0, said: () => said };
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly tokenFile: string;
  readonly process: ReturnType<Sandbox["start"]>;
}

/** The real command, on its own port. */
export async function startHttp(sandbox: Sandbox, args: readonly string[] = []): Promise<HttpServer> {
  const { data, process } = await startServer(sandbox, ["mcp", "--http"], args);
  const { url, token_file: tokenFile } = data;
  return { url, tokenFile, token: readFileSync(tokenFile, "utf8").trim(), process };
}

/** A command that serves HTTP, on a free port unless `args` name one, and what it prints once it listens. */
export async function startServer(
  sandbox: Sandbox,
  command: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const server = sandbox.start([...command, "--port", "0", "--json", ...args], { env });
  afterThisTest(async () => {
    server.kill("SIGKILL");
    await server.exited;
  });
  let printed = "";
  for await (const chunk of server.stdout) {
    printed += Buffer.from(chunk).toString();
    if (printed.trimEnd().endsWith("\n}")) break;
  }
  return { data: JSON.parse(printed).data, process: server };
}

export async function overHttp({ url, token }: HttpServer, revision: Revision = "legacy"): Promise<Client> {
  const client = newClient(revision);
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  afterThisTest(() => client.close());
  return client;
}

function plain(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
