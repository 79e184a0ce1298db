/** What the commands that start the HTTP server share: options, the token, and running until a signal. */
import { resolve } from "node:path";
import type { Retain } from "../app.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { errorCode } from "../util/fs.ts";
import { isLoopback } from "../util/loopback.ts";
import type { Context } from "./command.ts";
import type { CommandParser } from "./command-parser.ts";

export interface HttpOptions {
  host?: string;
  port?: number;
  tokenFile?: string;
}

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 7411;
const TOKEN_FILE = "server-token";
const TOKEN_VARIABLE = "RETAIN_TOKEN";

export function addHttpOptions(command: CommandParser): void {
  command
    .option("--port <number>", `the port (default: ${DEFAULT_PORT}); 0 picks a free one`, portNumber)
    .takes("text")
    .option("--host <address>", `a loopback address (default: ${DEFAULT_HOST})`)
    .takes("text")
    .option("--token-file <file>", `the file with the token (default: ${TOKEN_FILE} in the home workspace)`)
    .takes("file");
}

function portNumber(said: string): number {
  if (/^\d{1,5}$/.test(said) && Number(said) < 65_536) return Number(said);
  throw new RetainError("usage", `--port must be a number from 0 to 65535, not '${said}'.`);
}

/** Throws `unsafe` for an address that other machines can reach. `mayBeRemote` is undefined if the command has no --allow-remote. */
export function addressOf({ host = DEFAULT_HOST, port = DEFAULT_PORT }: HttpOptions, mayBeRemote?: boolean) {
  const isRemote = !isLoopback(host);
  if (isRemote && !mayBeRemote)
    throw new RetainError(
      "unsafe",
      `'${host}' is not a loopback address, so others on the network could read the token and the memory.`,
      `To connect from another machine, use a tunnel: ssh -L 7411:127.0.0.1:7411 <this machine>${
        mayBeRemote === undefined ? "" : ". To listen there anyway, pass --allow-remote."
      }`,
    );
  return { host, port, isRemote };
}

export interface ServerToken {
  readonly token: string;
  /** null if the token comes from an option or a variable. */
  readonly file: string | null;
}

/** From an option, else a file that an option names, else RETAIN_TOKEN, else the stored one. Throws `unsafe`, `invalid_input`. */
export async function tokenOf(
  retain: Retain,
  { token, tokenFile }: Pick<HttpOptions, "tokenFile"> & { token?: string },
): Promise<ServerToken> {
  const { checkedToken, tokenIn } = await import("../serve/main.ts");
  const given = token ?? (tokenFile === undefined ? process.env[TOKEN_VARIABLE] : undefined);
  if (given) return { token: checkedToken(given), file: null };
  const file = resolve(tokenFile ?? `${retain.choice.home.root}/${TOKEN_FILE}`);
  return { token: tokenIn(file), file };
}

/** Throws `io` if the address is taken or cannot be used. */
export function listening<T>(serve: () => T, { host, port }: { host: string; port: number }): T {
  try {
    return serve();
  } catch (error) {
    if (errorCode(error) === null) throw error;
    const taken = errorCode(error) === "EADDRINUSE";
    throw new RetainError(
      "io",
      taken
        ? `Another program is listening on ${host}:${port}.`
        : `Cannot listen on ${host}:${port}: ${messageOf(error)}`,
      "Choose another port, or pass --port 0 for a free one.",
    );
  }
}

/** Ctrl-C exits with 130; SIGTERM and SIGHUP are a normal stop and exit with 0. */
export function untilStopped(context: Context) {
  const stop = new AbortController();
  let interrupted = false;
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  stop.signal.addEventListener("abort", () => resolve());
  context.handlesInterrupts();
  process.once("SIGINT", () => {
    interrupted = true;
    stop.abort();
    process.once("SIGINT", () => process.exit(130));
  });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  const failure = () => (interrupted ? { failure: new RetainError("interrupted", "Stopped.") } : {});
  return { signal: stop.signal, reached, failure };
}
