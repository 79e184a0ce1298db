/** A minimal MCP client that calls a server's tools: one JSON object per line over stdio. */

type Answer = { id?: number; result?: unknown; error?: { message: string } };

const PROTOCOL = "2025-06-18";
/** Then the server is killed and pending calls fail. */
const SERVER_LIMIT_MS = 900_000;

export interface ToolAnswer<T> {
  readonly text: string;
  /** If the server returns it. */
  readonly structured: T;
}

export function answerOf<T>(tool: string, result: unknown): ToolAnswer<T> {
  const { content, structuredContent, isError } = result as {
    content: readonly { text?: string }[];
    structuredContent: T;
    isError?: boolean;
  };
  if (isError) throw new Error(`${tool}: ${JSON.stringify(result).slice(0, 200)}`);
  return { text: content.map(({ text = "" }) => text).join("\n"), structured: structuredContent };
}

export class McpClient {
  readonly #server: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(command: string[], env: Record<string, string | undefined>) {
    this.#server = Bun.spawn(command, {
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
      timeout: SERVER_LIMIT_MS,
    });
    void this.#read();
  }

  /** Starts and initialises the server. */
  static async start(command: string[], env: Record<string, string | undefined>): Promise<McpClient> {
    const client = new McpClient(command, env);
    await client.#request("initialize", {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: "retain-bench", version: "1" },
    });
    client.#send({ method: "notifications/initialized" });
    return client;
  }

  /** Throws if the tool returns an error. */
  async call<T = undefined>(tool: string, input: Record<string, unknown>): Promise<ToolAnswer<T>> {
    const result = await this.#request("tools/call", { name: tool, arguments: input });
    return answerOf<T>(tool, result);
  }

  async close(): Promise<void> {
    this.#server.kill();
    await this.#server.exited;
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(`${method}: ${error.message}`)),
      );
      this.#send({ id, method, params });
    });
  }

  #send(message: Record<string, unknown>): void {
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    this.#server.stdin.flush();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let parts: string[] = [];
    for await (const chunk of this.#server.stdout) {
      const [rest = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
      parts.push(rest);
      for (const line of lines) {
        this.#take(parts.join(""));
        parts = [line];
      }
    }
    for (const give of this.#waiting.values()) give({ error: { message: "the server has ended" } });
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const answer = JSON.parse(line) as Answer;
    const give = this.#waiting.get(answer.id ?? 0);
    this.#waiting.delete(answer.id ?? 0);
    give?.(answer);
  }
}
