/** Calls of the server, with the server's own types. */
import { command } from "../core/hint.ts";
import type { Answer, CallName, Input, PageError } from "../serve/page/table.ts";

/** What the server refused, or could not do; `code` is "login" if the browser has to log in, "offline" if the server is gone. */
export class CallFailed extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string | null,
  ) {
    super(message);
  }
}

/** Has the event "out" when the server no longer accepts the cookie, as after 30 days or with a new token. */
export const logins = new EventTarget();

export async function call<N extends CallName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Answer<N>> {
  return (await post(name, JSON.stringify(input), {}, signal)) as Answer<N>;
}

/** Where the key of the login is. Only pages of this server can read it. */
const KEY = "key";

/** Exchanges the code of the printed link, or the token, for a cookie and a key. */
export async function login(secret: string): Promise<void> {
  const { key } = (await post("login", "", { Authorization: `Bearer ${secret}` })) as { key: string };
  localStorage.setItem(KEY, key);
}

/** Whether this browser was logged in before. */
export function isKnown(): boolean {
  return localStorage.getItem(KEY) !== null;
}

async function post(name: string, body: string, headers: Record<string, string>, signal?: AbortSignal) {
  const init: RequestInit = {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      "X-Retain-Key": localStorage.getItem(KEY) ?? "",
      ...headers,
    },
  };
  if (signal !== undefined) init.signal = signal;
  const { ok, answer } = await answered(fetch(`/app/${name}`, init)).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new CallFailed("offline", "The server is not responding.", `Start it again: ${command("serve")}`);
  });
  if (ok) return answer;
  const { code, message, hint } = (answer as { error: PageError }).error;
  if (code === "login") logins.dispatchEvent(new Event("out"));
  throw new CallFailed(code, message, hint);
}

/** Rejects if the response is cut off or isn't JSON, such as a proxy's error page. */
async function answered(
  sent: Promise<Response>,
): Promise<{ readonly ok: boolean; readonly answer: unknown }> {
  const response = await sent;
  return { ok: response.ok, answer: await response.json() };
}
