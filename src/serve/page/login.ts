/**
 * Who may use the page. `retain serve` prints a link with a code that works once; the page exchanges it, or the token, for a cookie.
 * The cookie is signed with the token: it survives a restart, and a new token ends it.
 */
import { createHmac, randomBytes } from "node:crypto";
import { hasToken, isSame } from "../guard.ts";

const COOKIE = "retain";
const DAYS = 30;
const DAY_MS = 86_400_000;
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=(\\d{1,15})\\.([\\w-]{43})(?:;|$)`);

export class Login {
  readonly #token: string;
  readonly #now: () => number;
  #code: string | null = randomBytes(16).toString("base64url");

  constructor(token: string, now: () => number) {
    this.#token = token;
    this.#now = now;
  }

  /** null after it was used. */
  get code(): string | null {
    return this.#code;
  }

  /** Whether the request brings the code, which ends with it. */
  redeems(headers: Headers): boolean {
    if (this.#code === null || !hasToken(headers, { token: this.#code })) return false;
    this.#code = null;
    return true;
  }

  /** The value of `Set-Cookie`. */
  cookie(): string {
    const until = this.#now() + DAYS * DAY_MS;
    return `${COOKIE}=${until}.${this.#signature(until)}; Path=/; Max-Age=${(DAYS * DAY_MS) / 1_000}; HttpOnly; SameSite=Strict`;
  }

  hasCookie(headers: Headers): boolean {
    const [, until = "0", signature = ""] = VALUE.exec(headers.get("cookie") ?? "") ?? [];
    return Number(until) > this.#now() && isSame(signature, this.#signature(Number(until)));
  }

  #signature(until: number): string {
    return createHmac("sha256", this.#token).update(`page ${until}`).digest("base64url");
  }
}
