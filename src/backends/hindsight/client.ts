/**
 * HTTP client for a Hindsight server. The official client is several times as large, drops the status code of an empty response,
 * supports neither deadlines nor Retry-After, and follows redirects with the key. Here a failure is a value; the key is sent only
 * to the configured origin and never appears in a message.
 */
import { messageOf, RetainError } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import { errorCode } from "../../util/fs.ts";
import { isRecord } from "../../util/json.ts";
import { request } from "../../util/runtime.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { ZodMiniType } from "../../util/zod.ts";

interface ServerAddress {
  /** Such as http://localhost:8888, with or without a path. */
  readonly url: string;
  /** Empty if the server requires none. */
  readonly key: string;
  /** The environment variable with the key. */
  readonly keyVariable: string;
  readonly bank: string;
}

interface Call<T> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the bank: "/memories/recall", with encoded segments. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: ZodMiniType<T>;
  /** Aborts the call, in addition to the timeout. */
  readonly signal?: AbortSignal;
  readonly withinMs: number;
}

/**
 * `why` completes "Hindsight at http://... ": "rejected the key (401)". `status` is null if there was no usable response.
 */
export interface Failure {
  readonly ok: false;
  readonly status: number | null;
  readonly why: string;
  readonly hint: string;
  readonly retryAfterMs: number | null;
}
type Reply<T> = { readonly ok: true; readonly value: T } | Failure;

const LARGEST_ANSWER = 16_000_000;
const REDIRECTS = 3;
const RUNS = "Check that the server is running, and that `hindsight_url` is right.";

/** Injected so that tests need not wait. */
export type Deadline = (ms: number) => AbortSignal;

export class HindsightClient {
  readonly origin: string;
  /** The bank's URL. */
  readonly bankUrl: string;

  /** Throws `invalid_config` without an address. */
  constructor(
    private readonly address: ServerAddress,
    private readonly now: () => number,
    private readonly deadline: Deadline = AbortSignal.timeout,
  ) {
    const base = URL.parse(address.url);
    if (base === null)
      throw new RetainError(
        "invalid_config",
        "No Hindsight server is configured: `hindsight_url` is not set to a URL.",
        hint`For example: ${command("config set", "hindsight_url", "http://localhost:8888")}`,
      );
    this.origin = base.origin;
    const path = base.pathname.replace(/\/+$/, "");
    this.bankUrl = `${base.origin}${path}/v1/default/banks/${segment(address.bank)}`;
  }

