/** Clients of one `retain mcp --http`, started with the first client and stopped with the last. */
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { RETAIN } from "../measure.ts";
import { answerOf } from "../speed/peers/mcp-client.ts";

interface Listening {
  readonly url: string;
  readonly headers: Record<string, string>;
  end(): Promise<void>;
}

export class HttpClients {
  #server: Promise<Listening> | null = null;
  #open = 0;

  constructor(private readonly env: Record<string, string | undefined>) {}

  async connect() {
    this.#open++;
    this.#server ??= this.#start();
    const { url, headers, end } = await this.#server;
    const client = new Client({ name: "retain-bench", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return {
      call: async <T>(name: string, input: Record<string, unknown>) =>
        answerOf<T>(name, await client.callTool({ name, arguments: input })),
      close: async () => {
        await client.close();
        if (--this.#open > 0) return;
        this.#server = null;
        await end();
      },
    };
  }

  async #start(): Promise<Listening> {
    const server = Bun.spawn([RETAIN, "mcp", "--http", "--port", "0", "--json"], {
      env: this.env,
      stdout: "pipe",
      stderr: "inherit",
    });
    let printed = "";
    for await (const chunk of server.stdout) {
      printed += Buffer.from(chunk).toString();
      if (printed.trimEnd().endsWith("\n}")) break;
    }
    const { url, token_file } = JSON.parse(printed).data as { url: string; token_file: string };
    const headers = { Authorization: `Bearer ${readFileSync(token_file, "utf8").trim()}` };
    const end = async () => {
      server.kill();
      await server.exited;
    };
    return { url, headers, end };
  }
}
