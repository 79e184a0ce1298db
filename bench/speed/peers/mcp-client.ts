/** As much of the Model Context Protocol as it takes to call a server's tools: a JSON object a line, over its pipes. */

type Answer = { id?: number; result?: unknown; error?: { message: string } };

const PROTOCOL = "2025-06-18";
/** Then it is ended, and what waits for its answers fails. */
const SERVER_LIMIT_MS = 900_000;

export interface ToolAnswer<T> {
  readonly text: string;
  /** Where the server gives it. */
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
    this.#read();
  }

  /** Starts the server and greets it. */
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

  /** Throws where the tool complains. */
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