  /** Never throws for server or network failures. */
  async call<T>(call: Call<T>): Promise<Reply<T>> {
    const { keyVariable, key } = this.address;
    if (!/^[\x21-\x7e]*$/.test(key))
      return this.#failure(
        401,
        `was not contacted: the key in ${keyVariable} is malformed`,
        `Set ${keyVariable} to the server's key, without spaces or line breaks.`,
      );
    const late = this.deadline(call.withinMs);
    const signal = AbortSignal.any([late, ...(call.signal === undefined ? [] : [call.signal])]);
    try {
      const response = await this.#send(call, signal);
      if ("why" in response) return response;
      const body = await readLimited(response, LARGEST_ANSWER);
      if (body === null)
        return this.#failure(response.status, `sent a response larger than ${LARGEST_ANSWER / 1e6} MB`, RUNS);
      return response.ok ? this.#read(call, body) : this.#refused(response, body);
    } catch (error) {
      const wait = late.aborted ? `${seconds(call.withinMs)} s` : "time";
      if (signal.aborted) return this.#failure(null, `did not answer in ${wait}`, RUNS);
      return this.#failure(
        null,
        `could not be reached (${errorCode(error) ?? this.#quoted(messageOf(error))})`,
        RUNS,
      );
    }
  }

  error({ why, hint }: Failure): RetainError {
    return new RetainError("remote", `Hindsight at ${this.origin} ${why}.`, hint);
  }

  /** The value, or the error. */
  async value<T>(call: Call<T>): Promise<T> {
    const reply = await this.call(call);
    if (reply.ok) return reply.value;
    throw this.error(reply);
  }

  async #send<T>({ method, path, query, body }: Call<T>, signal: AbortSignal): Promise<Response | Failure> {
    const { key } = this.address;
    let target = new URL(`${this.bankUrl}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) target.searchParams.append(name, value);
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      const response = await request(target, {
        method,
        redirect: "manual",
        signal,
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      const next = URL.parse(location, target.href);
      if (next?.origin !== this.origin) {
        const elsewhere = `redirects to another host (${this.#quoted(next?.host || "invalid URL")}), so nothing was sent`;
        return this.#failure(
          response.status,
          elsewhere,
          "Set `hindsight_url` to that address if you trust it.",
        );
      }
      target = next;
    }
    return this.#failure(null, "redirected too often", "Check `hindsight_url`.");
  }

  #read<T>({ answer }: Call<T>, body: string): Reply<T> {
    const parsed = answer.safeParse(parsedJson(body));
    if (parsed.success) return { ok: true, value: parsed.data };
    return this.#failure(
      null,
      "sent an invalid response",
      "Check that `hindsight_url` points to a Hindsight server, and the server's version.",
    );
  }

  #refused({ status, headers }: Response, body: string): Failure {
    const retryAfterMs = pauseAskedFor(headers.get("retry-after"), this.now());
    if (status === 401 || status === 403)
      return {
        ...this.#failure(
          status,
          this.address.key === ""
            ? `requires a key (${status}), but ${this.address.keyVariable} is not set`
            : `rejected the key in ${this.address.keyVariable} (${status})`,
          `Set ${this.address.keyVariable} to the server's key.`,
        ),
        retryAfterMs,
      };
    const said = this.#quoted(detailOf(body));
    // A generic 404 comes from another server at this address, not from Hindsight about the requested item.
    if (status === 404 && (said === "" || said === "Not Found"))
      return this.#failure(null, "has nothing at this address (404)", "Check `hindsight_url`.");
    return {
      ...this.#failure(status, `answered ${status}${said === "" ? "" : `: ${said}`}`, RUNS),
      retryAfterMs,
    };
  }

  #failure(status: number | null, why: string, hint: string): Failure {
    return { ok: false, status, why, hint, retryAfterMs: null };
  }

  /** Text from the server, made safe for a message. */
  #quoted(text: string): string {
    const { key } = this.address;
    const safe = key === "" ? text : text.replaceAll(key, "(key)");
    return truncate(oneLine(safe).trim(), 200).replace(/[.?!\s]+$/, "");
  }
}

/** ".." is not an id: in a path it would name the bank itself. */
export function isId(id: string): boolean {
  return !/^\.{0,2}$/.test(id);
}

/** An id as a path segment. Throws `invalid_input` if it isn't one. */
export function segment(id: string): string {
  if (isId(id)) return encodeURIComponent(id.toWellFormed());
  throw new RetainError("invalid_input", `${JSON.stringify(id)} is not an id.`);
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** FastAPI's error detail: a sentence, or a list of invalid fields. */
function detailOf(body: string): string {
  const answer = parsedJson(body);
  const detail = isRecord(answer) ? answer.detail : null;
  if (typeof detail === "string") return detail;
  const [first]: unknown[] = Array.isArray(detail) ? detail : [];
  return isRecord(first) && typeof first.msg === "string" ? first.msg : "";
}

/**
 * Retry-After in seconds or as a future date; null if invalid. A past date comes from a wrong clock, or from `Date.parse`, which
 * accepts almost anything.
 */
function pauseAskedFor(header: string | null, now: number): number | null {
  const value = header?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const left = Date.parse(value) - now;
  return left > 0 ? left : null;
}

/** The response as text; null if it exceeds `limit` bytes, so that no server can fill the memory. Throws if the connection breaks. */
async function readLimited(response: Response, limit: number): Promise<string | null> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const bytes of response.body) {
    length += bytes.byteLength;
    if (length > limit) return null;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
