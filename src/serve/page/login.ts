/**
 * Who may use the page. `retain serve` prints a link with a code that works once; the page exchanges it, or the token, for a cookie
 * and a key. Both are signed with the token: they survive a restart, and a new token ends them.
 *
 * A browser sends the cookie to every server on this machine, whatever its port, but shows the key only to pages of this one. So a
 * call needs both, and the cookie's name differs from one server to another. A stream can't send the key; it shows only revisions, or a chat whose id a call has revealed.
 */
import { createHmac, randomBytes } from "node:crypto";
import { DAY_MS } from "../../util/days.ts";
import { hasToken, isSame } from "../guard.ts";

const KEY_HEADER = "x-retain-key";
const NAME_LENGTH = 8;
const DAYS = 30;
const VALUE = /^(\d{1,15})\.([\w-]{43})$/;

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

  /** `cookie` is the value of `Set-Cookie`. */
  issue(headers: Headers): { readonly cookie: string; readonly key: string } {
    const until = this.#now() + DAYS * DAY_MS;
    const value = `${until}.${this.#signed("page", until)}`;
    return {
      cookie: `${this.#name(headers)}=${value}; Path=/; Max-Age=${(DAYS * DAY_MS) / 1_000}; HttpOnly; SameSite=Strict`,
      key: this.#signed("key", until),
    };
  }

  mayStream(headers: Headers): boolean {
    return this.#cookieUntil(headers) !== null;
  }

  mayCall(headers: Headers): boolean {
    const until = this.#cookieUntil(headers);
    return until !== null && isSame(headers.get(KEY_HEADER) ?? "", this.#signed("key", until));
  }

  /** When the request's cookie ends; null if it has no valid one. */
  #cookieUntil(headers: Headers): number | null {
    const start = `${this.#name(headers)}=`;
    const cookie = (headers.get("cookie") ?? "").split(/;\s*/).find((one) => one.startsWith(start));
    const [, said = "0", signature = ""] = VALUE.exec(cookie?.slice(start.length) ?? "") ?? [];
    const until = Number(said);
    return until > this.#now() && isSame(signature, this.#signed("page", until)) ? until : null;
  }

  /** Of this token at this address. */
  #name(headers: Headers): string {
    return `retain-${this.#signed("name", headers.get("host") ?? "").slice(0, NAME_LENGTH)}`;
  }

  #signed(what: "page" | "key" | "name", of: number | string): string {
    return createHmac("sha256", this.#token).update(`${what} ${of}`).digest("base64url");
  }
}
