/**
 * MCP over stdio: one JSON message per line. The SDK's transport drops pending answers when its input ends, exits on one long
 * line, ignores a line that isn't JSON, and loads all of the runtime's streams.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { LineSplitter } from "./line-splitter.ts";
import { readMessage, tooLong } from "./read-message.ts";
import { LISTEN } from "./resource-watch.ts";

export interface Pipes {
  readonly input: AsyncIterable<Uint8Array>;
  /** Resolves when there is room for more; rejects when the reader is gone. */
  write(text: string): Promise<void>;
  /** Longer lines are rejected and skipped. */
  readonly maxLineBytes: number;
  /** How long to wait for the next answer after the input has ended. */
  readonly graceMs: number;
  /** Called with `subscriptions/listen` before it is delivered, and with cancellations. */
  heard?(message: JSONRPCMessage): Promise<void>;
}

export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #unanswered = new Set<RequestId>();
  #answered = Promise.withResolvers<void>();
  #sending: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(private readonly pipes: Pipes) {}

  async start(): Promise<void> {
    void this.#read();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const sent = this.#write(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
    return sent;
  }

  /** Sends pending messages first. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#sending;
    this.onclose?.();
  }

  async #read(): Promise<void> {
    const lines = new LineSplitter(this.pipes.maxLineBytes);
    try {
      for await (const chunk of this.pipes.input) for (const line of lines.take(chunk)) this.#take(line);
      for (const line of lines.end()) this.#take(line);
    } catch (error) {
      this.#report(error);
    }
    await this.#finish();
    await this.close();
  }

  #take(line: Uint8Array | null): void {
    if (this.#closed || (line !== null && isEmpty(line))) return;
    const read = line === null ? { wrong: tooLong(this.pipes.maxLineBytes) } : readMessage(line);
    if ("wrong" in read) void this.#write(read.wrong);
    else this.#deliver(read.message);
  }

  #deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method === LISTEN) return void this.#deliverListen(message);
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    // The answer to a request that was cancelled is not sent.
    else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      this.#settle(message.params?.requestId);
      void this.pipes.heard?.(message);
    }
    this.onmessage?.(message);
  }

  /** It stays open until the connection ends, so nothing waits for its answer. */
  async #deliverListen(message: JSONRPCMessage): Promise<void> {
    await this.pipes.heard?.(message).catch((error: unknown) => this.#report(error));
    this.onmessage?.(message);
  }

  #settle(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#unanswered.delete(id);
    this.#answered.resolve();
  }

  /** After the input has ended: waits for pending answers, as long as answers keep coming. */
  async #finish(): Promise<void> {
    for (let before = -1; this.#unanswered.size !== before; ) {
      before = this.#unanswered.size;
      if (before === 0) return;
      this.#answered = Promise.withResolvers();
      const timer = setTimeout(this.#answered.resolve, this.pipes.graceMs);
      await this.#answered.promise;
      clearTimeout(timer);
    }
  }

  /** In order. If the reader is gone, the connection ends. */
  #write(message: unknown): Promise<void> {
    const text = `${JSON.stringify(message)}\n`;
    this.#sending = this.#sending
      .then(() => this.pipes.write(text))
      .catch((error: unknown) => this.#lose(error));
    return this.#sending;
  }

  #lose(error: unknown): void {
    if (this.#closed) return;
    this.#report(error);
    this.#closed = true;
    this.onclose?.();
  }

  #report(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

/** People press Enter, and some programs end lines with CR LF. */
function isEmpty(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d);
}
