/**
 * Posts JSON to a server that the user configured. Sends texts and key only to that host: it rejects redirects to others, and no
 * message contains the key.
 */
import { type ErrorCode, messageOf, RetainError } from "../core/errors.ts";
import { request } from "../util/runtime.ts";

export interface JsonServerSettings {
  /** The API's base, such as http://localhost:11434/v1. */
  readonly url: string;
  /** Empty if the server doesn't ask for one. */
  readonly key: string;
}

interface ServerKind {
  /** As in "The embedding server at localhost:". */
  readonly name: string;
  readonly code: ErrorCode;
  /** The setting that holds the address. */
  readonly setting: string;
  readonly path: string;
}

const REDIRECTS = 3;

/** A temporary failure. `pauseMs` is the delay that the server asks for. */
export class PassingFailure extends Error {
  constructor(
    message: string,
    readonly pauseMs = 0,
  ) {
    super(message);
  }
}

export class JsonServer {
  private readonly address: URL;

  constructor(
    private readonly settings: JsonServerSettings,
    private readonly kind: ServerKind,
  ) {
    this.address = new URL(settings.url);
    this.address.pathname = `${this.address.pathname.replace(/\/+$/, "")}${kind.path}`;
  }

  get host(): string {
    return this.address.host;
  }

  /** Throws `PassingFailure` if the server can't be reached in time or the response is cut off. */
  async post(request: unknown, signal: AbortSignal): Promise<{ response: Response; body: string }> {
    const { key } = this.settings;
    let address = this.address;
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      const response = await this.#send(address, {
        method: "POST",
        redirect: "manual",
        signal,
        headers: {
          "content-type": "application/json",
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(request),
      });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null)
        return { response, body: await readBody(response) };
      const target = URL.parse(location, address.href);
      if (target?.origin !== this.address.origin)
        throw this.problem(
          `it redirects to ${target?.host || "an invalid address"}; Retain sends no texts and no key there`,
          `If you trust that address, set \`${this.kind.setting}\` to it.`,
        );
      address = target;
    }
    throw this.problem("it redirects in a loop", `Check \`${this.kind.setting}\`.`);
  }

  problem(what: string, hint: string): RetainError {
    const sentence = `The ${this.kind.name} at ${this.host}: ${what.replace(/[.?!]+$/, "")}.`;
    return new RetainError(this.kind.code, sentence, hint);
  }

  /** ": " and the beginning of the body; "" for an empty one. */
  quote(body: string): string {
    const text = this.#withoutKey(body).replace(/\s+/g, " ").trim().slice(0, 200);
    return text === "" ? "" : `: ${text}`;
  }

  async #send(address: URL, init: RequestInit): Promise<Response> {
    try {
      return await request(address, init);
    } catch (error) {
      throw new PassingFailure(this.#withoutKey(messageOf(error)));
    }
  }

  #withoutKey(text: string): string {
    return this.settings.key === "" ? text : text.replaceAll(this.settings.key, "(key)");
  }
}

async function readBody(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new PassingFailure(`its response was cut off (${messageOf(error)})`);
  }
}
