/** MCP as raw lines, for input that no client would send. */

interface Line {
  readonly jsonrpc: "2.0";
  readonly id?: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly result?: any;
  readonly error?: { code: number; message: string };
}

export const GREETING = [
  request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "lines", version: "1" },
  }),
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
];

export function request(id: number, method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export function keep(id: number, content: string): string {
  return request(id, "tools/call", { name: "retain", arguments: { items: [{ content }] } });
}

/** The fact that a response reports as stored. */
export function keptIn({ result }: Line): string | undefined {
  return /stored as fact \w+: "(.*)"/.exec(result?.content?.[0].text ?? "")?.[1];
}

/** Throws unless every line is a JSON-RPC message. */
export function messagesIn(stdout: string): Line[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const message = JSON.parse(line) as Line;
      if (message.jsonrpc !== "2.0") throw new Error(`not a message: ${line}`);
      return message;
    });
}
