/**
 * Decides who may talk to the server. A web page can send requests to this machine, also under a name that resolves to it; its Host
 * and Origin headers reveal it. Programs send the token.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { isLoopbackHost, isOwnOrigin } from "../util/loopback.ts";

export interface Access {
  readonly token: string;
  /** The server listens on a network: other machines may connect by its address, or by one of `hosts`. */
  readonly isRemote: boolean;
  /** Names that other machines use for this one. */
  readonly hosts: readonly string[];
  /** Web pages that may call the server, for example "https://app.example.org". */
  readonly origins: readonly string[];
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** null if the Host and Origin are allowed. */
export function refusePage(headers: Headers, access: Access): Refusal | null {
  const host = headers.get("host");
  const isKnown = isLoopbackHost(host) || (access.isRemote && isNamed(host ?? "", access.hosts));
  if (!isKnown || host === null)
    return {
      status: 403,
      message: access.isRemote ? "Unknown Host." : "Only programs on this machine may connect.",
    };
  const origin = headers.get("origin");
  if (isOwnOrigin(origin, host) || access.origins.includes(origin ?? "")) return null;
  return { status: 403, message: "Web pages from other origins may not connect." };
}

/** An address cannot be rebound to another machine; a name can, so it must be listed. */
function isNamed(header: string, hosts: readonly string[]): boolean {
  const name = header.replace(/:\d{1,5}$/, "").toLowerCase();
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0 || hosts.some((host) => host.toLowerCase() === name);
}

/** The CORS headers for a web page that may call the server; empty for programs. */
export function corsHeaders(headers: Headers, { origins }: Access): Record<string, string> {
  const origin = headers.get("origin");
  if (origin === null || !origins.includes(origin)) return {};
  return { "Access-Control-Allow-Origin": origin, Vary: "Origin" };
}

export const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers": "Authorization, Content-Type",
  "Access-Control-Max-Age": "600",
} as const;

const BEARER = /^Bearer +([^\s]+) *$/i;

export function hasToken(headers: Headers, { token }: Pick<Access, "token">): boolean {
  const [, given = ""] = BEARER.exec(headers.get("authorization") ?? "") ?? [];
  return isSame(given, token);
}

/** Takes the same time for any wrong text. */
export function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** How many requests without the token an address may send at once, and how soon it may send the next. */
const MOST_WRONG = 60;
const REFILL_MS = 1_000;
/** Addresses to remember. */
const MOST_ADDRESSES = 10_000;

/** Slows down programs that guess the token. Requests with the token are never counted. */
export class WrongTokens {
  readonly #until = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  /** false if the address has sent too many. */
  allows(address: string): boolean {
    const now = this.now();
    const until = Math.max(now, this.#until.get(address) ?? 0) + REFILL_MS;
    if (until > now + MOST_WRONG * REFILL_MS) return false;
    if (this.#until.size >= MOST_ADDRESSES) this.#until.clear();
    this.#until.set(address, until);
    return true;
  }
}
