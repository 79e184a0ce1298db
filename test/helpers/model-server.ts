/**
 * What the stand-ins for model providers have in common: by a script they stream server-sent events, and fail in every way that
 * real ones do.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerWith, bodyOf, headersOf, StandIn } from "./stand-in.ts";

/** A call of a tool; an input that is a text is sent as it is, so that it need not be JSON. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
}

/** As the providers count: `input` is what came from no cache. */
export interface ScriptedUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** One answer. Without anything in it, it is an empty reply that ends as it should. */
export interface Answer {
  readonly text?: string;
  /** The text in these pieces; by default word by word. */
  readonly chunks?: readonly string[];
  readonly thinking?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  /** The provider's own word for why the reply ended; by default what fits. */
  readonly stop?: string;
  /**
   * Breaks the connection after so many events: once `cutWhen` settles, else a moment later. (Where a connection breaks, fetch
   * drops what it has not yet handed on, so a test that wants the text first says when it has seen it.)
   */
  readonly cutAfter?: number;
  readonly cutWhen?: Promise<unknown>;
  /** Ends the answer properly, but after so many events. */
  readonly endAfter?: number;
  /** Says nothing more after so many events, and keeps the connection open; true: not even a first byte comes. */
  readonly hang?: number | true;
  /** An error event as the last one, after `errorAfter` events of the reply (0 by default). */
  readonly error?: { readonly type: string; readonly message: string };
  readonly errorAfter?: number;
  /** No stream, but this status with `body`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Exactly these pieces in the place of events. */
  readonly raw?: readonly string[];
  /** What each event, counted from 0, waits for. */
  readonly before?: (event: number) => Promise<unknown> | null;
  /** How fast the words come, for figures; at once by default. */
  readonly tokensPerSecond?: number;
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As parsed JSON, and as the bytes that came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was sent
  readonly body: any;
  readonly bodyText: string;
  /** Whether the client went away before the answer was over. */
  readonly disconnected: boolean;
  /** Settles when the answer is over, or the client has gone. */
  readonly over: Promise<void>;
}

export type Script = readonly ScriptedAnswer[] | ((request: RecordedRequest, number: number) => Answer);
export type ScriptedAnswer = Answer | ((request: RecordedRequest) => Answer);

export abstract class ModelServer extends StandIn<RecordedRequest> {
  /** The answers in order, one for each request; or who makes each one. */
  constructor(private readonly script: Script) {
    super();
  }

  get last(): RecordedRequest {
    const last = this.requests.at(-1);
    if (last === undefined) throw new Error("Nothing was asked.");
    return last;
  }

  /** The whole stream of an answer, one event each. */
  protected abstract events(answer: Answer, number: number): string[];

  /** An error of the provider, as an event of the stream. */
  protected abstract errorEvent(error: { type: string; message: string }): string;

  protected get(_request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(404).end();
  }

  protected override async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") return this.get(request, response);
    const bodyText = (await bodyOf(request)).toString();
    const over = Promise.withResolvers<void>();
    const recorded = {
      path: request.url ?? "",
      headers: headersOf(request),
      body: parsed(bodyText),
      bodyText,
      disconnected: false,
      over: over.promise,
    };
    let cut = false;
    response.on("close", () => {
      recorded.disconnected = !response.writableEnded && !cut;
      over.resolve();
    });
    const number = this.record(recorded);
    const answer = this.#next(recorded, number);
    if (answer.hang === true) return;
    if (answer.status !== undefined)
      return answerWith(response, answer.status, answer.body ?? {}, answer.headers);
    if (answer.cutAfter !== 0)
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...answer.headers });
    await send(response, this.#pieces(answer, number), answer);
    if (answer.cutAfter !== undefined) {
      await (answer.cutWhen ?? Bun.sleep(100));
      cut = true;
      request.socket.destroy();
    } else if (answer.hang === undefined) response.end();
  }

  #next(request: RecordedRequest, number: number): Answer {
    if (typeof this.script === "function") return this.script(request, number);
    const answer = this.script[number - 1];
    if (answer === undefined)
      return {
        status: 400,
        body: { error: { type: "script", message: `No answer for request ${number}.` } },
      };
    return typeof answer === "function" ? answer(request) : answer;
  }

  #pieces(answer: Answer, number: number): readonly string[] {
    if (answer.raw !== undefined) return answer.raw;
    const events = this.events(answer, number);
    if (answer.error === undefined) return events;
    return [...events.slice(0, answer.errorAfter ?? 0), this.errorEvent(answer.error)];
  }
}

/** The words of a text, each with the space behind it. */
export function piecesOfText({ text = "", chunks }: Answer): readonly string[] {
  return chunks ?? text.match(/\s*\S+\s*/g) ?? [];
}

/** A call's input as it is written on the wire, in two pieces. */
export function piecesOfInput({ input }: ScriptedCall): string[] {
  const json = typeof input === "string" ? input : JSON.stringify(input);
  const middle = Math.floor(json.length / 2);
  return [json.slice(0, middle), json.slice(middle)].filter((piece) => piece !== "");
}

/** Each piece is on its way before the next one; where the client has gone, the rest is not sent. */
async function send(response: ServerResponse, pieces: readonly string[], answer: Answer): Promise<void> {
  const { cutAfter, endAfter, hang, before, tokensPerSecond } = answer;
  const end = cutAfter ?? endAfter ?? (typeof hang === "number" ? hang : pieces.length);
  for (const [index, piece] of pieces.slice(0, end).entries()) {
    await before?.(index);
    if (tokensPerSecond !== undefined && index > 0) await Bun.sleep(1000 / tokensPerSecond);
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
