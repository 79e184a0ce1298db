/**
 * What the stand-ins for other people's servers have in common: a real HTTP server on this machine's own address that records
 * what it was asked. By way of node:http, since a connection is to be cut where a test says, and not before.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export abstract class StandIn<Request> implements AsyncDisposable {
  readonly requests: Request[] = [];
  #server: Server | null = null;
  #port = 0;
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  protected abstract take(request: IncomingMessage, response: ServerResponse): Promise<void>;

  /** On a free port, unless one is given; again on the same one after `stop`. */
  async start(port = this.#port): Promise<this> {
    const server = createServer((request, response) => void this.take(request, response));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Nobody listens any more; what it keeps stays. */
  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
  }

  get port(): number {
    return this.#port;
  }

  /** "http://127.0.0.1:12345", without a path. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Settles once so many requests have come. */
  asked(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Which one it is, counted from 1. */
  protected record(request: Request): number {
    const number = this.requests.push(request);
    for (const { count, resolve } of this.#waiting) if (number >= count) resolve();
    return number;
  }
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

/** A text as it is, anything else as JSON. */
export function answerWith(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
