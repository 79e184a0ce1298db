/**
 * Vectors from a server that speaks OpenAI's embeddings protocol: Ollama, LM Studio, OpenAI, Voyage. What the server says
 * is checked before it is believed. The key goes to the configured host alone: a redirect elsewhere is refused, and no
 * message repeats it.
 */
import { messageOf, RetainError } from "../core/errors.ts";
import type { Embedder, Paused } from "../core/ports.ts";
import { backoff } from "../util/backoff.ts";
import { embedDistinct } from "./distinct.ts";
import { readEmbeddings } from "./endpoint-answer.ts";

export interface EndpointSettings {
  /** The API's base, such as http://localhost:11434/v1. */
  readonly url: string;
  readonly model: string;
  /** Empty where the server asks for none. */
  readonly key: string;
}

/** Passed in so that tests need not wait. */
export interface EndpointTiming {
  sleep(ms: number): Promise<unknown>;
  readonly timeoutMs: number;
}

const BATCH = 64;
const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
const REDIRECTS = 3;
const TIMING: EndpointTiming = { sleep: Bun.sleep, timeoutMs: 60_000 };

/** What may pass if it is tried again. `pauseMs` is what the server asks for. */
class PassingFailure extends Error {
  constructor(
    message: string,
    readonly pauseMs = 0,
  ) {
    super(message);
  }
}

export class Endpoint implements Embedder {
  readonly model: string;
  private readonly address: URL;
  /** Some servers know no other format and refuse to be asked for one. */
  private asksForFormat = true;
  private dimensions: number | undefined;

  constructor(
    private readonly settings: EndpointSettings,
    private readonly timing: EndpointTiming = TIMING,
  ) {
    this.address = new URL(settings.url);
    this.address.pathname = `${this.address.pathname.replace(/\/+$/, "")}/embeddings`;
    this.model = `${settings.model}@${this.address.host}`;
  }

  embed(
    texts: readonly string[],
    progress: (done: number) => void = () => {},
    paused: Paused = () => {},
  ): Promise<Float32Array[]> {
    return embedDistinct(texts, progress, async (distinct, finished) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < distinct.length; start += BATCH) {
        const batch = await this.embedBatch(distinct.slice(start, start + BATCH), paused);
        for (const vector of batch) finished(vectors.push(vector) - 1);
      }
      return vectors;
    });
  }

  close(): void {}

  private async embedBatch(texts: readonly string[], paused: Paused): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.request(texts);
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
        const problem = this.problem(error.message, "Check that the server runs, then try again.");
        if (attempt === TRIES) throw problem;
        const usual = backoff(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
        const pause = Math.min(Math.max(error.pauseMs, usual), LONGEST_PAUSE_MS);
        paused(problem, pause);
        await this.timing.sleep(pause);
      }
    }
  }

  private async request(texts: readonly string[]): Promise<Float32Array[]> {
    const response = await this.post(texts);
    const body = await readBody(response);
    if (response.status === 429 || response.status >= 500) {
      const pause = pauseAskedFor(response);
      const asks = pause === 0 ? "" : ` and asks to wait ${Math.ceil(pause / 1000)} s`;
      throw new PassingFailure(`it answered ${response.status}${asks}`, pause);
    }
    if (response.status === 401 || response.status === 403)
      throw this.problem(
        `it refused the key (${response.status})`,
        "Set the right key with `embedding_key`.",
      );
    if ([400, 422].includes(response.status) && this.asksForFormat && body.includes("encoding_format")) {
      this.asksForFormat = false;
      return this.request(texts);
    }
    if (!response.ok)
      throw this.problem(
        `it answered ${response.status}${this.quote(body)}`,
        "Check `embedding_url` and `embedding_model`.",
      );
    const read = readEmbeddings(body, texts.length, this.dimensions);
    if ("problem" in read)
      throw this.problem(
        read.problem,
        "Check that `embedding_url` names an OpenAI-compatible API and `embedding_model` an embedding model.",
      );
    this.dimensions = read.vectors[0]?.length;
    return read.vectors;
  }

  private async post(texts: readonly string[]): Promise<Response> {
    const { model, key } = this.settings;
    let address = this.address;
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      const response = await this.send(address, {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.timeout(this.timing.timeoutMs),
        headers: {
          "content-type": "application/json",
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({
          model,
          // Some servers refuse a text without any letter in it.
          input: texts.map((text) => (text === "" ? " " : text)),
          ...(this.asksForFormat ? { encoding_format: "float" } : {}),
        }),
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      const target = URL.parse(location, address.href);
      if (target?.origin !== this.address.origin)
        throw this.problem(
          `it redirects to ${target?.host || "nowhere"}, where neither texts nor key are sent`,
          "Set `embedding_url` to the address that it redirects to, if you trust it.",
        );
      address = target;
    }
    throw this.problem("it redirects in circles", "Check `embedding_url`.");
  }

  private async send(address: URL, init: RequestInit): Promise<Response> {
    try {
      return await fetch(address, init);
    } catch (error) {
      throw new PassingFailure(this.withoutKey(messageOf(error)));
    }
  }

  private problem(what: string, hint: string): RetainError {
    const sentence = `The embedding server at ${this.address.host}: ${what.replace(/[.?!]+$/, "")}.`;
    return new RetainError("embedding", sentence, hint);
  }

  private quote(body: string): string {
    const text = this.withoutKey(body).replace(/\s+/g, " ").trim().slice(0, 200);
    return text === "" ? "" : `: ${text}`;
  }

  private withoutKey(text: string): string {
    return this.settings.key === "" ? text : text.replaceAll(this.settings.key, "(key)");
  }
}

async function readBody(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new PassingFailure(`its answer broke off (${messageOf(error)})`);
  }
}

function pauseAskedFor(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}
